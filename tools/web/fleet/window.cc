#include "tools/web/fleet/window.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace baton::web {
namespace {

constexpr std::size_t kWordsMost = 16;
constexpr std::array kColumns{"attention", "guid",    "domain",     "wanted", "served",
                              "ready",     "crashed", "definition", "age"};

bool Is(const AppRow& row, const std::string& word) {
  const AppRow::Numbers& n = row.numbers();
  if (word == "held") return n.attention == Attention::kHeld;
  if (word == "rolling") return row.roll().has_value();
  if (word == "back") return n.attention == Attention::kRollingBack;
  if (word == "waiting") return n.attention == Attention::kWaiting;
  if (word == "slow") return n.attention == Attention::kSlow;
  if (word == "crashed") return n.crashed > 0;
  if (word == "unplaced") return n.unplaced > 0;
  if (word == "trouble") return n.attention >= Attention::kTrouble;
  if (word == "unserved") return n.served < n.wanted;
  return row.guid().find(word) != std::string::npos || row.domain().find(word) != std::string::npos;
}

template <class T>
int Sign(const T& one, const T& other) {
  return one < other ? -1 : other < one ? 1 : 0;
}

}  // namespace

Filter Filter::Of(const std::string& text) {
  Filter made;
  std::istringstream words(text);
  std::string word;
  while (made.words_.size() < kWordsMost && words >> word) {
    const std::size_t colon = word.find(':');
    const std::string key = colon == std::string::npos ? "" : word.substr(0, colon);
    const bool known = key == "domain" || key == "cell" || key == "def";
    made.words_.push_back(known ? Word{key, word.substr(colon + 1)} : Word{"", word});
  }
  return made;
}

bool Filter::Takes(const AppRow& row, const Names& names) const {
  if (row.empty()) return false;
  return std::ranges::all_of(words_, [&](const Word& word) {
    if (word.key.empty()) return Is(row, word.value);
    if (word.key == "domain") return row.domain() == word.value;
    if (word.key == "def" && row.definition() == word.value) return true;
    return std::ranges::any_of(row.instances(), [&](const Instance& instance) {
      return names.Name(word.key == "cell" ? instance.cell : instance.definition) == word.value;
    });
  });
}

Result<Order> Order::Of(const std::string& text) {
  Order made;
  std::istringstream columns(text.empty() ? "-attention" : text);
  std::string name;
  while (std::getline(columns, name, ',')) {
    const bool descending = name.starts_with('-');
    if (descending) name.erase(0, 1);
    if (std::ranges::find(kColumns, name) == kColumns.end()) {
      return InvalidArgument("sort: '" + name +
                             "' is none of attention, guid, domain, wanted, served, ready, crashed, definition, age");
    }
    made.columns_.push_back({name, descending});
  }
  made.columns_.push_back({"guid", false});  // so that no two are equal
  return made;
}

int Order::Compare(const std::string& column, const AppRow& one, const AppRow& other) {
  const AppRow::Numbers& a = one.numbers();
  const AppRow::Numbers& b = other.numbers();
  if (column == "attention") return Sign(a.attention, b.attention);
  if (column == "guid") return Sign(one.guid(), other.guid());
  if (column == "domain") return Sign(one.domain(), other.domain());
  if (column == "definition") return Sign(one.definition(), other.definition());
  if (column == "wanted") return Sign(a.wanted, b.wanted);
  if (column == "served") return Sign(a.served, b.served);
  if (column == "ready") return Sign(a.ready, b.ready);
  if (column == "crashed") return Sign(a.crashed, b.crashed);
  const auto opened = [](const AppRow& row) { return row.roll() ? -row.roll()->opened_at() : INT64_MIN; };
  return Sign(opened(one), opened(other));
}

bool Order::Before(const AppRow& one, const AppRow& other) const {
  for (const Column& column : columns_) {
    const int sign = Compare(column.name, one, other);
    if (sign != 0) return column.descending ? sign > 0 : sign < 0;
  }
  return false;
}

void Listing::Fill(const std::vector<const AppRow*>& all, const Names& names) {
  rows_.clear();
  std::ranges::copy_if(all, std::back_inserter(rows_), [&](const AppRow* row) { return filter_.Takes(*row, names); });
  std::ranges::sort(rows_, [this](const AppRow* one, const AppRow* other) { return order_.Before(*one, *other); });
}

// Those that stay as they are keep their order: the changed ones are taken out and merged in again.
void Listing::Update(const std::vector<AppRow*>& changed, const Names& names) {
  if (changed.empty()) return;
  const auto before = [this](const AppRow* one, const AppRow* other) { return order_.Before(*one, *other); };
  std::erase_if(rows_, [](const AppRow* row) { return row->changed; });
  const auto middle = static_cast<std::ptrdiff_t>(rows_.size());
  std::ranges::copy_if(changed, std::back_inserter(rows_),
                       [&](const AppRow* row) { return filter_.Takes(*row, names); });
  std::sort(rows_.begin() + middle, rows_.end(), before);
  std::inplace_merge(rows_.begin(), rows_.begin() + middle, rows_.end(), before);
}

}  // namespace baton::web
