// Grey PNG files of a few levels: they are small.
#pragma once

#include <functional>
#include <string>

namespace fmbym::report {

// `brightness(row, column)` from 0 to 1; what lies outside is cut off, what is no number is black. The bytes
// of an 8-bit grey PNG file of side × side pixels.
std::string grey_png(int side, const std::function<double(int, int)>& brightness);

}  // namespace fmbym::report
