// Arrays as PostgreSQL writes them: built for parameters, read from results. libpqxx 6 passes text, silently cuts it
// at a NUL (invariants M6, M7), and has no array parameters; this file solves both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/time.h"

namespace baton {

// One array literal, element by element.
class ArrayParam {
 public:
  void Text(std::string_view value);  // CHECKs that there is no NUL in it: the API refuses it before
  void Bytes(std::string_view value);
  void Int(std::int64_t value);
  void Bool(bool value);
  void Time(TimePoint value) { Int(Micros(value)); }
  void Time(const std::optional<TimePoint>& value) { value ? Int(Micros(*value)) : Null(); }
  void IntOrNull(const std::optional<int>& value) { value ? Int(*value) : Null(); }
  void TextOrNull(std::string_view value) { value.empty() ? Null() : Text(value); }
  void Null();
  // An array as one element of this one, for columns that are arrays themselves.
  void Nested(const ArrayParam& inner) { Text(inner.str()); }

  const std::string str() const { return "{" + elements_ + "}"; }
  bool empty() const { return elements_.empty(); }

 private:
  void Comma();

  std::string elements_;
};

// The elements of a one-dimensional array without NULLs, as a result holds it.
std::vector<std::string> ParseArray(std::string_view text);

// A timestamptz as PostgreSQL prints it in UTC: "2026-11-20 21:34:05.123456+00". From 1700 to 2250: what lies beyond, infinity
// too, is the end of that.
TimePoint ParseTime(std::string_view text);

// bytes as a parameter that is no array.
std::string BytesParam(std::string_view bytes);

// bytea in hex form: "\x4254...".
std::string ParseBytes(std::string_view text);

}  // namespace baton
