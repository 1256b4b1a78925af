// Sequences that can't be used: one line that names the file and a remedy, and no results.
#include <gtest/gtest.h>

#include "cli/expectations.hpp"
#include "support/oxford_writer.hpp"
#include "support/temporary_folder.hpp"

namespace fmbym::testing {
namespace {

namespace fs = std::filesystem;

std::int64_t time_of(int scan) {
  return kScanStart_us + scan * kScanPeriod_us;
}

class BadInput : public ::testing::Test {
 protected:
  // `named` is the file or folder at fault.
  void refuse(const fs::path& sequence, const fs::path& named, std::initializer_list<std::string_view> parts,
              const Arguments& more = {}) {
    Arguments arguments = {"odometry", sequence, "--output", folder_ / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    expect_failure(outcome, kFailed, parts);
    expect_contains(outcome.err, {"fmbym: " + named.string() + ": ", "; "});
    expect_no_files(folder_ / "out");
  }
  void refuse(const fs::path& named, std::initializer_list<std::string_view> parts) {
    refuse(sequence_.folder(), named, parts);
  }
  // The first scan, so that nothing has been said before it is read.
  void refuse_scan(const std::string& png, std::initializer_list<std::string_view> parts) {
    write_file(first_, png);
    refuse(first_, parts);
    expect_failure(run({"match", first_, sequence_.file(time_of(1))}), kFailed, parts);
    expect_failure(run({"match", sequence_.file(time_of(1)), first_}), kFailed, parts);
  }
  void refuse_ground_truth(const std::string& csv, std::initializer_list<std::string_view> parts) {
    fs::create_directories(sequence_.ground_truth().parent_path());
    write_file(sequence_.ground_truth(), csv);
    refuse(sequence_.ground_truth(), parts);
  }

  TemporaryFolder folder_;
  OxfordSequence sequence_ = write_oxford_sequence(folder_ / "sequence", 3);
  fs::path first_ = sequence_.file(time_of(0));
};

TEST_F(BadInput, NoSuchFolder) {
  refuse(folder_ / "nowhere", folder_ / "nowhere", {"found nothing", "check the path"});
}

TEST_F(BadInput, AFileInsteadOfAFolder) {
  refuse(first_, first_, {"found a file", "give the folder that holds radar/"});
}

TEST_F(BadInput, NoRadarFolder) {
  fs::create_directory(folder_ / "empty");
  refuse(folder_ / "empty", folder_ / "empty", {"radar/", "give the folder"});
  fs::remove_all(sequence_.folder() / "radar");
  refuse(sequence_.folder(), {"radar/", "give the folder"});
}

TEST_F(BadInput, NoScans) {
  fs::remove_all(sequence_.folder() / "radar");
  fs::create_directory(sequence_.folder() / "radar");
  refuse(sequence_.folder() / "radar", {"found none", "unpacked"});
}

TEST_F(BadInput, EmptyScan) {
  refuse_scan("", {"an empty file", "copy or download it again"});
}

TEST_F(BadInput, ScanCutOff) {
  const std::string whole = read_file(first_);
  for (const std::size_t bytes : {std::size_t{4}, std::size_t{20}, whole.size() / 2, whole.size() - 12})
    refuse_scan(whole.substr(0, bytes), {"cut off", std::to_string(bytes), "copy or download it again"});
}

TEST_F(BadInput, ScanDamaged) {
  std::string bytes = read_file(first_);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  refuse_scan(bytes, {"damaged", "copy or download it again"});
}

TEST_F(BadInput, NoPngAtAll) {
  refuse_scan("JFIF and so on", {"no PNG at all", "give a radar scan"});
}

TEST_F(BadInput, PicturesInsteadOfScans) {
  const std::vector<std::uint8_t> pixels(40 * 443 * 3);
  const auto png = [&](int bytes_a_pixel, const PngFormat& format) {
    return encode_png(40, 443, {pixels.begin(), pixels.begin() + 40 * 443 * bytes_a_pixel}, format);
  };
  refuse_scan(png(2, {16, SPNG_COLOR_TYPE_GRAYSCALE}),
              {"8-bit grey", "16-bit grey", "as the radar wrote it"});
  refuse_scan(png(3, {8, SPNG_COLOR_TYPE_TRUECOLOR}),
              {"8-bit grey", "8-bit colour", "as the radar wrote it"});
}

TEST_F(BadInput, TooFewColumns) {
  refuse_scan(encode_png(40, 11, std::vector<std::uint8_t>(40 * 11)), {"found 11 columns", "Oxford layout"});
}

TEST_F(BadInput, TooFewRows) {
  refuse_scan(encode_oxford(make_oxford_scan(time_of(0), 5)), {"found 5", "Oxford layout"});
}

TEST_F(BadInput, RowsOutOfOrder) {
  OxfordScan scan = make_oxford_scan(time_of(0));
  std::swap(scan.time_us[10], scan.time_us[30]);
  refuse_scan(encode_oxford(scan), {"rows out of order", "Oxford layout"});
  scan = make_oxford_scan(time_of(0));
  std::swap(scan.encoder[10], scan.encoder[30]);
  refuse_scan(encode_oxford(scan), {"rows out of order", "Oxford layout"});
}

TEST_F(BadInput, NoRowIsValid) {
  OxfordScan scan = make_oxford_scan(time_of(0));
  std::fill(scan.valid.begin(), scan.valid.end(), std::uint8_t{0});
  refuse_scan(encode_oxford(scan), {"valid rows", "found 0 of 40", "Oxford layout"});
}

TEST_F(BadInput, UnknownWidthNeedsTheRangeResolution) {
  for (int i = 0; i < 3; ++i) sequence_.write_scan(time_of(i), make_oxford_scan(time_of(i), 40, 300));
  refuse(first_, {"300 range bins", "give --range-resolution METRES"});
  expect_done(
      run({"odometry", sequence_.folder(), "--output", folder_ / "out", "--range-resolution", "0.2"}));
}

TEST_F(BadInput, TimesGoingBackwards) {
  sequence_.write_timestamps({time_of(0), time_of(2), time_of(1)});
  refuse(sequence_.timestamps(), {"line 3", std::to_string(time_of(1)), "sort the lines"});
}

TEST_F(BadInput, TimesThatAreNone) {
  write_file(sequence_.timestamps(), "yesterday 1\n");
  refuse(sequence_.timestamps(), {"line 1", "yesterday", "correct or remove the line"});
}

TEST_F(BadInput, GroundTruthWithoutColumns) {
  refuse_ground_truth("x,y\n1,2\n", {"yaw", "source_radar_timestamp", "restore the header"});
  refuse_ground_truth("", {"restore the header"});
}

TEST_F(BadInput, GroundTruthThatIsNoNumber) {
  const std::string header = "x,y,yaw,source_radar_timestamp,destination_radar_timestamp\n";
  const std::string times = fmt::format(",{},{}\n", time_of(1), time_of(0));
  for (const std::string bad : {"nan", "NaN", "inf", "1.5m", ""})
    refuse_ground_truth(header + "1," + bad + ",0" + times, {"line 2", "for y", bad, "correct the line"});
}

TEST_F(BadInput, GroundTruthCutOff) {
  sequence_.write_ground_truth({{time_of(0), time_of(1), {1, 0, 0}}, {time_of(1), time_of(2), {1, 0, 0}}});
  const std::string whole = read_file(sequence_.ground_truth());
  refuse_ground_truth(whole.substr(0, whole.size() - 40), {"line 3", "correct the line"});
}

TEST_F(BadInput, NamesOfFilesStayOnOneLine) {
  const fs::path odd = folder_ / "two\nlines";
  expect_failure(run({"odometry", odd, "--output", folder_ / "out"}), kFailed,
                 {"two lines", "check the path"});
}

}  // namespace
}  // namespace fmbym::testing
