// A PostgreSQL for one test alone, that it may fill, stop and starve.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/base/check.h"
#include "schema/migrator/migrator.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/fakes/test_cluster.h"
#include "tools/embedded_postgres/embedded_postgres.h"

namespace baton {

class OwnPostgres {
 public:
  // Its data is in `dir`, which is the caller's; empty: in a directory of its own. Migrated.
  explicit OwnPostgres(std::vector<std::string> settings = {}, std::string dir = {}) : dir_(std::move(dir)) {
    if (dir_.empty()) {
      dir_ = own_dir_ = MakeClusterDir("baton-away");
    }
    CopyClusterTo(dir_);
    auto started = EmbeddedPostgres::Start({.dir = dir_, .durable = false, .settings = std::move(settings)});
    CHECK(started.ok());
    postgres = *std::move(started);
    CHECK(Migrate(*OpenSession(postgres->url())).ok());
  }
  ~OwnPostgres() {
    (void)postgres->StopImmediately();
    if (!own_dir_.empty()) std::filesystem::remove_all(own_dir_);
  }
  std::string log() const { return dir_ + "/postgres.log"; }
  std::unique_ptr<EmbeddedPostgres> postgres;

 private:
  std::string dir_;
  std::string own_dir_;
};

}  // namespace baton
