#include "report/text.hpp"

#include <gtest/gtest.h>

namespace fmbym::report {
namespace {

TEST(Text, KnowsUtf8) {
  for (const char* sound : {"", "plain", "± ° µ", "→ −", "\U0001F4E1", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(sound)) << sound;
  for (const char* broken : {"\xff", "\x80", "a\xc3", "\xc3(", "\xe2\x82", "\xc0\xaf" /* overlong */,
                             "\xe0\x80\xaf" /* overlong */, "\xed\xa0\x80" /* surrogate */,
                             "\xf4\x90\x80\x80" /* beyond Unicode */})
    EXPECT_FALSE(is_utf8(broken));
}

TEST(Text, IsDrawnOnOneLine) {
  EXPECT_EQ(drawable("a\nb\tc"), "a b c");
  EXPECT_EQ(drawable("5 µm"), "5 µm");
  EXPECT_EQ(drawable("5 \xb5m"), "5 ?m");
}

TEST(Text, IsNotCutInsideACharacter) {
  EXPECT_EQ(first_bytes("aµb", 9), "aµb");
  EXPECT_EQ(first_bytes("aµb", 3), "aµ");
  EXPECT_EQ(first_bytes("aµb", 2), "a");
  EXPECT_EQ(first_bytes("µ", 1), "");
}

TEST(Text, WritesNumbersWithAMinusSignAndNoNegativeZero) {
  EXPECT_EQ(number(1.256, 2), "1.26");
  EXPECT_EQ(number(-1.5, 1), "−1.5");
  EXPECT_EQ(number(-0.001, 2), "0.00");
}

}  // namespace
}  // namespace fmbym::report
