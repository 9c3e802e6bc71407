#include "tools/load/hello_answer.h"

#include <gtest/gtest.h>

#include <ostream>

namespace baton::load {
namespace {

TEST(HelloAnswerTest, ReadsWhatHelloSays) {
  const auto answer = ParseHelloAnswer(R"({"version":"v1","index":2,"instance":"guid","pid":7})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->version, "v1");
  EXPECT_EQ(answer->index, 2);
  EXPECT_EQ(answer->instance, "guid");
}

struct Malformed {
  const char* name;
  const char* body;
};

void PrintTo(const Malformed& malformed, std::ostream* out) { *out << malformed.name; }

class MalformedAnswerTest : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedAnswerTest, IsRefused) { EXPECT_FALSE(ParseHelloAnswer(GetParam().body)); }

INSTANTIATE_TEST_SUITE_P(
    All, MalformedAnswerTest,
    ::testing::Values(Malformed{"Empty", ""}, Malformed{"NoJson", "ok"}, Malformed{"AnArray", "[]"},
                      Malformed{"AnEmptyObject", "{}"}, Malformed{"Cut", R"({"version":"v1","index":2,"instance":"gu)"},
                      Malformed{"NoVersion", R"({"index":2,"instance":"guid"})"},
                      Malformed{"NoIndex", R"({"version":"v1","instance":"guid"})"},
                      Malformed{"NoInstance", R"({"version":"v1","index":2})"},
                      Malformed{"VersionIsANumber", R"({"version":1,"index":2,"instance":"g"})"},
                      Malformed{"IndexIsNegative", R"({"version":"v1","index":-1,"instance":"g"})"},
                      Malformed{"IndexIsAText", R"({"version":"v1","index":"2","instance":"g"})"},
                      Malformed{"IndexIsAFraction", R"({"version":"v1","index":1.5,"instance":"g"})"},
                      Malformed{"IndexIsTooLarge", R"({"version":"v1","index":4294967296,"instance":"g"})"},
                      Malformed{"MoreFollows", R"({"version":"v1","index":2,"instance":"g"}{})"}));

}  // namespace
}  // namespace baton::load
