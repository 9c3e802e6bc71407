#include "sql/session/column.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace baton {
namespace {

constexpr std::size_t kLikelyMax = 256;  // of a byte; what is beyond is looked for

}  // namespace

ColumnNames::ColumnNames(std::vector<std::string_view> names) : names_(std::move(names)) {
  hashes_.reserve(names_.size());
  for (const std::string_view name : names_) hashes_.push_back(NameHash(name));
  for (std::size_t at = std::min(names_.size(), kLikelyMax); at-- > 0;) {
    likely_[hashes_[at] % likely_.size()] = static_cast<std::uint8_t>(at);
  }
}

void ColumnNames::Missing(Column column, std::size_t from) const {
  std::fprintf(stderr, "a statement gives no column \"%.*s\"; it gives", static_cast<int>(column.name().size()), column.name().data());
  for (std::size_t at = from; at < names_.size(); ++at) std::fprintf(stderr, " %.*s", static_cast<int>(names_[at].size()), names_[at].data());
  std::fprintf(stderr, "\n");
  std::abort();
}

}  // namespace baton
