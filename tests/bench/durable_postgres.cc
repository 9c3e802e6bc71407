#include "tests/bench/durable_postgres.h"

#include <libpq-fe.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include "orchestrator/base/check.h"
#include "schema/migrator/migrator.h"
#include "tests/fakes/pg_fixture.h"
#include "tools/stack/leftovers.h"

namespace baton::bench {

namespace {

std::vector<std::string>& Settings() {
  static std::vector<std::string> settings;
  return settings;
}

std::string& Server() {
  static std::string url;
  return url;
}

// What takes no transaction, as CREATE DATABASE and VACUUM. CHECKs that it was done.
void Command(const std::string& url, const std::string& command) {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(url.c_str()), &PQfinish);
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), command.c_str()), &PQclear);
  const bool done = PQresultStatus(result.get()) == PGRES_COMMAND_OK;
  if (!done) std::fprintf(stderr, "%s: %s\n", command.c_str(), PQerrorMessage(connection.get()));
  CHECK(done);
}

// `url` with another database's name.
std::string WithDatabase(const std::string& url, const std::string& name) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(PQconninfoParse(url.c_str(), nullptr),
                                                                             &PQconninfoFree);
  CHECK(options != nullptr);
  std::string words = "dbname=" + name;
  for (const PQconninfoOption* option = options.get(); option->keyword; ++option) {
    if (!option->val || std::string_view(option->keyword) == "dbname") continue;
    words += std::string(" ") + option->keyword + "='";
    for (const char* at = option->val; *at; ++at)
      words += (*at == '\'' || *at == '\\') ? std::string("\\") + *at : std::string(1, *at);
    words += "'";
  }
  return words;
}

constexpr char kParent[] = "/var/tmp";
constexpr char kName[] = "baton-bench-";  // then the process's id, and something that is its own

// Of runs that were killed, or failed: their PostgreSQL goes on.
void EndLeftovers() {
  for (const auto& entry : std::filesystem::directory_iterator(kParent)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kName)) continue;
    const pid_t pid = std::atoi(name.c_str() + std::strlen(kName));
    if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) {
      stack::KillPostgresProcesses(entry.path());
      std::filesystem::remove_all(entry.path());
    }
  }
}

}  // namespace

void DurablePostgres::SetSettings(std::vector<std::string> settings) { Settings() = std::move(settings); }

void DurablePostgres::SetServer(std::string url) { Server() = std::move(url); }

DurablePostgres::DurablePostgres(std::vector<std::string> settings) {
  if (!Server().empty()) {
    static int made = 0;
    const std::string name = "baton_bench_" + std::to_string(getpid()) + "_" + std::to_string(++made);
    Command(Server(), "CREATE DATABASE " + name);
    url_ = WithDatabase(Server(), name);
    CHECK(Migrate(*OpenSession(url_)).ok());
    return;
  }
  settings.insert(settings.end(), Settings().begin(), Settings().end());
  EndLeftovers();
  std::string path = std::string(kParent) + "/" + kName + std::to_string(getpid()) + "-XXXXXX";
  CHECK(mkdtemp(path.data()) != nullptr);
  dir_ = path;
  auto started = EmbeddedPostgres::Start({.dir = dir_, .settings = std::move(settings)});
  CHECK(started.ok());
  postgres_ = *std::move(started);
  url_ = postgres_->url();
  CHECK(Migrate(*OpenSession(url_)).ok());
}

DurablePostgres::~DurablePostgres() {
  if (!postgres_) {
    Command(Server(), "DROP DATABASE " + FirstField("SELECT current_database()") + " WITH (FORCE)");
    return;
  }
  (void)postgres_->Stop();
  std::filesystem::remove_all(dir_);
}

std::optional<pid_t> DurablePostgres::pid() const {
  const std::string there =
      FirstField("SELECT coalesce(inet_server_addr() <<= '127.0.0.0/8' OR inet_server_addr() = '::1', true)::int");
  if (there != "1") return std::nullopt;
  return std::atoi(FirstField("SELECT pg_read_file('postmaster.pid')").c_str());
}

std::string DurablePostgres::Setting(const std::string& name) const { return FirstField("SHOW " + name); }

void DurablePostgres::Vacuum() { VacuumAll(url_); }

void VacuumAll(const std::string& url) { Command(url, "VACUUM ANALYZE"); }

std::string DurablePostgres::FirstField(const std::string& query) const {
  std::string field;
  const SessionError error = OpenSession(url_)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    field = s.RunScript(query)[0].Text();
    return true;
  });
  if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
  CHECK(error.ok());
  return field;
}

void DurablePostgres::Sql(const std::string& script) { RunSql(url(), script); }

void RunSql(const std::string& url, const std::string& script) {
  const auto session = OpenSession(url);
  const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
    s.RunScript("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0");
    s.RunScript(script);
    return true;
  });
  if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
  CHECK(error.ok());
}

}  // namespace baton::bench
