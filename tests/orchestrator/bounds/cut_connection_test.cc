#include "orchestrator/bounds/cut_connection.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace baton::bounds {
namespace {

class CutConnectionTest : public ::testing::Test {
 protected:
  CutConnectionTest() {
    bind(listener_, reinterpret_cast<sockaddr*>(&address_), size_);
    listen(listener_, 1);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address_), &size_);
  }
  ~CutConnectionTest() override { close(listener_); }
  int Connect() const {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&address_), size_), 0);
    return client;
  }
  static std::string NameOf(int client) {
    sockaddr_in own{};
    socklen_t size = sizeof(own);
    getsockname(client, reinterpret_cast<sockaddr*>(&own), &size);
    return "ipv4:127.0.0.1:" + std::to_string(ntohs(own.sin_port));
  }

  sockaddr_in address_ = [] {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }();
  socklen_t size_ = sizeof(address_);
  const int listener_ = socket(AF_INET, SOCK_STREAM, 0);
};

TEST_F(CutConnectionTest, EndsTheOneThatIsMeant) {
  const int one = Connect();
  const int served_one = accept(listener_, nullptr, nullptr);
  const int other = Connect();
  const int served_other = accept(listener_, nullptr, nullptr);
  EXPECT_EQ(CutConnection(NameOf(one)), 1);
  char byte = 0;
  EXPECT_EQ(recv(one, &byte, 1, 0), 0) << "it is not closed";
  EXPECT_EQ(send(served_other, "a", 1, MSG_NOSIGNAL), 1);
  EXPECT_EQ(recv(other, &byte, 1, 0), 1);
  for (const int socket : {one, served_one, other, served_other}) close(socket);
}

// gRPC would read it all: 5 MB of cancelled calls are 3 GB.
TEST_F(CutConnectionTest, WhatHasComeAndWasNotReadIsGone) {
  const int one = Connect();
  const int served = accept(listener_, nullptr, nullptr);
  const std::string sent(100'000, 'a');
  ASSERT_EQ(send(one, sent.data(), sent.size(), MSG_NOSIGNAL), static_cast<ssize_t>(sent.size()));
  EXPECT_EQ(CutConnection(NameOf(one)), 1);
  char byte = 0;
  EXPECT_LE(recv(served, &byte, 1, MSG_DONTWAIT), 0);
  for (const int socket : {one, served}) close(socket);
}

TEST_F(CutConnectionTest, WhoIsConnectedIsFoundByThePort) {
  const int port = ntohs(address_.sin_port);
  EXPECT_TRUE(PeersAt(port).empty()) << "who listens is no connection";
  const int one = Connect();
  const int served = accept(listener_, nullptr, nullptr);
  EXPECT_EQ(PeersAt(port), std::vector<std::string>{NameOf(one)});
  for (const int socket : {one, served}) close(socket);
  EXPECT_TRUE(PeersAt(port).empty());
}

TEST_F(CutConnectionTest, WhoIsNotThereIsNotCut) {
  for (const char* peer : {"", "unknown", "ipv4:127.0.0.1:1", "unix:/tmp/a", "ipv6:%5B::1%5D:1"}) EXPECT_EQ(CutConnection(peer), 0);
}

}  // namespace
}  // namespace baton::bounds
