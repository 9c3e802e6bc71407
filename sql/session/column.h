// A column by its name, as the statement gives it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace baton {

// FNV-1a, 32 bits.
constexpr std::uint32_t NameHash(std::string_view name) {
  std::uint32_t hash = 2166136261;
  for (const char c : name) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619;
  return hash;
}

// Of a literal: row.Text("domain").
class Column {
 public:
  consteval Column(const char* name) : name_(name), hash_(NameHash(name)) {}  // NOLINT(google-explicit-constructor)
  // Of a name that is listed somewhere, for statements that are made from such a list. It is to outlive this.
  static constexpr Column Of(std::string_view name) { return Column(name, NameHash(name)); }
  constexpr std::string_view name() const { return name_; }
  constexpr std::uint32_t hash() const { return hash_; }

 private:
  constexpr Column(std::string_view name, std::uint32_t hash) : name_(name), hash_(hash) {}

  std::string_view name_;
  std::uint32_t hash_;
};

// Where the columns of one result are.
class ColumnNames {
 public:
  ColumnNames() = default;
  // `names` live as long as this.
  explicit ColumnNames(std::vector<std::string_view> names);
  std::size_t size() const { return names_.size(); }
  // The first one of that name from the `from`-th on; a join has some twice. CHECKs that there is one: what a statement gives is no
  // matter of its data.
  std::size_t At(Column column, std::size_t from) const {
    const std::size_t likely = likely_[column.hash() % likely_.size()];
    if (likely >= from && likely < names_.size() && Is(column, likely)) return likely;
    for (std::size_t at = from; at < hashes_.size(); ++at) {
      if (Is(column, at)) return at;
    }
    Missing(column, from);
  }

 private:
  bool Is(Column column, std::size_t at) const { return hashes_[at] == column.hash() && names_[at] == column.name(); }
  [[noreturn]] void Missing(Column column, std::size_t from) const;

  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> hashes_;
  std::array<std::uint8_t, 128> likely_{};  // by hash, the first one; rows of large lists have thirty columns each
};

}  // namespace baton
