// Rows of a result: columns by name, and each cell read where libpqxx holds it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/base/check.h"
#include "sql/session/array.h"
#include "sql/session/column.h"

namespace baton {

class Rows {
 public:
  Rows() = default;
  // `cells` row by row, with no data where they are NULL; `holder` keeps what they lie in.
  Rows(std::shared_ptr<const void> holder, std::vector<std::string_view> cells, ColumnNames names)
      : holder_(std::move(holder)), cells_(std::move(cells)), names_(std::move(names)) {}
  std::size_t size() const { return names_.size() == 0 ? 0 : cells_.size() / names_.size(); }
  bool empty() const { return cells_.empty(); }

  // Not to outlive its rows.
  class Row {
   public:
    Row(const std::string_view* cells, const ColumnNames& names, std::size_t from = 0)
        : cells_(cells), names_(&names), from_(from) {}
    // The same row from a later column on: the second half of a join is a row, too.
    Row From(Column first) const { return {cells_, *names_, names_->At(first, from_)}; }
    bool IsNull(Column column) const { return !Cell(column).data(); }
    // CHECKs that it is not NULL.
    std::string_view View(Column column) const { return Filled(Cell(column)); }
    std::string Text(Column column) const { return std::string(View(column)); }
    std::string TextOrEmpty(Column column) const { return std::string(Cell(column)); }
    std::int64_t Int(Column column) const { return Number(View(column)); }
    bool Bool(Column column) const { return View(column) == "t"; }
    TimePoint Time(Column column) const { return ParseTime(View(column)); }
    std::optional<TimePoint> OptionalTime(Column column) const;
    std::string Bytes(Column column) const { return ParseBytes(View(column)); }
    std::vector<std::string> Array(Column column) const { return ParseArray(View(column)); }

    // Of the only column, whatever it is called.
    std::string Text() const { return std::string(Filled(Only())); }
    std::int64_t Int() const { return Number(Filled(Only())); }
    bool Bool() const { return Filled(Only()) == "t"; }
    TimePoint Time() const { return ParseTime(Filled(Only())); }
    // For who looks at any table (tests, fuzzing): by number.
    std::string_view CellAt(std::size_t column) const {
      CHECK(from_ + column < names_->size());
      return cells_[from_ + column];
    }

   private:
    static std::string_view Filled(std::string_view cell) {
      CHECK(cell.data());
      return cell;
    }
    static std::int64_t Number(std::string_view text);
    std::string_view Cell(Column column) const { return cells_[names_->At(column, from_)]; }
    std::string_view Only() const {
      CHECK(names_->size() == 1);
      return *cells_;
    }
    const std::string_view* cells_;
    const ColumnNames* names_;
    std::size_t from_;
  };
  Row operator[](std::size_t index) const {
    CHECK(index < size());
    return {cells_.data() + index * names_.size(), names_};
  }

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
  std::shared_ptr<const void> holder_;
  std::vector<std::string_view> cells_;
  ColumnNames names_;
};

}  // namespace baton
