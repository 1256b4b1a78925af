// A picture of why a match came out as it did: the scans aligned by it, the two correlations it was read off,
// and the masks of the scans if they have any.
#pragma once

#include <filesystem>
#include <string>

#include "fmbym/core/image.hpp"
#include "fmbym/matching/matcher.hpp"

namespace fmbym {

// Refers to its images, match and evidence: they must outlive it.
struct MatchPicture {
  const Image& current;
  const Image& previous;
  const Match& match;
  const MatchEvidence& evidence;  // of that match; a panel without evidence says so
  std::string title;              // one line of UTF-8; cut short where it is too long
  // What was multiplied onto the scans, from 0, hide, to 1, keep; drawn where there are any.
  const Image* current_mask = nullptr;
  const Image* previous_mask = nullptr;
};

// Whole or not at all. Throws Error naming the file when it can't be written.
void write_match_picture(const std::filesystem::path& png, const MatchPicture& picture);

}  // namespace fmbym
