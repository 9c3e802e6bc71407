// One connection to PostgreSQL, and the one place where libpqxx 6.4's traps are closed: it never reconnects by itself,
// its exceptions become errors here, statements go by name, and nothing but text and bytea literals is passed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/check.h"
#include "orchestrator/base/result.h"
#include "orchestrator/crypto/cipher.h"
#include "sql/session/array.h"
#include "sql/session/pipe.h"
#include "sql/session/rows.h"

namespace baton {

// What went wrong, as far as the caller does something else for it.
enum class Fault {
  kNone,
  kBroken,      // the connection is gone, or its server became read-only; nothing was committed
  kInDoubt,     // the connection went in the middle of COMMIT: it may or may not have happened
  kTryAgain,    // serialization failure, deadlock, lock or statement timeout, a row that has changed since it was read:
                // the same again may pass
  kConstraint,  // the data breaks a constraint, or is no data of its type
  kExhausted,   // the server lacks disk, memory or connections: nothing was done, later it may pass
  kOther,
};

struct SessionError {
  Fault fault = Fault::kNone;
  std::string sqlstate;    // five characters; empty where the connection ended, which `detail` then says
  std::string constraint;  // name of the constraint, if it is one's fault
  // For the log. Never for a caller of the API: it may contain SQL and values.
  std::string detail;

  bool ok() const { return fault == Fault::kNone; }
};

// Thrown by a hook, and where a parameter cannot be made: the statement is not sent, and fails as one that the server
// refused with this SQLSTATE.
struct StatementFault {
  std::string sqlstate;
  std::string detail = "a test's fault";
};

// The role of the database may not do it; PostgreSQL names the table.
inline constexpr char kNoPrivilege[] = "42501";
// What an operator does about it.
inline constexpr char kCheckDatabase[] = "batond's role of the database lacks a right: baton admin check-database --database URL says which, and how to grant it";
// Serialization failure: what was read before is not so any more. As StatementFault, Fault::kTryAgain.
inline constexpr char kNotAsRead[] = "40001";
// Program limit exceeded: a key has no use left.
inline constexpr char kKeyUsedUp[] = "54000";

class Session {
 public:
  // `url` as libpq takes it. UNAVAILABLE where nothing answers. `cipher`: of the blobs in it.
  // kPoints: its statements look up rows by their keys (PlanPoints in settings.sql).
  enum class Plans { kAny, kPoints };
  static Result<std::unique_ptr<Session>> Open(const std::string& url, const Cipher& cipher = PlainCipher(),
                                               Plans plans = Plans::kAny);
  ~Session();

  // A transaction: `body` runs statements by Run; an error of any of them ends it, nothing is committed. `body` gives
  // false to roll back by its own will. kEachAlone: no BEGIN and no COMMIT, each statement is a transaction of
  // its own.
  enum class Isolation { kReadCommitted, kSnapshotReadOnly, kEachAlone };
  SessionError Transact(Isolation isolation, const std::function<bool(Session&)>& body);

  // Within Transact; BEGIN goes along with the first statement. A failed statement leaves it by an exception that
  // Transact catches; there is nothing to check.
  Rows Run(const std::string& statement, const std::vector<Param>& params = {});
  // As Run, but it is sent with what comes next, the COMMIT at the latest, and fails there: a batch's writes and its
  // COMMIT are one way there and back.
  void Write(const std::string& statement, std::vector<Param> params, Format format = Format::kText);
  // `answered`: with what it gave, when that is known; the COMMIT may fail even so.
  using Answered = std::function<void(const Rows&)>;
  void Write(const std::string& statement, std::vector<Param> params, Format format, Answered answered);
  // Several statements with one way there and back, in this order; what each of them gave. One that fails is the last.
  struct Step {
    std::string statement;
    std::vector<Param> params = {};
  };
  std::vector<Rows> RunTogether(std::vector<Step> steps);
  // Text that is no named statement: migrations only. Gives the last statement's rows.
  Rows RunScript(const std::string& script);
  // Within Transact. If the key's use limit is reached, the transaction fails as by a statement (kKeyUsedUp).
  std::string Seal(const BlobPlace& place, std::string_view payload) const;
  const Cipher& cipher() const { return cipher_; }
  // Outside of Transact: one statement that PostgreSQL runs in no transaction block, such as CREATE INDEX CONCURRENTLY.
  SessionError RunAlone(const std::string& script);
  // Within Transact: part of it that may fail on its own.
  SessionError Savepoint(const std::function<void(Session&)>& body);

  // Called before every statement and every COMMIT of every session of this process, with its name or text ("COMMIT"):
  // the test's way to die, or to have the statement fail (throw StatementFault), at each of them. Set before the first
  // session is opened; null, as it is in every shipped program, costs one look at a pointer.
  using Hook = std::function<void(std::string_view statement)>;
  static void SetHook(Hook hook);

  // To be opened anew: the connection is gone, or leads to a server that takes no writes any more.
  bool broken() const { return broken_; }
  // Outside of Transact: as broken, or the server has closed it since. Looks at what has come, and sends nothing.
  bool Ended();
  // Prepares every statement at once: a test's way to see that all of them fit the schema.
  SessionError PrepareAll();
  std::string ServerVersion() const;

 private:
  struct Impl;
  Piped Prepare(const std::string& statement, std::vector<Param> params, Format format = Format::kText);
  Session(std::unique_ptr<Impl> impl, const Cipher& cipher);

  const Cipher& cipher_;
  std::unique_ptr<Impl> impl_;
  bool broken_ = false;
};

}  // namespace baton
