# Sourced by ./fmbym and ./test: installs what the build needs, configures and builds a preset.
# Says what it does on stderr; says nothing when there is nothing to do.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  local package
  while read -r package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done < "$root/cmake/packages.txt"
}

# Once a build folder and list of packages: a stamp remembers that they were there.
install_packages() {
  local stamp=$1/packages.txt missing
  cmp -s "$root/cmake/packages.txt" "$stamp" && return
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
      say "installing: $missing"
      [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "that needs root or sudo; install them by hand and try again"
      quietly "$1/packages.log" as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
        say "apt-get update failed; trying with the lists there are"
      # shellcheck disable=SC2086  # a list of words
      quietly "$1/packages.log" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $missing ||
        fail "could not install the packages above; install them by hand and try again"
    fi
  else
    say "this is no Debian system: cmake/packages.txt names what must be installed"
  fi
  mkdir -p "$1" && cp "$root/cmake/packages.txt" "$stamp"
}

# Runs a command quietly; shows its output only if it fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 && return
  cat "$log" >&2
  return 1
}

# build PRESET [TARGET]: up to date when this returns. Builds one at a time, also when called twice at once.
build() {
  local folder=$root/build/$1
  mkdir -p "$folder" || fail "cannot write to $folder"
  exec 9>"$folder/lock"
  command -v flock >/dev/null && flock 9
  install_packages "$folder"
  if [ ! -f "$folder/build.ninja" ]; then
    say "configuring ($1)"
    (cd "$root" && quietly "$folder/configure.log" cmake --preset "$1") || fail "configuring failed"
  fi
  if ! ninja -C "$folder" -n ${2:+"$2"} 2>/dev/null | grep -q 'no work to do'; then
    say "building ($1), a minute or two the first time"
    quietly "$folder/build.log" ninja -C "$folder" ${2:+"$2"} || fail "building failed"
  fi
  exec 9>&-
}
