// What a page shows of the fleet: a filter, an order, and a part of what comes out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"
#include "tools/web/fleet/fleet_table.h"

namespace baton::web {

// Words that all must fit: held, rolling, back, waiting, slow, crashed, unplaced, trouble, unserved; domain:D, cell:C,
// def:D; any other word is part of the guid or the domain.
class Filter {
 public:
  static Filter Of(const std::string& text);
  bool Takes(const AppRow& row, const Names& names) const;

 private:
  struct Word {
    std::string key;
    std::string value;
  };
  std::vector<Word> words_;
};

// "-attention,guid": columns, the first one first, '-' for descending. Columns: attention, guid, domain, wanted,
// served, ready, crashed, definition, age (of the roll). INVALID_ARGUMENT naming them.
class Order {
 public:
  static Result<Order> Of(const std::string& text);
  bool Before(const AppRow& one, const AppRow& other) const;

 private:
  struct Column {
    std::string name;
    bool descending = false;
  };
  static int Compare(const std::string& column, const AppRow& one, const AppRow& other);
  std::vector<Column> columns_;
};

// All rows that a filter takes, in an order; kept so while rows change.
class Listing {
 public:
  Listing(Filter filter, Order order) : filter_(std::move(filter)), order_(std::move(order)) {}

  void Fill(const std::vector<const AppRow*>& all, const Names& names);
  // `changed`: AppRow.changed of these; the others are as they were.
  void Update(const std::vector<AppRow*>& changed, const Names& names);
  const std::vector<const AppRow*>& rows() const { return rows_; }

 private:
  Filter filter_;
  Order order_;
  std::vector<const AppRow*> rows_;
};

}  // namespace baton::web
