// batond behind PgBouncer: where sessions are its own it works, where they are mixed it says so and does not start.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/embedded_postgres/embedded_postgres.h"
#include "tools/stack/api.h"
#include "tools/stack/free_port.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/state_dir.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::chrono::seconds kPatience{30};

class Pooler : public testing::Test {
 protected:
  void SetUp() override {
    auto postgres = EmbeddedPostgres::Start({.dir = dir_.path() + "/pg"});
    ASSERT_TRUE(postgres.ok()) << postgres.error().message;
    postgres_ = *std::move(postgres);
  }
  void TearDown() override {
    batond_.reset();
    bouncer_.reset();
    EXPECT_TRUE(postgres_->Stop().ok());
  }

  // PgBouncer does not run as root, and has to reach PostgreSQL's socket: it runs as whoever owns that.
  void StartBouncer(const std::string& mode) {
    const std::string url = postgres_->url();
    const std::string socket_dir = url.substr(5, url.find(' ') - 5);  // "host=DIR user=..."
    port_ = FreePort();
    const std::string ini = socket_dir + "/pgbouncer.ini";
    std::ofstream(ini) << "[databases]\nbaton = host=" << socket_dir << " user=baton dbname=baton\n"
                       << "[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " << port_ << "\nauth_type = any\n"
                       << "pool_mode = " << mode << "\nunix_socket_dir =\nignore_startup_parameters = extra_float_digits\n"
                       << "default_pool_size = 40\n";
    std::filesystem::permissions(ini, std::filesystem::perms(0644));
    std::vector<std::string> command{"/usr/sbin/pgbouncer", "-q", ini};
    if (getuid() == 0) {
      struct stat owner {};
      ASSERT_EQ(stat(socket_dir.c_str(), &owner), 0);
      command.insert(command.begin() + 1, {"-u", getpwuid(owner.st_uid)->pw_name});
    }
    bouncer_ = std::make_unique<Program>(Program::Start{"pgbouncer", command, dir_.path() + "/pgbouncer.log"});
  }
  void StartBatond() {
    api_port_ = FreePort();
    batond_ = std::make_unique<Program>(Program::Start{
        "batond",
        {OwnDirectory() + "/batond", "--database",
         "host=127.0.0.1 port=" + std::to_string(port_) + " user=baton dbname=baton", "--listen",
         "127.0.0.1:" + std::to_string(api_port_), "--metrics", ""},
        log()});
  }
  std::string log() const { return dir_.path() + "/batond.log"; }

  StateDir dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
  std::unique_ptr<Program> bouncer_;
  std::unique_ptr<Program> batond_;
  int port_ = 0;
  int api_port_ = 0;
};

TEST_F(Pooler, InSessionModeItWorks) {
  StartBouncer("session");
  StartBatond();
  Api api({"127.0.0.1:" + std::to_string(api_port_)}, {});
  EXPECT_TRUE(WaitFor(kPatience, {}, [&] { return api.Available(); })) << LastLines(log(), 20);
}

TEST_F(Pooler, InTransactionModeItIsRefusedWithWhatToDo) {
  StartBouncer("transaction");
  StartBatond();
  ASSERT_TRUE(batond_->WaitForEnd(kPatience)) << LastLines(log(), 20);
  EXPECT_EQ(batond_->exit_status(), 1);
  EXPECT_THAT(LastLines(log(), 3), AllOf(HasSubstr("mixes sessions"), HasSubstr("pool_mode = session")));
}

}  // namespace
}  // namespace baton
