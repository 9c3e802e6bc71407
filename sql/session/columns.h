// Parameters of a set-based statement: as many arrays as it has, filled row by row from the left.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/base/check.h"
#include "sql/session/session.h"
#include "sql/session/statements.h"

namespace baton {

class Columns {
 public:
  explicit Columns(std::size_t count) : arrays_(count) {}
  // As many as {rows TABLE} has, or {changed_rows TABLE} (sql/session/column_lists.h).
  static Columns Of(std::string_view table) { return Columns(Lists().find(table)->second.size()); }
  static Columns OfChanged(std::string_view table) {
    return Columns(static_cast<std::size_t>(
        std::ranges::count_if(Lists().find(table)->second, [](const auto& c) { return c.key || !c.fixed; })));
  }

  class RowFiller {
   public:
    explicit RowFiller(Columns& columns) : columns_(columns) {}
    RowFiller& Text(std::string_view v) {
      return Put([&](ArrayParam& a) { a.Text(v); });
    }
    RowFiller& TextOrNull(std::string_view v) {
      return Put([&](ArrayParam& a) { a.TextOrNull(v); });
    }
    RowFiller& Int(std::int64_t v) {
      return Put([&](ArrayParam& a) { a.Int(v); });
    }
    RowFiller& IntOrNull(const std::optional<int>& v) {
      return Put([&](ArrayParam& a) { v ? a.Int(*v) : a.Null(); });
    }
    RowFiller& Bool(bool v) {
      return Put([&](ArrayParam& a) { a.Bool(v); });
    }
    RowFiller& Bytes(std::string_view v) {
      return Put([&](ArrayParam& a) { a.Bytes(v); });
    }
    RowFiller& Null() {
      return Put([&](ArrayParam& a) { a.Null(); });
    }
    RowFiller& Nested(const ArrayParam& v) {
      return Put([&](ArrayParam& a) { a.Nested(v); });
    }
    template <class T>
    RowFiller& Time(const T& v) {
      return Put([&](ArrayParam& a) { a.Time(v); });
    }

   private:
    template <class Write>
    RowFiller& Put(Write&& write) {
      write(columns_.arrays_.at(next_++));
      ++columns_.values_;
      return *this;
    }
    Columns& columns_;
    std::size_t next_ = 0;
  };

  RowFiller Row() {
    ++rows_;
    return RowFiller(*this);
  }
  Rows RunIfAny(Session& session, const std::string& statement) const {
    if (rows_ == 0) return {};
    CHECK(values_ == rows_ * arrays_.size());  // a column without its value would be NULL
    std::vector<Param> params;
    params.reserve(arrays_.size());
    for (const ArrayParam& array : arrays_) params.push_back(array.str());
    return session.Run(statement, params);
  }

 private:
  std::vector<ArrayParam> arrays_;
  std::size_t rows_ = 0;
  std::size_t values_ = 0;
};

}  // namespace baton
