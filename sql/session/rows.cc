#include "sql/session/rows.h"

#include <charconv>
#include <system_error>

namespace baton {

std::int64_t Rows::Row::Number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  CHECK(error == std::errc() && end == text.data() + text.size());
  return value;
}

std::optional<TimePoint> Rows::Row::OptionalTime(Column column) const {
  if (IsNull(column)) return std::nullopt;
  return Time(column);
}

}  // namespace baton
