// --report FILE.html: a page about one or more runs, and what a run keeps for it.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "app/json.hpp"
#include "app/sequence_run.hpp"
#include "fmbym/datasets/dataset.hpp"
#include "fmbym/report/html_report.hpp"

namespace fmbym::app {

void add_report_option(CLI::App& command, std::filesystem::path& file);

// Throws Error where the file could not be written: before the work is done rather than after. An empty path
// is no report and fine.
void check_report(const std::filesystem::path& file);

// The last scan registered, as number `scan` of its run. Slow beside the registration: for a few scans only.
ReportFrame report_frame(std::size_t scan, const Odometry& odometry, const Match& match);

// `config` and `summary` as config.json and summary.json have them.
ReportRun report_run(const SequenceRun& run, const Json& config, const Json& summary);

// The true poses of the scans that have one; empty where fewer than two do.
Trajectory truth_of(const SequenceRun& run, const Dataset& dataset);

// A report of this version, made by this command, and without runs yet.
Report begin_report(const std::string& title);

}  // namespace fmbym::app
