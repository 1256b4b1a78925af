#include "app/run_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "app/results.hpp"
#include "app/version.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym::app {
namespace {

namespace fs = std::filesystem;

// For a shell.
std::string as_typed(const std::string& argument) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 || std::strchr("_-+=./:,@%", c) != nullptr;
  };
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) return argument;
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// Of this process, without the folder of the program; empty where the system does not tell.
std::string command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string line, argument;
  while (std::getline(in, argument, '\0'))
    line += line.empty() ? fs::path(argument).filename().string() : " " + as_typed(argument);
  return line;
}

}  // namespace

void add_report_option(CLI::App& command, fs::path& file) {
  command.add_option("--report", file, "Write a page with plots that opens in any browser")
      ->type_name("FILE.html");
}

void check_report(const fs::path& file) {
  if (file.empty()) return;
  if (fs::is_directory(file))
    throw Error(fmt::format("--report {}: cannot write there: that is a folder; give a file", file.string()));
  const fs::path trial = temporary_beside(file);
  const int descriptor = ::open(trial.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    throw Error(fmt::format("--report {}: cannot write there: {}; choose another file", file.string(),
                            std::strerror(errno)));
  ::close(descriptor);
  ::unlink(trial.c_str());
}

ReportFrame report_frame(std::size_t scan, const Odometry& odometry, const Match& match) {
  const MatchedImages images = odometry.images();
  const MatchEvidence evidence = odometry.evidence();
  return make_report_frame(scan, {images.current, images.reference, match, evidence, "", images.current_mask,
                                  images.reference_mask});
}

ReportRun report_run(const SequenceRun& run, const Json& config, const Json& summary) {
  ReportRun report;
  report.name = fmt::format("{} at {}, {} preset", summary["method"].get<std::string>(),
                            summary["resolution"].get<int>(), summary["preset"].get<std::string>());
  report.estimate = trajectory_of(run);
  for (const ScanRecord& scan : run.scans) {
    const Registration& r = scan.registration;
    report.scans.push_back({r.match, r.bridged, scan.decode_ms, r.image_ms, r.mask_ms, r.match_ms});
  }
  report.frames = run.frames;
  report.hz = summary["hz"].get<double>();
  report.config_json = config.dump();
  report.summary_json = summary.dump();
  return report;
}

Trajectory truth_of(const SequenceRun& run, const Dataset& dataset) {
  const auto& known = dataset.ground_truth();
  Trajectory truth;
  for (const ScanRecord& scan : run.scans) {
    if (known.empty() || !known[scan.index]) continue;
    truth.time_ns.push_back(scan.registration.timestamp_us * 1000);
    truth.T_world.push_back(to_spatial(*known[scan.index]));
  }
  return truth.size() < 2 ? Trajectory{} : truth;
}

Report begin_report(const std::string& title) {
  Report report;
  report.title = title;
  report.command = command_line();
  report.version = kVersion;
  return report;
}

}  // namespace fmbym::app
