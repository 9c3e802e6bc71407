// An array as PostgreSQL's array_recv takes it (src/backend/utils/adt/arrayfuncs.c): for what is written, where text
// would be quoted here and read there, and bytes twice as long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/base/time.h"
#include "sql/session/array.h"

namespace baton {

// One parameter, element by element, all of one type: text[], bytea[], bigint[] (times too, as microseconds since 1970)
// or boolean[].
class BinaryArray {
 public:
  void Text(std::string_view value);  // CHECKs that there is no NUL in it: the API refuses it before
  void Bytes(std::string_view value) { Add(kBytea, value); }
  void Int(std::int64_t value);
  void Bool(bool value) { Add(kBoolean, std::string_view(value ? "\1" : "\0", 1)); }
  void Time(TimePoint value) { Int(Micros(value)); }
  void Time(const std::optional<TimePoint>& value) { value ? Int(Micros(*value)) : AddNull(kBigint); }
  void IntOrNull(const std::optional<int>& value) { value ? Int(*value) : AddNull(kBigint); }
  void TextOrNull(std::string_view value) { value.empty() ? AddNull(kText) : Text(value); }
  // An array as one element of this one, as text: for columns that are arrays themselves.
  void Nested(const ArrayParam& inner) { Text(inner.str()); }

  std::string str() const;

 private:
  // PostgreSQL's own numbers of its types (src/include/catalog/pg_type.dat); they never change.
  enum Type : std::uint32_t { kNone = 0, kBoolean = 16, kBytea = 17, kBigint = 20, kText = 25 };
  void Add(Type type, std::string_view value);
  void AddNull(Type type);
  void Begin(Type type);

  Type type_ = kNone;
  bool null_ = false;  // at least one is
  std::uint32_t count_ = 0;
  std::string elements_;
};

}  // namespace baton
