#include "tests/cases/table.h"

#include <algorithm>
#include <set>

#include "tools/baton/yaml/amounts.h"

namespace baton::cases {
namespace {

constexpr Duration kLong = std::chrono::hours(1);

Generation GenerationIn(const Json& given, const char* member, const std::string& name) {
  if (!given.contains(member) || !given[member].is_object()) return {name};
  const Json& counts = given[member];
  return {name, std::max(0, IntIn(counts, "available", 0)), std::max(0, IntIn(counts, "unavailable", 0))};
}

IntOrPercent Must(const Json& given, const char* member) {
  const auto amount = given.contains(member) ? AmountIn(given[member]) : AmountIn(nullptr);
  return amount ? amount->value_or(IntOrPercent{0}) : IntOrPercent{0};
}

}  // namespace

Result<std::optional<IntOrPercent>> AmountIn(const Json& value) {
  if (value.is_null()) return std::optional<IntOrPercent>();
  if (value.is_number_integer()) return std::optional(IntOrPercent{value.get<int>()});
  if (value.is_string()) {
    if (const auto amount = cli::ParseAmount(value.get<std::string>())) {
      return std::optional(IntOrPercent{amount->value, amount->percent});
    }
  }
  return Error{ErrorKind::kInvalidArgument, value.dump() + " is neither a count nor a percentage", {}};
}

int IntIn(const Json& given, const char* member, int otherwise) {
  return given.contains(member) && given[member].is_number() ? given[member].get<int>() : otherwise;
}

Table::Table(const Json& given) : Table(given, IntIn(given, "desired", 0)) {}

Table::Table(const Json& given, int instances) : maker_(instances) {
  Strategy& s = strategy();
  s.max_surge = Must(given, "max_surge");
  s.max_unavailable = Must(given, "max_unavailable");
  if (s.max_surge.RoundedUp(instances) == 0 && s.max_unavailable.RoundedDown(instances) == 0) s.max_unavailable = {1};
  s.max_in_flight = {std::max(1, instances)};
  s.bake_time = Duration(0);  // the others have none: a roll is over with its last instance
  s.start_timeout = 10 * kLong;
  s.progress_deadline = 20 * kLong;
  s.wait_deadline = 20 * kLong;
  maker_.OpenRoll();
  Roll& roll = *maker_.app.roll;
  roll.proved_at = roll.last_hand_over_at = maker_.moment.now;
}

ActualLrp& Table::Put(int index, Presence presence, const std::string& definition, bool ready) {
  const DefinitionKey key{1, DefinitionId(definition)};
  if (!maker_.app.definitions.contains(key)) {
    Definition older = maker_.app.definitions.at({1, DefinitionId("v1")});
    older.id = key.id;
    older.content_hash = definition;
    maker_.app.definitions.emplace(key, older);
  }
  ActualLrp& lrp = maker_.Add(index, presence, definition);
  AppMaker::Start(lrp, maker_.moment.now - kLong);
  if (!ready) {
    lrp.routable = false;
    lrp.routable_since.reset();
    lrp.down_since = maker_.moment.now - kLong;
  }
  return lrp;
}

ActualLrp& Table::PutDone(int index) {
  ActualLrp& lrp = Put(index, Presence::kOrdinary, "v2", true);
  lrp.roll_id = maker_.app.roll->id;
  lrp.handed_over_at = maker_.moment.now;
  maker_.app.slot_logs[index].handed_over = true;
  return lrp;
}

void Table::Lay(const Json& given, const std::vector<int>& sizes) {
  const Generation old = GenerationIn(given, "old", "v1");
  if (sizes.empty()) return Lay({old}, GenerationIn(given, "new", "v2"));
  std::vector<Generation> generations;
  int unavailable = old.unavailable;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int down = std::min(unavailable, sizes[i]);
    unavailable -= down;
    const bool youngest = i + 1 == sizes.size();
    generations.push_back({youngest ? "v1" : "v0-" + std::to_string(i), sizes[i] - down, down});
  }
  Lay(generations, GenerationIn(given, "new", "v2"));
}

void Table::Lay(const std::vector<Generation>& old, const Generation& fresh) {
  int total = 0;
  for (const Generation& one : old) total += one.available + one.unavailable;
  const int first = std::max(0, instances() - total);
  std::vector<int> places;  // of the old ones: above the count, then the last slots
  for (int i = instances(); i < first + total; ++i) places.push_back(i);
  for (int i = first; i < std::min(instances(), first + total); ++i) places.push_back(i);
  auto place = places.begin();
  for (const Generation& one : old) {
    old_names_.push_back(one.name);
    for (int i = 0; i < one.available + one.unavailable; ++i) {
      Put(*place++, Presence::kOrdinary, one.name, i >= one.unavailable);
    }
  }
  const RollId& roll = maker_.app.roll->id;
  int above = first + total;
  for (int i = 0; i < fresh.available + fresh.unavailable; ++i) {
    const bool ready = i < fresh.available;
    if (i < instances() && maker_.Of(i, Presence::kOrdinary) == nullptr) {
      (ready ? PutDone(i) : Put(i, Presence::kOrdinary, "v2", false)).roll_id = roll;
    } else if (i < instances()) {
      ActualLrp& surge = Put(i, Presence::kSurge, "v2", ready);
      surge.roll_id = roll;
    } else {
      Put(std::max(above++, instances()), Presence::kOrdinary, "v2", ready);
    }
  }
  Miss();
}

void Table::Miss() {
  for (int i = 0; i < instances(); ++i) {
    if (maker_.Of(i, Presence::kOrdinary)) continue;
    ActualLrp& lrp = maker_.Add(i, Presence::kOrdinary, "v1");
    lrp.since = maker_.moment.now - kLong;
    lrp.down_since = lrp.since;
  }
}

void Table::Plan() {
  before_ = maker_.app.actuals;
  served_before_ = Progress(maker_.app, maker_.moment).served;
  plan_ = maker_.PlanNow();
}

bool Table::KeptTheFloor() const {
  const int floor = instances() - ResolveLimits(StrategyOf(maker_.app), instances()).max_unavailable;
  return Progress(maker_.app, maker_.moment).served >= std::min(served_before_, floor);
}

bool Table::Waits(const ActualLrp& lrp) const {
  if (lrp.state != LrpState::kUnclaimed) return false;
  return std::ranges::find(plan_.to_place, lrp.id) == plan_.to_place.end();
}

int Table::Live(const std::string& definition) const {
  return static_cast<int>(std::ranges::count_if(maker_.app.actuals, [&](const auto& entry) {
    const ActualLrp& lrp = entry.second;
    return lrp.definition.str() == definition && lrp.presence != Presence::kRetiring && !Waits(lrp);
  }));
}

std::vector<int> Table::LiveOld() const {
  std::vector<int> sizes;
  for (const std::string& name : old_names_) sizes.push_back(Live(name));
  return sizes;
}

int Table::Rows() const {
  return static_cast<int>(std::ranges::count_if(
      maker_.app.actuals, [](const auto& entry) { return entry.second.presence != Presence::kRetiring; }));
}

std::vector<int> Table::Begun() const {
  std::set<int> slots;
  for (const auto& [id, lrp] : maker_.app.actuals) {
    if (!before_.contains(id)) slots.insert(lrp.index);
  }
  return {slots.begin(), slots.end()};
}

std::vector<int> Table::Stopped() const {
  std::set<int> slots;
  for (const auto& [id, lrp] : before_) {
    const auto now = maker_.app.actuals.find(id);
    const bool gone = now == maker_.app.actuals.end() || now->second.presence == Presence::kRetiring;
    if (gone && MayRun(lrp) && lrp.presence != Presence::kRetiring) slots.insert(lrp.index);
  }
  return {slots.begin(), slots.end()};
}

std::vector<int> Table::Replaced() const {
  std::vector<int> both;
  std::ranges::set_intersection(Begun(), Stopped(), std::back_inserter(both));
  return both;
}

RollState Table::LastState() const {
  if (maker_.app.roll) return maker_.app.roll->state;
  return maker_.app.past_rolls.empty() ? RollState::kCompleted : maker_.app.past_rolls.front().state;
}

}  // namespace baton::cases
