// One connection to PostgreSQL, and the one place where libpqxx 6.4's traps are closed: it never reconnects by itself,
// its exceptions become errors here, statements go by name, and nothing but text and bytea literals is passed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/model/result.h"
#include "schema/cipher.h"
#include "sql/array.h"

namespace baton {

// What went wrong, as far as the caller does something else for it.
enum class Fault {
  kNone,
  kBroken,      // the connection is gone; nothing was committed
  kInDoubt,     // the connection went in the middle of COMMIT: it may or may not have happened
  kTryAgain,    // serialization failure, deadlock, lock or statement timeout: the same again may pass
  kConstraint,  // the data breaks a constraint, or is no data of its type
  kExhausted,   // the server lacks disk, memory or connections: nothing was done, later it may pass
  kOther,
};

struct SessionError {
  Fault fault = Fault::kNone;
  std::string sqlstate;    // five characters, or empty
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

// Program limit exceeded: a key has no use left.
inline constexpr char kKeyUsedUp[] = "54000";

// Rows of a result, copied out of libpqxx's: column by number.
class Rows {
 public:
  Rows() = default;
  explicit Rows(std::vector<std::vector<std::optional<std::string>>> rows) : rows_(std::move(rows)) {}
  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }

  class Row {
   public:
    explicit Row(const std::vector<std::optional<std::string>>& cells) : cells_(cells) {}
    bool IsNull(std::size_t column) const { return !cells_.at(column).has_value(); }
    const std::string& Text(std::size_t column) const { return cells_.at(column).value(); }
    std::string TextOrEmpty(std::size_t column) const { return cells_.at(column).value_or(""); }
    std::int64_t Int(std::size_t column) const;
    bool Bool(std::size_t column) const { return Text(column) == "t"; }
    TimePoint Time(std::size_t column) const { return ParseTime(Text(column)); }
    std::optional<TimePoint> OptionalTime(std::size_t column) const;
    std::string Bytes(std::size_t column) const { return ParseBytes(Text(column)); }
    std::vector<std::string> Array(std::size_t column) const { return ParseArray(Text(column)); }

   private:
    const std::vector<std::optional<std::string>>& cells_;
  };
  Row operator[](std::size_t index) const { return Row(rows_.at(index)); }

  class Iterator {
   public:
    Iterator(const Rows& rows, std::size_t at) : rows_(rows), at_(at) {}
    Row operator*() const { return rows_[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Rows& rows_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  std::vector<std::vector<std::optional<std::string>>> rows_;
};

// A parameter: text as it is, or an array.
using Param = std::string;

class Session {
 public:
  // `url` as libpq takes it. UNAVAILABLE where nothing answers. `cipher`: of the blobs in it.
  static Result<std::unique_ptr<Session>> Open(const std::string& url, const Cipher& cipher = PlainCipher());
  ~Session();

  // A transaction: `body` runs statements by Run; an error of any of them ends it, nothing is committed. `body` gives
  // false to roll back by its own will.
  enum class Isolation { kReadCommitted, kSnapshotReadOnly };
  SessionError Transact(Isolation isolation, const std::function<bool(Session&)>& body);

  // Within Transact. A failed statement leaves it by an exception that Transact catches; there is nothing to check.
  Rows Run(const std::string& statement, const std::vector<Param>& params = {});
  // Text that is no named statement: migrations only. Gives the last statement's rows.
  Rows RunScript(const std::string& script);
  // Within Transact. Where its key may not be used any more, the transaction fails as by a statement (kKeyUsedUp).
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

  bool broken() const { return broken_; }
  // Prepares every statement at once: a test's way to see that all of them fit the schema.
  SessionError PrepareAll();
  std::string ServerVersion() const;

 private:
  struct Impl;
  Session(std::unique_ptr<Impl> impl, const Cipher& cipher);

  const Cipher& cipher_;
  std::unique_ptr<Impl> impl_;
  bool broken_ = false;
};

}  // namespace baton
