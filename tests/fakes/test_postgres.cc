#include "tests/fakes/test_postgres.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <pqxx/pqxx>

#include "orchestrator/base/check.h"
#include "sql/session/session.h"
#include "tests/fakes/test_cluster.h"
#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton {
namespace {

constexpr char kDatabase[] = "dbname=";

std::string NameIn(const std::string& url) { return url.substr(url.find(kDatabase) + sizeof kDatabase - 1); }

std::string At(std::string url, const std::string& database) {
  return url.replace(url.find(kDatabase), std::string::npos, kDatabase + database);
}

void MustBe(const Status& status) {
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  CHECK(status.ok());
}

}  // namespace

struct TestPostgres::Death {
  std::atomic<int> statements = 0;  // several threads have sessions
  std::atomic<bool> met = false;
};

TestPostgres::TestPostgres() : dir_(MakeClusterDir("baton-test")) {
  CopyClusterTo(dir_ + "/pg", Cluster::kMigrated);
  auto started = EmbeddedPostgres::Start({.dir = dir_ + "/pg", .durable = false});
  if (!started) std::fprintf(stderr, "%s\n", started.error().message.c_str());
  postgres_ = *std::move(started);
}

TestPostgres::~TestPostgres() {
  StopDying();
  (void)postgres_->StopImmediately();
  std::filesystem::remove_all(dir_);
}

std::string TestPostgres::NewDatabase(const std::string& like) {
  const std::string name = "test_" + std::to_string(++databases_);
  pqxx::connection connection(postgres_->url());
  pqxx::nontransaction(connection).exec("CREATE DATABASE " + name +
                                        (like.empty() ? "" : " TEMPLATE " + NameIn(like)));
  return At(postgres_->url(), name);
}

std::string TestPostgres::migrated() const { return At(postgres_->url(), kMigratedDatabase); }

void TestPostgres::DieBefore(int n) {
  death_ = std::make_shared<Death>();
  Session::SetHook([this, n, death = death_](std::string_view) {
    if (++death->statements != n) return;
    MustBe(postgres_->StopImmediately());
    MustBe(postgres_->StartAgain());
    death->met = true;
  });
}

bool TestPostgres::StopDying() {
  if (!death_) return false;
  Session::SetHook({});
  return std::exchange(death_, nullptr)->met;
}

}  // namespace baton
