// Two scans in one image: where they agree it is grey to white, where they do not it has the colour of one of
// them.
#pragma once

#include "fmbym/report/match_picture.hpp"
#include "report/canvas.hpp"

namespace fmbym::report {

// The square of the previous scan, `side` pixels a side, with the current scan moved into its frame.
Raster overlay_scans(const MatchPicture& picture, int side);

}  // namespace fmbym::report
