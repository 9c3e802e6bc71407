// The result of a call: a value, or an error with a kind and a sentence for the caller.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "orchestrator/base/check.h"
#include "orchestrator/base/time.h"

namespace baton {

enum class ErrorKind {
  kInvalidArgument,     // the request itself is wrong
  kNotFound,            // what the call names does not exist
  kAlreadyExists,       // it exists already, with other content
  kFailedPrecondition,  // not in this state; the sentence says what would help
  kOutOfRange,          // beyond what is kept, or not there yet
  kAborted,             // what the caller expected has changed: read again
  kResourceExhausted,   // too much at once: later
  kUnavailable,         // database away, no leader, leader changing: later
  kDataLoss,            // stored rows that cannot be read; the sentence names table, key and fault
  kInternal,            // a bug of ours
};

struct [[nodiscard]] Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
  // When it is worth asking again (kUnavailable, kResourceExhausted).
  std::optional<Duration> retry_after;
  // Who takes such calls instead, HOST:PORT (kUnavailable); empty: not known.
  std::string leader = {};
};

// The same may be done in a moment: nothing is wrong with what was asked.
inline bool IsTransient(const Error& error) {
  return error.kind == ErrorKind::kUnavailable || error.kind == ErrorKind::kResourceExhausted;
}

inline Error InvalidArgument(std::string message) { return {ErrorKind::kInvalidArgument, std::move(message), {}}; }
inline Error FailedPrecondition(std::string message) {
  return {ErrorKind::kFailedPrecondition, std::move(message), {}};
}

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT: implicit on purpose, `return value;`
  Result(Error error) : content_(std::move(error)) {}  // NOLINT: implicit on purpose, `return Error{...};`

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const T& value() const& {
    CHECK(ok());
    return std::get<0>(content_);
  }
  T& value() & {
    CHECK(ok());
    return std::get<0>(content_);
  }
  T&& value() && {
    CHECK(ok());
    return std::get<0>(std::move(content_));
  }
  const Error& error() const {
    CHECK(!ok());
    return std::get<1>(content_);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::variant<T, Error> content_;
};

struct Done {};
using Status = Result<Done>;

}  // namespace baton
