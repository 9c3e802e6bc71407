// Diego's columns: what opens, and what is said of what does not.
#include "tools/adopt/column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baton/v1/desired_lrp.pb.h"
#include "tools/adopt/diego_row.h"

namespace baton::adopt {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

// "hello" sealed with label "k1" and passphrase "sesame" by another program (Python's cryptography): nonce 000102...0b.
constexpr char kHello[] = "02AmsxAAECAwQFBgcICQoLtL0WPISf/vzjhMx5KbLdKAQUbbMt";

std::string Changed(std::size_t at) {
  std::string changed = kHello;
  changed[at] = changed[at] == 'a' ? 'b' : 'a';
  return changed;
}

SourceKeys Keys(const std::string& json = R"({"k1": "sesame"})") {
  auto keys = SourceKeys::Parse(json);
  EXPECT_TRUE(keys.ok());
  return *keys;
}

std::string Opened(const std::string& column, const SourceKeys& keys = Keys()) {
  auto opened = ColumnOpener(keys).Open(column);
  return opened ? *opened : "fault: " + opened.error().message;
}

TEST(Column, OpensWhatAnotherProgramSealed) { EXPECT_EQ(Opened(kHello), "hello"); }

TEST(Column, TakesTheFormsThatAreNotEncrypted) {
  EXPECT_EQ(Opened("00{\"a\":1}"), "{\"a\":1}");
  EXPECT_EQ(Opened("01aGVsbG8="), "hello");
  EXPECT_EQ(Opened("{\"from\":\"before there were encodings\"}"), "{\"from\":\"before there were encodings\"}");
}

struct Broken {
  const char* name;
  std::string column;
  const char* fault;
};

class BrokenColumn : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenColumn, IsRefusedByItsFault) {
  EXPECT_THAT(Opened(GetParam().column), AllOf(HasSubstr("fault: "), HasSubstr(GetParam().fault)));
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenColumn,
    ::testing::Values(Broken{"Digits", "03AAAA", "begins with '03'"}, Broken{"OneDigit", "0", "begins with '0'"},
                      Broken{"Letters", "02!!!!", "no base64"}, Broken{"Length", "02AAA", "no base64"},
                      Broken{"PaddingInside", "02AA=A", "no base64"}, Broken{"Nothing", "02", "cut off: 0 bytes"},
                      Broken{"NoLabel", "02AAAA", "cut off: 3 bytes"},
                      Broken{"LabelLongerThanAll", "02f3Bhc3M=", "cut off: 5 bytes"},
                      Broken{"NoTag", std::string(kHello).substr(0, 42), "cut off"},
                      Broken{"Truncated", std::string(kHello).substr(0, 46), "does not open with key label 'k1'"},
                      Broken{"FlippedBit", Changed(46), "does not open with key label 'k1'"},
                      Broken{"FlippedNonce", Changed(10), "does not open"},
                      Broken{"OtherLabel", std::string(kHello).replace(2, 4, "Amsy"),
                             "key label 'k2', which is not among"}),
    [](const auto& one) { return one.param.name; });

TEST(Column, EveryFlippedBitIsSeen) {
  const SourceKeys keys = Keys();
  for (std::size_t at = 2; at < sizeof(kHello) - 1; ++at) {
    for (int bit = 0; bit < 7; ++bit) {
      std::string flipped = kHello;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      EXPECT_NE(Opened(flipped, keys), "hello") << at << " " << bit;
    }
  }
}

TEST(Column, AnotherPassphraseIsAFaultThatTellsNothing) {
  EXPECT_THAT(Opened(kHello, Keys(R"({"k1": "open"})")),
              AllOf(HasSubstr("sealed with another passphrase"), Not(HasSubstr("open with passphrase"))));
}

TEST(Column, CountsWhatOpensByLabel) {
  const SourceKeys keys = Keys();
  ColumnOpener opener(keys);
  EXPECT_TRUE(opener.Open(kHello).ok());
  EXPECT_FALSE(opener.Open(Changed(46)).ok());
  EXPECT_EQ(opener.counts().at("k1").opened, 1);
  EXPECT_EQ(opener.counts().at("k1").failed, 1);
}

TEST(Column, AMessageStandsInItsEnvelope) {
  const SourceKeys keys = Keys();
  ColumnOpener opener(keys);
  v1::DesiredLRPRunInfo run;
  EXPECT_TRUE(opener.OpenMessage("01AgBaA0FQUA==", run).ok());  // 02 00, then field 11: "APP"
  EXPECT_EQ(run.log_source(), "APP");
  EXPECT_THAT(opener.OpenMessage("01WgNBUFA=", run).error().message, HasSubstr("envelope"));
  EXPECT_THAT(opener.OpenMessage("01AgBaA0FQ", run).error().message, HasSubstr("no DesiredLRPRunInfo message"));
  EXPECT_THAT(opener.OpenMessage("01AgBaAf8=", run).error().message, HasSubstr("not UTF-8"));
}

TEST(Keys, TakeALabelAndAPassphraseOrABbssConfiguration) {
  EXPECT_NE(Keys(R"({"a": "1", "b": "2"})").Find("b"), nullptr);
  EXPECT_EQ(Keys(R"({"a": "1"})").Find("A"), nullptr) << "labels are case-sensitive";
  EXPECT_EQ(Keys(R"({"listen_address": "x", "active_key_label": "a", "encryption_keys": {"a": "1"}})").Labels(), "'a'");
}

TEST(Keys, RefuseWhatIsNoKeyFileAndTellNoPassphrase) {
  const auto fault = [](const char* text) { return SourceKeys::Parse(text).error().message; };
  EXPECT_THAT(fault("k1 s3cret"), AllOf(HasSubstr("no JSON object"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(fault("[\"s3cret\"]"), HasSubstr("no JSON object"));
  EXPECT_THAT(fault("{}"), HasSubstr("holds no keys"));
  EXPECT_THAT(fault(R"({"encryption_keys": "s3cret"})"), AllOf(HasSubstr("holds no keys"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(fault(R"({"k1": 7})"), HasSubstr("passphrase of key label 'k1'"));
  EXPECT_THAT(fault(R"({"k1": ""})"), HasSubstr("passphrase of key label 'k1'"));
  EXPECT_THAT(fault((R"({")" + std::string(128, 'x') + R"(": "s"})").c_str()), HasSubstr("128 bytes"));
}

TEST(Members, KeepTheBytesTheyHad) {
  EXPECT_THAT(*MembersOf(R"( {"a" : [1.0, {"b":"}\"]"}] , "c\u0064":null,"e":"\\", "f": 12345678901234567890 } )"),
              ElementsAre(Pair("a", R"([1.0, {"b":"}\"]"}])"), Pair("cd", "null"), Pair("e", R"("\\")"),
                          Pair("f", "12345678901234567890")));
  EXPECT_THAT(*MembersOf("{}"), ElementsAre());
}

TEST(Members, OfWhatIsNoObjectAreNone) {
  for (const char* text : {"", "null", "[1]", "\"a\"", "{\"a\":1", "{\"a\" 1}", "{a:1}", "\xEF\xBB\xBF{}"}) {
    EXPECT_FALSE(MembersOf(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace baton::adopt
