// The rooms of the house and who may look into whom: fails when an #include points up.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace fmbym {
namespace {

namespace fs = std::filesystem;
using Modules = std::set<std::string>;

const std::map<std::string, Modules> kNeeds = {
    {"core", {}},
    {"imaging", {"core"}},
    {"fft", {"core"}},
    {"matching", {"core", "fft"}},
    {"masking", {"core"}},
    {"odometry", {"core", "imaging", "masking", "matching"}},
    {"datasets", {"core"}},
    {"evaluation", {"core"}},
    {"calibration", {"core"}},
    {"report", {"core", "evaluation", "matching"}},
    {"training",
     {"core", "imaging", "fft", "masking", "matching", "odometry", "datasets", "evaluation", "report"}},
    {"app",
     {"core", "imaging", "fft", "matching", "masking", "odometry", "datasets", "evaluation", "calibration",
      "report", "training"}},
};

// Modules named by the #include lines of a file: "fmbym/<module>/..." and "<module>/..." of src/.
Modules included_by(const fs::path& file) {
  static const std::regex include(R"re(^\s*#include\s*"(?:fmbym/)?([a-z]+)/)re");
  Modules modules;
  std::ifstream in(file);
  std::smatch found;
  for (std::string line; std::getline(in, line);)
    if (std::regex_search(line, found, include)) modules.insert(found[1]);
  return modules;
}

int check_folder(const fs::path& folder, const std::string& module) {
  int files = 0;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") continue;
    ++files;
    for (const std::string& other : included_by(entry.path())) {
      EXPECT_TRUE(other == module || kNeeds.at(module).contains(other))
          << entry.path().string() << " includes " << other << ", but " << module << " may not need it";
    }
  }
  return files;
}

TEST(Architecture, IncludesPointDownOnly) {
  const fs::path root = FMBYM_SOURCE_DIR;
  for (const auto& [module, needs] : kNeeds) {
    const int files =
        check_folder(root / "include/fmbym" / module, module) + check_folder(root / "src" / module, module);
    EXPECT_GT(files, 0) << module << " has no files: has it moved?";
  }
}

TEST(Architecture, EveryFolderOfSourcesIsAKnownModule) {
  for (const char* parent : {"include/fmbym", "src"})
    for (const auto& entry : fs::directory_iterator(fs::path(FMBYM_SOURCE_DIR) / parent))
      EXPECT_TRUE(!entry.is_directory() || kNeeds.contains(entry.path().filename())) << entry.path();
}

}  // namespace
}  // namespace fmbym
