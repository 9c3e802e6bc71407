#include "sql/session/session.h"

#include <libpq-fe.h>

#include <algorithm>
#include <iterator>
#include <pqxx/pqxx>
#include <set>
#include <utility>

#include "orchestrator/base/check.h"
#include "orchestrator/base/errors.h"
#include "sql/session/database_url.h"
#include "sql/session/pipe.h"
#include "sql/session/statements.h"

namespace baton {
namespace {

// The server takes no writes: it is a replica, or is not to be the primary any more.
constexpr char kReadOnly[] = "25006";

Fault FaultOf(const std::string& sqlstate) {
  if (sqlstate == "22012") return Fault::kTryAgain;  // a guard's: see UpdateActuals in app_write.sql
  if (sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "55P03" || sqlstate == "57014") return Fault::kTryAgain;
  // Server going down, or our session was ended (idle in transaction).
  if (sqlstate.starts_with("57P") || sqlstate.starts_with("08") || sqlstate == "25P03") return Fault::kBroken;
  if (sqlstate == kReadOnly) return Fault::kBroken;  // to be left: another one is the primary
  if (sqlstate.starts_with("53")) return Fault::kExhausted;
  if (sqlstate.starts_with("23") || sqlstate.starts_with("22")) return Fault::kConstraint;
  return Fault::kOther;
}

// libpqxx 6 does not hand the constraint's name out; the message names it in quotes.
std::string ConstraintIn(const std::string& message) {
  const std::size_t word = message.find("constraint \"");
  if (word == std::string::npos) return {};
  const std::size_t begin = word + 12;
  return message.substr(begin, message.find('"', begin) - begin);
}

// What carries no SQLSTATE is not the server's: it is libpq's or libpqxx's own about a connection that is gone, in words
// that often do not say so ("Could not obtain client encoding: not connected").
constexpr char kEnded[] = "the connection ended: ";

// Runs `body` and turns what libpqxx throws into an error, which has its SQLSTATE or says that the connection ended. The
// order matters: in_doubt_error is no sql_error, but broken_connection and sql_error are both pqxx::failure.
template <class Body>
SessionError Guarded(Body&& body, const std::string& ended = kEnded) {
  try {
    body();
    return {};
  } catch (const pqxx::in_doubt_error& error) {
    return {Fault::kInDoubt, "", "", ended + error.what()};
  } catch (const pqxx::broken_connection& error) {
    return {Fault::kBroken, "", "", ended + error.what()};
  } catch (const pqxx::insufficient_privilege& error) {  // libpqxx 6 leaves its SQLSTATE out
    return {Fault::kOther, kNoPrivilege, "", error.what()};
  } catch (const pqxx::sql_error& error) {
    // Of libpq, not of the server: it died, or the way to it is gone. The connection may call itself open all the same,
    // as long as the dying server's last words wait to be read.
    if (error.sqlstate().empty()) return {Fault::kBroken, "", "", ended + error.what()};
    return {FaultOf(error.sqlstate()), error.sqlstate(), ConstraintIn(error.what()), error.what()};
  } catch (const pqxx::deadlock_detected& error) {  // these three are no sql_error and carry no sqlstate
    return {FaultOf("40P01"), "40P01", "", error.what()};
  } catch (const pqxx::serialization_failure& error) {
    return {FaultOf("40001"), "40001", "", error.what()};
  } catch (const pqxx::statement_completion_unknown& error) {
    return {Fault::kInDoubt, "40003", "", error.what()};
  } catch (const pqxx::failure& error) {
    return {Fault::kBroken, "", "", ended + error.what()};
  } catch (const ConnectionEnded& gone) {
    return {Fault::kBroken, "", "", ended + gone.detail};
  } catch (const StatementRefused& refused) {
    return {FaultOf(refused.sqlstate), refused.sqlstate, refused.constraint, refused.detail};
  } catch (const StatementFault& fault) {
    return {FaultOf(fault.sqlstate), fault.sqlstate, "", fault.detail};
  }
}

Rows RowsOf(pqxx::result result) {
  const std::size_t columns = result.columns();
  std::vector<std::string_view> cells;
  cells.reserve(result.size() * columns);
  for (const pqxx::row& row : result) {
    for (const pqxx::field& field : row) {
      cells.push_back(field.is_null() ? std::string_view() : std::string_view(field.c_str(), field.size()));
    }
  }
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < columns; ++at) names.emplace_back(result.column_name(static_cast<pqxx::row::size_type>(at)));
  return {std::make_shared<pqxx::result>(std::move(result)), std::move(cells), ColumnNames(std::move(names))};
}

const char* BeginOf(Session::Isolation isolation) {
  switch (isolation) {
    case Session::Isolation::kReadCommitted: return "BEGIN ISOLATION LEVEL READ COMMITTED";
    case Session::Isolation::kSnapshotReadOnly: return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    case Session::Isolation::kEachAlone: return nullptr;
  }
  return nullptr;
}

Session::Hook& TheHook() {
  static Session::Hook hook;
  return hook;
}

void Announce(std::string_view statement) {
  if (TheHook()) TheHook()(statement);
}

// As pqxx::connection, which keeps libpq's own to itself: what the server says of itself unasked is read there.
class Connection : public pqxx::connection_base {
 public:
  explicit Connection(const std::string& url) : connection_base(policy_), policy_(url) { init(); }
  ~Connection() noexcept { close(); }

  // As the server said with its last answer (PostgreSQL 14 and newer; a pooler may keep it back). Nothing is sent.
  bool takes_no_writes() const { return Says("in_hot_standby") || Says("default_transaction_read_only"); }
  PGconn* native() const { return policy_.native(); }

 private:
  class Policy : public pqxx::connect_direct {
   public:
    using connect_direct::connect_direct;
    handle do_startconnect(handle before) override { return native_ = connect_direct::do_startconnect(before); }
    handle do_disconnect(handle before) noexcept override { return native_ = connect_direct::do_disconnect(before); }
    handle native() const { return native_; }

   private:
    handle native_ = nullptr;
  };
  bool Says(const char* parameter) const {
    const char* value = policy_.native() ? PQparameterStatus(policy_.native(), parameter) : nullptr;
    return value && std::string_view(value) == "on";
  }

  Policy policy_;
};

}  // namespace

struct Session::Impl {
  explicit Impl(const std::string& url)
      : connection(WithTimeouts(url)), opened_read_only(connection.takes_no_writes()) {}
  // Since it was opened, which its user took as it was: reports are read from replicas, too.
  bool BecameReadOnly() const { return !opened_read_only && connection.takes_no_writes(); }
  Connection connection;
  const bool opened_read_only;
  std::set<std::string> prepared;
  pqxx::nontransaction* transaction = nullptr;  // of Transact; its BEGIN and COMMIT are ours
  const char* begin = nullptr;                  // to be sent with the first statement
  bool alone = false;                           // each statement is a transaction of its own
  std::vector<Piped> waiting;                   // to be sent with what comes next
  std::vector<Answered> answered;               // of each of them; empty where nobody asks

  // What waits, and `more` behind it. Gives what `more` gave.
  std::vector<Rows> Send(std::vector<Piped> more) {
    std::vector<Piped> all;
    if (begin) all.push_back({.statement = std::exchange(begin, nullptr), .prepared = false});
    std::ranges::move(std::exchange(waiting, {}), std::back_inserter(all));
    const auto before = static_cast<std::ptrdiff_t>(all.size());
    std::ranges::move(more, std::back_inserter(all));
    if (all.empty()) return {};
    const std::vector<Answered> asked = std::exchange(answered, {});
    std::vector<Rows> rows = RunPiped(connection.native(), all);
    const std::size_t first = static_cast<std::size_t>(before) - asked.size();  // behind the BEGIN
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (asked[i]) asked[i](rows[first + i]);
    }
    return {std::make_move_iterator(rows.begin() + before), std::make_move_iterator(rows.end())};
  }
  bool open() const { return connection.is_open() && PQpipelineStatus(connection.native()) == PQ_PIPELINE_OFF; }
  // A transaction that a failure has left open; without it the session would go on in it.
  void RollBack() {
    waiting.clear();
    answered.clear();
    begin = nullptr;
    if (!open() || PQtransactionStatus(connection.native()) == PQTRANS_IDLE) return;
    PQclear(PQexec(connection.native(), "ROLLBACK"));
  }
};

void Session::SetHook(Hook hook) { TheHook() = std::move(hook); }

Session::Session(std::unique_ptr<Impl> impl, const Cipher& cipher) : cipher_(cipher), impl_(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::Open(const std::string& url, const Cipher& cipher, Plans plans) {
  std::unique_ptr<Session> session;
  const SessionError error = Guarded([&] {
    session.reset(new Session(std::make_unique<Impl>(url), cipher));
    // Without this it reconnects in silence, and everything that belonged to the session is lost (invariants M5).
    session->impl_->connection.inhibit_reactivation(true);
    pqxx::nontransaction setup(session->impl_->connection);
    setup.exec(Statement("SetSession"));
    if (plans == Plans::kPoints) setup.exec(Statement("PlanPoints"));
  }, /*ended=*/"");  // there was none: libpq says why not
  if (error.ok()) return session;
  return DatabaseAway(error.detail);
}

SessionError Session::Transact(Isolation isolation, const std::function<bool(Session&)>& body) {
  CHECK(!impl_->transaction);
  bool committing = false;
  SessionError error = Guarded([&] {
    pqxx::nontransaction transaction(impl_->connection);
    impl_->transaction = &transaction;
    impl_->alone = isolation == Isolation::kEachAlone;
    impl_->begin = BeginOf(isolation);
    if (!body(*this)) return;
    Announce("COMMIT");
    if (impl_->alone || (impl_->begin && impl_->waiting.empty())) return;  // nothing is open
    // A server that is gone, or says that it goes, is not to leave a doubt about what it was never sent.
    if (!impl_->waiting.empty() && SaidUnasked(impl_->connection.native())) impl_->Send({});
    committing = true;
    impl_->Send({{.statement = "COMMIT", .prepared = false}});
  });
  impl_->RollBack();
  impl_->transaction = nullptr;
  // libpqxx says so itself only where the connection knows that it is closed.
  if (committing && error.fault == Fault::kBroken && error.sqlstate.empty()) error.fault = Fault::kInDoubt;
  if (error.ok() && impl_->BecameReadOnly()) {
    broken_ = true;  // whatever becomes of this transaction
    // A commit that passed has passed. What was only read may be old: another one is the primary, perhaps for long.
    if (isolation != Isolation::kReadCommitted) {
      error = {Fault::kBroken, kReadOnly, "", "the server takes no writes any more: a replica now, or kept read-only"};
    }
  }
  if (error.fault == Fault::kBroken || error.fault == Fault::kInDoubt || !impl_->open()) broken_ = true;
  return error;
}

// The server knows it from here on, and it may be sent.
Piped Session::Prepare(const std::string& statement, std::vector<Param> params, Format format) {
  CHECK(impl_->transaction);
  for (const Param& param : params) {
    // libpq would pass what comes before it, without a word (invariants M6). As PostgreSQL refuses other bytes that are
    // no text.
    if (format == Format::kBinary || param.find('\0') == std::string::npos) continue;
    throw StatementRefused{"22021", "", "a NUL in a parameter of " + statement};
  }
  Announce(statement);
  if (!impl_->prepared.contains(statement)) {
    impl_->connection.prepare(statement, Statement(statement));
    impl_->connection.prepare_now(statement);
    impl_->prepared.insert(statement);
  }
  return {.statement = statement, .params = std::move(params), .format = format};
}

Rows Session::Run(const std::string& statement, const std::vector<Param>& params) {
  return std::move(impl_->Send({Prepare(statement, params)}).front());
}

void Session::Write(const std::string& statement, std::vector<Param> params, Format format) {
  Write(statement, std::move(params), format, nullptr);
}

void Session::Write(const std::string& statement, std::vector<Param> params, Format format, Answered answered) {
  impl_->waiting.push_back(Prepare(statement, std::move(params), format));
  impl_->answered.push_back(std::move(answered));
  if (impl_->alone) impl_->Send({});
}

std::vector<Rows> Session::RunTogether(std::vector<Step> steps) {
  if (steps.empty()) return {};
  std::vector<Piped> piped;
  for (Step& step : steps) piped.push_back(Prepare(step.statement, std::move(step.params)));
  return impl_->Send(std::move(piped));
}

std::string Session::Seal(const BlobPlace& place, std::string_view payload) const {
  auto sealed = cipher_.Seal(place, payload);
  if (!sealed) throw StatementFault{kKeyUsedUp, sealed.error().message};
  return *std::move(sealed);
}

Rows Session::RunScript(const std::string& script) {
  CHECK(impl_->transaction);
  Announce(script);
  impl_->Send({});
  return RowsOf(impl_->transaction->exec(script));
}

SessionError Session::RunAlone(const std::string& script) {
  CHECK(!impl_->transaction);
  const SessionError error = Guarded([&] {
    pqxx::nontransaction alone(impl_->connection);
    Announce(script);
    alone.exec(script);
  });
  if (error.fault == Fault::kBroken || !impl_->connection.is_open()) broken_ = true;
  return error;
}

SessionError Session::Savepoint(const std::function<void(Session&)>& body) {
  CHECK(impl_->transaction && !impl_->alone);
  bool set = false;
  SessionError error = Guarded([&] {
    impl_->Send({{.statement = "SAVEPOINT part", .prepared = false}});
    set = true;
    body(*this);
    impl_->Send({{.statement = "RELEASE SAVEPOINT part", .prepared = false}});
  });
  if (!error.ok()) impl_->waiting.clear(), impl_->answered.clear();
  // Where this fails the next statement does, too.
  if (!error.ok() && set && impl_->open())
    PQclear(PQexec(impl_->connection.native(), "ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part"));
  return error;
}

bool Session::Ended() {
  CHECK(!impl_->transaction);
  if (!broken_ && ClosedByServer(impl_->connection.native())) broken_ = true;
  return broken_;
}

SessionError Session::PrepareAll() {
  return Guarded([&] {
    for (const auto& [name, text] : Statements()) {
      impl_->connection.prepare(name, text);
      impl_->connection.prepare_now(name);
      impl_->prepared.insert(name);
    }
  });
}

std::string Session::ServerVersion() const {
  const int version = impl_->connection.server_version();
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000);
}

}  // namespace baton
