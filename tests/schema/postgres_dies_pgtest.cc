// PostgreSQL dies before a statement of a migration, and comes back.
#include <filesystem>

#include "tests/schema/from_2_0.h"
#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton::testing {
namespace {

// Without fsync: what a process that is killed has written is in the kernel's hands, and stays.
class PostgresDies : public From20 {
 protected:
  void SetUp() override {
    char name[] = "/tmp/baton-dies-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    dir_ = name;
    std::filesystem::permissions(dir_, std::filesystem::perms(0755));
    auto postgres = EmbeddedPostgres::Start({.dir = dir_ + "/pg", .durable = false});
    ASSERT_TRUE(postgres.ok()) << postgres.error().message;
    postgres_ = *std::move(postgres);
  }
  void TearDown() override {
    From20::TearDown();
    EXPECT_TRUE(postgres_->Stop().ok());
    std::filesystem::remove_all(dir_);
  }
  std::string NewStore() {
    const std::string name = "store_" + std::to_string(++stores_);
    Psql(postgres_->url(), "CREATE DATABASE " + name);
    std::string url = postgres_->url();
    url.replace(url.find("dbname=baton"), 12, "dbname=" + name);
    MakeStore20(url, kApps);
    return url;
  }

  std::string dir_;
  std::unique_ptr<EmbeddedPostgres> postgres_;
  int stores_ = 0;
};

// BATON_EACH_STATEMENT: before each; without it before some, which differ from run to run by nothing but this number.
TEST_F(PostgresDies, AndTheMigrationGoesOnToTheSame) {
  const int step = std::getenv("BATON_EACH_STATEMENT") ? 1 : 13;
  const std::string expected = Uninterrupted();
  int died = 0;
  bool met = true;
  for (int n = 1; met; n += step) {
    const std::string url = NewStore();
    met = false;
    Session::SetHook([&, at = 0](std::string_view) mutable {
      if (++at != n) return;
      met = true;
      ++died;
      EXPECT_TRUE(postgres_->StopImmediately().ok());
      EXPECT_TRUE(postgres_->StartAgain().ok());
    });
    const Status first = Migrate(*OpenSession(url));
    Session::SetHook({});
    EXPECT_TRUE(!met || !first.ok() || Content(url) == expected) << "before statement " << n;
    const Status again = Migrate(*OpenSession(url));
    ASSERT_TRUE(again.ok()) << n << ": " << again.error().message;
    ASSERT_EQ(Content(url), expected) << "PostgreSQL died before statement " << n;
  }
  EXPECT_GT(died, 4);
  std::cout << "PostgreSQL died before " << died << " statements of a migration\n";
}

}  // namespace
}  // namespace baton::testing
