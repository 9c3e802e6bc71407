// batond as a service of systemd's: ready once it listens, its state as the status, the watchdog petted while it leads
// and while its database is away.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <functional>

#include "tests/e2e/ready_dir.h"
#include "tests/tools/batond/notify_socket.h"
#include "tools/stack/stack.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kSilence{10};  // a third of WatchdogSec=

// Words up to one that fits; the last one does not where nothing came for too long.
std::vector<std::string> Until(NotifySocket& socket, const std::function<bool(const std::string&)>& fits) {
  std::vector<std::string> words;
  do {
    words.push_back(socket.Next(kSilence));
  } while (!words.back().empty() && !fits(words.back()));
  return words;
}

TEST(ServiceOfSystemd, IsReadyWhenItListensAndPetsTheWatchdogUntilItStops) {
  const ReadyDir dir;
  NotifySocket socket(dir.path() + "/notify");
  stack::Stack stack(
      {.dir = dir.path(), .cells = 0, .batonds = 2, .batond_environment = {"NOTIFY_SOCKET=" + socket.path()}});
  stack.StartBatonds();
  const auto begun =
      Until(socket, [ready = 0](const std::string& word) mutable { return word == "READY=1" && ++ready == 2; });
  EXPECT_EQ(begun.back(), "READY=1") << "the second batond stands by, and is ready, too";
  EXPECT_EQ(Until(socket, [](const std::string& word) { return word == "WATCHDOG=1"; }).back(), "WATCHDOG=1");
  // Nobody leads, and both still go round. Words of before are read first.
  stack.SignalPostgres(SIGSTOP);
  EXPECT_TRUE(Until(socket, [](const std::string& word) { return word.starts_with("STATUS=ELECTING"); })
                  .back()
                  .starts_with("STATUS=ELECTING"));
  for (int turn = 0; turn < 4; ++turn) {
    EXPECT_EQ(Until(socket, [](const std::string& word) { return word == "WATCHDOG=1"; }).back(), "WATCHDOG=1");
  }
  stack.SignalPostgres(SIGCONT);
  EXPECT_EQ(Until(socket, [](const std::string& word) { return word == "STATUS=LEADING"; }).back(), "STATUS=LEADING");
  stack.Stop();
  EXPECT_EQ(Until(socket, [](const std::string& word) { return word == "STOPPING=1"; }).back(), "STOPPING=1");
}

}  // namespace
}  // namespace baton
