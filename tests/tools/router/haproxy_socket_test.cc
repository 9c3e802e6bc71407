// The socket against one that answers as told.
#include "tools/router/haproxy/haproxy_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

#include "orchestrator/base/unique_fd.h"
#include "tests/tools/shim/scratch_dir.h"

namespace baton::router {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Listens as HAProxy does: one line a connection, then what is to be said to it, then the end.
class FakeHaproxy {
 public:
  using Answer = std::function<std::string(const std::string& line)>;

  // Without `answer` it takes no connection.
  explicit FakeHaproxy(Answer answer) : answer_(std::move(answer)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_.get(), 0), 0);
    if (answer_) thread_ = std::thread([this] { Serve(); });
  }
  ~FakeHaproxy() {
    shutdown(listener_.get(), SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
  }

  std::string path() const { return dir_ / "socket"; }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  void Serve() {
    for (;;) {
      const UniqueFd caller(accept(listener_.get(), nullptr, nullptr));
      if (!caller.valid()) return;
      std::string line;
      char chunk[4096];
      ssize_t count = 0;
      while ((count = read(caller.get(), chunk, sizeof chunk)) > 0) line.append(chunk, static_cast<std::size_t>(count));
      {
        const std::lock_guard lock(mutex_);
        lines_.push_back(line);
      }
      const std::string answer = answer_(line);
      EXPECT_EQ(send(caller.get(), answer.data(), answer.size(), MSG_NOSIGNAL), static_cast<ssize_t>(answer.size()));
    }
  }

  const testing::ScratchDir dir_;
  const UniqueFd listener_{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const Answer answer_;
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::thread thread_;
};

TEST(HaproxySocket, EachCommandGetsItsAnswer) {
  FakeHaproxy haproxy([](const std::string&) { return "one\nmore\n\n\n"; });
  const auto answers = HaproxySocket(haproxy.path()).Run({"show this", "set that"});
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_THAT(*answers, ElementsAre("one\nmore", ""));
  EXPECT_THAT(haproxy.lines(), ElementsAre("show this;set that\n"));
}

TEST(HaproxySocket, LongAnswersComeWholeAndManyCommandsInSeveralLines) {
  const std::string long_answer(300'000, 'x');
  FakeHaproxy haproxy([&](const std::string&) { return long_answer + "\n\n"; });
  const std::string long_command(10'000, 'c');
  const auto answers = HaproxySocket(haproxy.path(), 42).Run({long_command, long_command});
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_THAT(*answers, ElementsAre(long_answer, long_answer));
  EXPECT_THAT(haproxy.lines(), ElementsAre("@!42;" + long_command + "\n", "@!42;" + long_command + "\n"));
}

TEST(HaproxySocket, AWorkerThatIsGoneIsSaidToBe) {
  FakeHaproxy haproxy([](const std::string&) { return "Can't find the target PID matching the prefix '@!42'\n"; });
  const auto answers = HaproxySocket(haproxy.path(), 42).Run({"show this"});
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().kind, ErrorKind::kNotFound);
}

std::string WhyUnavailable(const std::string& path) {
  const auto answers = HaproxySocket(path).Run({"show this"});
  if (answers.ok()) return "it is available";
  EXPECT_EQ(answers.error().kind, ErrorKind::kUnavailable);
  EXPECT_THAT(answers.error().message, HasSubstr(path + ": "));
  return answers.error().message;
}

TEST(HaproxySocket, WhereNobodyListensIsSaid) {
  const testing::ScratchDir dir;
  EXPECT_THAT(WhyUnavailable(dir / "none"), HasSubstr("No such file or directory"));
  EXPECT_THAT(WhyUnavailable(dir.path()), HasSubstr("Connection refused"));
  EXPECT_THAT(WhyUnavailable(dir / std::string(200, 'x')), HasSubstr("File name too long"));
}

TEST(HaproxySocket, AnAnswerCutShortIsNone) {
  FakeHaproxy haproxy([](const std::string&) { return "one\n\n"; });
  const auto answers = HaproxySocket(haproxy.path()).Run({"show this", "set that"});
  ASSERT_FALSE(answers.ok());
  EXPECT_THAT(answers.error().message, HasSubstr("answered 1 of 2 commands"));
}

// One that hangs holds up the router's loop, but not for longer than the deadline.
TEST(HaproxySocket, OneThatDoesNotAnswerIsWaitedForUntilTheDeadline) {
  FakeHaproxy haproxy(nullptr);
  EXPECT_THAT(WhyUnavailable(haproxy.path()), HasSubstr("gave no whole answer within the deadline"));
}

TEST(HaproxySocket, OneWhoseBacklogIsFullIsNotWaitedFor) {
  FakeHaproxy haproxy(nullptr);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, haproxy.path().c_str(), sizeof address.sun_path - 1);
  const UniqueFd first(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(connect(first.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const auto began = std::chrono::steady_clock::now();
  WhyUnavailable(haproxy.path());
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(2));
}

}  // namespace
}  // namespace baton::router
