// What systemd is told, by a socket as its own.
#include "tools/batond/service_manager.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/tools/batond/notify_socket.h"

namespace baton::batond {
namespace {

constexpr std::chrono::milliseconds kNotLong{50};
constexpr std::chrono::seconds kLong{10};

class ToldServiceManager : public ::testing::Test {
 protected:
  ToldServiceManager() : socket_(::testing::TempDir() + "baton-notify-" + std::to_string(getpid())) {
    setenv("NOTIFY_SOCKET", socket_.path().c_str(), 1);
  }
  ~ToldServiceManager() override { unsetenv("NOTIFY_SOCKET"); }

  NotifySocket socket_;
  ServiceManager manager_;
};

TEST_F(ToldServiceManager, HearsEachWord) {
  manager_.Say("STANDBY");
  manager_.Ready();
  manager_.PetWatchdog();
  manager_.Stopping();
  EXPECT_EQ(socket_.Next(kLong), "STATUS=STANDBY");
  EXPECT_EQ(socket_.Next(kLong), "READY=1");
  EXPECT_EQ(socket_.Next(kLong), "WATCHDOG=1");
  EXPECT_EQ(socket_.Next(kLong), "STOPPING=1");
}

TEST_F(ToldServiceManager, HearsAStatusOnceAndAsOneLine) {
  manager_.Say("LEADING");
  manager_.Say("LEADING");
  manager_.Say("ELECTING: away\nREADY=1");
  EXPECT_EQ(socket_.Next(kLong), "STATUS=LEADING");
  EXPECT_EQ(socket_.Next(kLong), "STATUS=ELECTING: away READY=1") << "a line of its own would be another word";
  EXPECT_EQ(socket_.Next(kNotLong), "");
}

TEST(ServiceManager, WithoutOneNobodyIsToldAndNothingGoesWrong) {
  unsetenv("NOTIFY_SOCKET");
  ServiceManager manager;
  manager.Say("LEADING");
  manager.Ready();
}

}  // namespace
}  // namespace baton::batond
