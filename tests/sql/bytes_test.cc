// PostgreSQL's hexadecimal bytes, as they are read back.
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

#include "sql/session/array.h"

namespace baton {
namespace {

// `format`: of one byte.
std::string Hex(const std::string& bytes, const char* format) {
  std::string text = "\\x";
  for (const char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, format, static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

TEST(BytesOfPostgres, OfEveryLengthAreReadAsTheyWere) {
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 70; ++length) {
    std::string bytes(length, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_EQ(ParseBytes(Hex(bytes, "%02x")), bytes);
    EXPECT_EQ(ParseBytes(Hex(bytes, "%02X")), bytes);
  }
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(ParseBytes(Hex(all, "%02x")), all);
}

}  // namespace
}  // namespace baton
