# shellcheck shell=bash
# Sourced by ./fmbym and ./test: installs what the build needs, configures and builds a preset.
# Says what it does on stderr; says nothing when there is nothing to do.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package_lists=(packages.txt) # in cmake/
optional_lists=()            # likewise, but it goes on without them

say() { printf '%s\n' "$*" >&2; }
fail() { say "$(basename "$0"): $*"; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Called before build: training is wanted too, which needs libtorch.
with_training() { package_lists+=(packages-training.txt); }

# Called before build: what some tests use, and skip without.
with_test_packages() { optional_lists+=(packages-tests.txt); }

trains() { [[ " ${package_lists[*]} " == *" packages-training.txt "* ]]; }

missing_packages() {
  local package
  while read -r package; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done < "$1"
}

# install_packages FOLDER LIST: once a build folder and list of packages; a stamp remembers that they were there.
install_packages() {
  local list=$root/cmake/$2 stamp=$1/$2 missing
  cmp -s "$list" "$stamp" && return
  if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    missing=$(missing_packages "$list")
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
    say "this is no Debian system: cmake/$2 names what must be installed"
  fi
  mkdir -p "$1" && cp "$list" "$stamp"
}

# Runs a command quietly; shows its output only if it fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 && return
  cat "$log" >&2
  return 1
}

# lacks_torch FOLDER: it was configured when libtorch was not there. Folders with sanitizers never look for it.
lacks_torch() { grep -q '^Torch_DIR:.*NOTFOUND$' "$1/CMakeCache.txt"; }

# configure PRESET FOLDER: if it is not configured for what is wanted.
configure() {
  if [ -f "$2/build.ninja" ] && ! { trains && lacks_torch "$2"; }; then return; fi
  say "configuring ($1)"
  (cd "$root" && quietly "$2/configure.log" cmake --preset "$1") || fail "configuring failed"
  if trains && lacks_torch "$2"; then
    fail "libtorch was not found; install it (cmake/packages-training.txt) or name the folder of its TorchConfig.cmake in the variable Torch_DIR"
  fi
}

# build PRESET [TARGET...]: up to date when this returns. Builds one at a time, also when called twice at once.
build() {
  local preset=$1 folder=$root/build/$1 list
  shift
  mkdir -p "$folder" || fail "cannot write to $folder"
  exec 9>"$folder/lock"
  command -v flock >/dev/null && flock 9
  for list in "${package_lists[@]}"; do install_packages "$folder" "$list"; done
  for list in "${optional_lists[@]}"; do
    (install_packages "$folder" "$list") || say "going on without them: the tests that need them skip"
  done
  configure "$preset" "$folder"
  if ! ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "building ($preset), some minutes the first time"
    quietly "$folder/build.log" ninja -C "$folder" "$@" || fail "building failed"
  fi
  exec 9>&-
}
