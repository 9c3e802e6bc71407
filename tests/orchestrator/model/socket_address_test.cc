#include "orchestrator/model/calls/socket_address.h"

#include <gtest/gtest.h>

namespace baton {
namespace {

// batond with --listen 0.0.0.0:99999 served on port 34463, and said nothing.
TEST(SocketAddress, APortBeyond65535IsNone) {
  for (const char* fine : {"127.0.0.1:0", "[::1]:8891", "b1.example:65535"}) EXPECT_TRUE(IsHostAndPort(fine)) << fine;
  for (const char* odd : {"0.0.0.0:65536", "0.0.0.0:99999", "b1:4294967297", "b1:", ":8891", "b1", "8891", "b1:88x",
                          "b1:-1", "b1: 1", ""}) {
    EXPECT_FALSE(IsHostAndPort(odd)) << odd;
  }
}

}  // namespace
}  // namespace baton
