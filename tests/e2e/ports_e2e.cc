// Every port that a stack over TLS listens on, as the kernel tells it: TLS alone, or on the list below with its reason.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "orchestrator/base/unique_fd.h"
#include "tests/e2e/processes.h"
#include "tests/e2e/scene.h"
#include "tools/stack/free_port.h"

namespace baton {
namespace {

using ::testing::IsEmpty;

constexpr int kListens = 0x0A;  // TCP_LISTEN
// Who does not begin TLS is cut off after 5 s.
constexpr std::chrono::seconds kPortsPatience{8};

struct Listener {
  std::string command;
  std::string host;
  std::uint16_t port = 0;

  std::string address() const { return (host.find(':') == host.npos ? host : "[" + host + "]") + ":" + std::to_string(port); }
  bool OnLoopback() const { return host.starts_with("127.") || host == "::1"; }
};

// "0100007F", or four such words: the kernel prints them as numbers of the machine.
std::string HostIn(const std::string& hex) {
  std::array<std::uint32_t, 4> words{};
  const std::size_t count = hex.size() / 8;
  for (std::size_t i = 0; i < count; ++i) std::from_chars(hex.data() + 8 * i, hex.data() + 8 * i + 8, words[i], 16);
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(count == 1 ? AF_INET : AF_INET6, words.data(), text.data(), text.size());
  const std::string host = text.data();
  const std::string mapped = "::ffff:";  // IPv4 on a socket of IPv6, as gRPC listens
  return host.starts_with(mapped) ? host.substr(mapped.size()) : host;
}

// What listens, by the inode of its socket.
std::map<std::string, Listener> SocketsIn(const std::string& table) {
  std::map<std::string, Listener> found;
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    words >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >> timeout >> inode;
    if (std::stoi(state, nullptr, 16) != kListens) continue;
    const std::size_t colon = local.find(':');
    found[inode] = {.command = {}, .host = HostIn(local.substr(0, colon)),
                    .port = static_cast<std::uint16_t>(std::stoi(local.substr(colon + 1), nullptr, 16))};
  }
  return found;
}

std::vector<Listener> ListenersOf(const std::string& dir) {
  std::vector<Listener> all;
  for (const auto& [pid, command] : ProcessesIn(dir)) {
    const std::string proc = "/proc/" + std::to_string(pid);
    auto sockets = SocketsIn(proc + "/net/tcp");
    sockets.merge(SocketsIn(proc + "/net/tcp6"));
    std::error_code gone;
    for (const auto& fd : std::filesystem::directory_iterator(proc + "/fd", gone)) {
      const std::string to = std::filesystem::read_symlink(fd.path(), gone);
      if (!to.starts_with("socket:[")) continue;
      const auto socket = sockets.find(to.substr(8, to.size() - 9));
      if (socket == sockets.end()) continue;
      all.push_back(socket->second);
      all.back().command = command;
    }
  }
  return all;
}

// What is answered to the beginning of HTTP/2 without TLS.
std::string AnswerToPlainHttp2(const Listener& listener) {
  sockaddr_in to{.sin_family = AF_INET, .sin_port = htons(listener.port), .sin_addr = {}, .sin_zero = {}};
  inet_pton(AF_INET, listener.host == "0.0.0.0" ? "127.0.0.1" : listener.host.c_str(), &to.sin_addr);
  const UniqueFd connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return "";
  const std::string preface("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33);
  EXPECT_EQ(write(connection.get(), preface.data(), preface.size()), static_cast<ssize_t>(preface.size()));
  std::string answer;
  const auto until = std::chrono::steady_clock::now() + kPortsPatience;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd wait{.fd = connection.get(), .events = POLLIN, .revents = 0};
    if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) <= 0) return answer;
    std::array<char, 512> piece{};
    const ssize_t got = read(connection.get(), piece.data(), piece.size());
    if (got <= 0) return answer;
    answer.append(piece.data(), static_cast<std::size_t>(got));
    if (answer.size() > 8) return answer;
  }
}

// Nothing, or a TLS alert: type 21, and then 3 for SSL 3 and all of TLS.
bool IsTlsOnly(const Listener& listener) {
  const std::string answer = AnswerToPlainHttp2(listener);
  return answer.empty() || answer.starts_with(std::string("\x15\x03", 2));
}

const std::string kMetricsOfRouter = "127.0.0.1:" + std::to_string(stack::FreePort());

stack::StackOptions OverTlsWithMetrics() {
  stack::StackOptions options;
  options.tls = true;
  options.router_arguments = {"--metrics", kMetricsOfRouter};
  return options;
}

class PortsOfAStack : public Scene {
 protected:
  PortsOfAStack() : Scene(OverTlsWithMetrics()) {}

  // Why it need not be TLS; empty: it has to be.
  std::string ReasonFor(const Listener& one) const {
    if (one.address() == stack_->http_address() && one.command.find("haproxy") != std::string::npos) {
      return "the front of HAProxy: the requests of users";
    }
    const bool metrics = one.address() == stack_->metrics_address() || one.address() == kMetricsOfRouter;
    if (metrics && one.OnLoopback()) return "metrics, on loopback";
    if (one.command.find("/hello") != std::string::npos && one.OnLoopback()) return "an app's own port, which HAProxy asks";
    return "";
  }
};

TEST_F(PortsOfAStack, AreTlsOrHaveAReason) {
  Begin();
  const std::vector<Listener> all = ListenersOf(dir_.path());
  std::map<std::string, int> reasons;
  std::vector<std::string> plain;
  bool api = false;
  for (const Listener& one : all) {
    const std::string reason = ReasonFor(one);
    ++reasons[reason];
    if (!reason.empty()) continue;
    api = api || one.address() == stack_->api_address();
    if (!IsTlsOnly(one)) plain.push_back(one.address() + " of " + one.command);
  }
  EXPECT_THAT(plain, IsEmpty());
  EXPECT_TRUE(api) << "the API was not among what listens";
  EXPECT_TRUE(stack_->api().Available());
  EXPECT_EQ(reasons["metrics, on loopback"], 2);
  EXPECT_EQ(reasons["an app's own port, which HAProxy asks"], app_.instances);
  EXPECT_GE(reasons["the front of HAProxy: the requests of users"], 1);
  EXPECT_EQ(reasons[""], 1) << "the API alone: cells, shims and PostgreSQL listen nowhere";
}

// The same question finds what is plain.
TEST(PortsWithoutTls, AreFoundToBe) {
  const ReadyDir dir;
  stack::Stack stack({.dir = dir.path(), .cells = 0});
  stack.StartBatond();
  std::vector<std::string> plain;
  for (const Listener& one : ListenersOf(dir.path())) {
    if (one.address() == stack.api_address() && !IsTlsOnly(one)) plain.push_back(one.address());
  }
  EXPECT_EQ(plain, std::vector<std::string>{stack.api_address()});
  stack.Stop();
}

}  // namespace
}  // namespace baton
