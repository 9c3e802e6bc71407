#include "tools/definitions/database.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <vector>

#include "orchestrator/base/errors.h"
#include "sql/session/database_url.h"

namespace baton::definitions {
namespace {

Error Unreachable(std::string message) { return Error{ErrorKind::kUnavailable, std::move(message), {}}; }

// All that may be a password in `url`, in pieces: with an '@' in it that is not escaped, libpq takes a part of it for
// the host.
std::vector<std::string> Passwords(const std::string& url) {
  std::vector<std::string> found;
  static const std::regex kUri("://[^:/@]*:(.*)@");
  static const std::regex kKeyword("password\\s*=\\s*('(?:[^'\\\\]|\\\\.)*'|[^\\s&]+)");
  std::smatch match;
  if (std::regex_search(url, match, kUri)) found.push_back(match[1]);
  for (std::sregex_iterator at(url.begin(), url.end(), kKeyword), end; at != end; ++at) found.push_back((*at)[1]);
  if (const char* from_environment = std::getenv("PGPASSWORD")) found.emplace_back(from_environment);
  std::vector<std::string> pieces;
  for (const std::string& password : found) {
    static const std::regex kSeparators("[@'/]+");
    for (std::sregex_token_iterator at(password.begin(), password.end(), kSeparators, -1), end; at != end; ++at) {
      if (at->length() > 0) pieces.push_back(*at);
    }
  }
  std::ranges::sort(pieces, std::ranges::greater(), &std::string::size);
  return pieces;
}

// What libpq says of a connection, as against what it says of a text that it could not take apart, and then quotes.
bool IsOfAConnection(std::string_view said) {
  return said.starts_with("connection to server") || said.starts_with("could not translate host name") ||
         said.starts_with("FATAL") || said.starts_with("server closed the connection");
}

Status CheckCluster(const std::string& dir) {
  std::error_code error;
  if (std::filesystem::exists(dir + "/data/PG_VERSION", error)) return Done{};
  return Unreachable("there is no embedded PostgreSQL in " + dir + (error ? ": " + error.message() : ""));
}

// As who only reads; as the superuser in data of a batond that made no roles.
std::string ReaderOf(const EmbeddedPostgres& postgres) {
  const std::string reader = postgres.UrlOf("baton_reader");
  const auto session = Session::Open(reader);
  const bool none = !session && session.error().message.find("role \"baton_reader\" does not exist") != std::string::npos;
  return none ? postgres.url() : reader;
}

}  // namespace

std::string Database::Trouble(std::string_view said, const std::string& url, const std::string& option) {
  const std::string prefix = DatabaseAway("").message;
  if (said.starts_with(prefix)) said.remove_prefix(prefix.size());
  if (!IsOfAConnection(said)) {
    return "the database cannot be reached: " + option +
           " is not what libpq takes (postgresql://USER@HOST:PORT/NAME, or "
           "host=HOST dbname=NAME; special characters in a password must be escaped as %XX)";
  }
  std::string text(said.substr(0, said.find_last_not_of(" \n") + 1));
  std::ranges::replace(text, '\n', ' ');
  for (const std::string& password : Passwords(url)) {
    for (std::size_t at = 0; (at = text.find(password, at)) != std::string::npos; at += 3) {
      text.replace(at, password.size(), "***");
    }
  }
  return "the database cannot be reached: " + text;
}

Result<std::unique_ptr<Database>> Database::Open(const DefinitionsOptions& options) {
  std::unique_ptr<Database> database(new Database());
  if (!options.keys.empty()) {
    auto ring = KeyRing::Load(options.keys);
    if (!ring) return ring.error();
    database->cipher_.Use(*std::move(ring), /*granted=*/0);  // nothing is sealed here
  }
  std::string url = options.database;
  if (!options.embedded.empty()) {
    if (Status there = CheckCluster(options.embedded); !there) return there.error();
    auto postgres = EmbeddedPostgres::Start({.dir = options.embedded});
    if (!postgres) return Unreachable(postgres.error().message);
    url = ReaderOf(**postgres);
    if (!(*postgres)->taken_up()) database->started_ = *std::move(postgres);
  }
  if (options.embedded.empty()) {
    auto checked = CheckedDatabase(url, options.database_insecure);
    if (!checked) return checked.error();
    url = *std::move(checked);
  }
  auto session = Session::Open(url, database->cipher_);
  if (!session) return Unreachable(Trouble(session.error().message, url));
  database->session_ = *std::move(session);
  return database;
}

bool Database::SomebodyElseIsThere() {
  bool others = false;
  const SessionError error = session_->Transact(Session::Isolation::kSnapshotReadOnly, [&](Session& s) {
    others = s.Run("CountOtherSessions")[0].Int() > 0;
    return true;
  });
  return error.ok() && others;
}

Database::~Database() {
  if (!started_) return;
  if (session_ && SomebodyElseIsThere()) return;
  session_.reset();
  (void)started_->Stop();  // what it says is in its own log; the reading is done
}

}  // namespace baton::definitions
