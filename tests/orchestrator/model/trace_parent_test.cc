// What is a traceparent, and what is none.
#include "orchestrator/model/calls/trace_parent.h"

#include <gtest/gtest.h>

#include <string>

namespace baton {
namespace {

TEST(TraceParent, IsTakenAsW3CHasIt) {
  for (const std::string text : {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                                 "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
                                 "00-00000000000000000000000000000001-0000000000000001-ff"}) {
    const TraceParent parent = TraceParent::From(text);
    EXPECT_EQ(parent.text(), text);
    EXPECT_EQ(parent.trace_id(), text.substr(3, 32));
    EXPECT_FALSE(parent.empty()) << text;
  }
}

TEST(TraceParent, AnythingElseIsOfNoTrace) {
  const struct {
    const char* what;
    std::string text;
  } kOthers[] = {
      {"nothing", ""},
      {"a version to come", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},
      {"the version that is none", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},
      {"no trace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"},
      {"no parent", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"},
      {"upper case", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"},
      {"upper case in the parent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00F067AA0BA902B7-01"},
      {"upper case in the flags", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0A"},
      {"no digit", "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01"},
      {"a digit less", "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01"},
      {"a digit more", "00-4bf92f3577b34da6a3ce929d0e0e47361-00f067aa0ba902b7-01"},
      {"flags of one digit", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1"},
      {"no flags", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"},
      {"more after the flags", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"},
      {"blanks around it", " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 "},
      {"another mark between", "00-4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7-01"},
      {"a line's end in it", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\n"},
      {"a NUL in it", std::string("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\0", 55)},
  };
  for (const auto& other : kOthers) {
    const TraceParent parent = TraceParent::From(other.text);
    EXPECT_TRUE(parent.empty()) << other.what;
    EXPECT_EQ(parent.trace_id(), "") << other.what;
    EXPECT_EQ(parent, TraceParent()) << other.what;
  }
}

}  // namespace
}  // namespace baton
