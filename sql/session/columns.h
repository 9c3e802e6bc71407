// Parameters of a set-based statement: as many arrays as it has, filled row by row from the left.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "orchestrator/base/check.h"
#include "sql/session/binary_array.h"
#include "sql/session/session.h"
#include "sql/session/statements.h"

namespace baton {

// Array: ArrayParam for what is read by, BinaryArray for what is written much.
template <class Array>
class ColumnsOf {
 public:
  explicit ColumnsOf(std::size_t count) : arrays_(count) {}
  // As many as {rows TABLE} has, or {changed_rows TABLE} (sql/session/column_lists.h).
  static ColumnsOf Of(std::string_view table) {
    return ColumnsOf(Count(table, [](const auto& c) { return !c.guard; }));
  }
  static ColumnsOf OfChanged(std::string_view table) { return ColumnsOf(Count(table, IsChanged)); }

  class RowFiller {
   public:
    explicit RowFiller(ColumnsOf& columns) : columns_(columns) {}
    RowFiller& Text(std::string_view v) {
      return Put([&](Array& a) { a.Text(v); });
    }
    RowFiller& TextOrNull(std::string_view v) {
      return Put([&](Array& a) { a.TextOrNull(v); });
    }
    RowFiller& Int(std::int64_t v) {
      return Put([&](Array& a) { a.Int(v); });
    }
    RowFiller& IntOrNull(const std::optional<int>& v) {
      return Put([&](Array& a) { a.IntOrNull(v); });
    }
    RowFiller& Bool(bool v) {
      return Put([&](Array& a) { a.Bool(v); });
    }
    RowFiller& Bytes(std::string_view v) {
      return Put([&](Array& a) { a.Bytes(v); });
    }
    RowFiller& Null() {
      return Put([&](Array& a) { a.Null(); });
    }
    RowFiller& Nested(const ArrayParam& v) {
      return Put([&](Array& a) { a.Nested(v); });
    }
    template <class T>
    RowFiller& Time(const T& v) {
      return Put([&](Array& a) { a.Time(v); });
    }

   private:
    template <class Write>
    RowFiller& Put(Write&& write) {
      write(columns_.arrays_.at(next_++));
      ++columns_.values_;
      return *this;
    }
    ColumnsOf& columns_;
    std::size_t next_ = 0;
  };

  RowFiller Row() {
    ++rows_;
    return RowFiller(*this);
  }
  Rows RunIfAny(Session& session, const std::string& statement) const {
    if (rows_ == 0) return {};
    static_assert(kFormat == Format::kText);
    return session.Run(statement, Params());
  }
  // Session::Write.
  void WriteIfAny(Session& session, const std::string& statement, Session::Answered answered = nullptr) const {
    if (rows_ > 0) session.Write(statement, Params(), kFormat, std::move(answered));
  }

  std::vector<Param> Params() const {
    CHECK(values_ == rows_ * arrays_.size());  // a column without its value would be NULL
    std::vector<Param> params;
    params.reserve(arrays_.size());
    for (const Array& array : arrays_) params.push_back(array.str());
    return params;
  }

 private:
  template <class Is>
  static std::size_t Count(std::string_view table, Is is) {
    return static_cast<std::size_t>(std::ranges::count_if(Lists().find(table)->second, is));
  }
  static constexpr Format kFormat = std::is_same_v<Array, BinaryArray> ? Format::kBinary : Format::kText;

  std::vector<Array> arrays_;
  std::size_t rows_ = 0;
  std::size_t values_ = 0;
};

using Columns = ColumnsOf<ArrayParam>;
using BinaryColumns = ColumnsOf<BinaryArray>;

}  // namespace baton
