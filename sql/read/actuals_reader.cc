#include "sql/read/actuals_reader.h"

#include <utility>

#include "orchestrator/wire/stored/stored.h"
#include "sql/session/columns.h"
#include "sql/session/row_values.h"

namespace baton {
namespace {

const char* StatementOf(AppLoad::Lock lock) {
  switch (lock) {
    case AppLoad::Lock::kNothing: return "ReadActuals";
    case AppLoad::Lock::kApps: return "ReadGuardedActuals";
    case AppLoad::Lock::kInstancesToo: return "LockActuals";
  }
  return "";
}

template <class Names>
std::set<ConsumerId> Consumers(const Names& names) {
  std::set<ConsumerId> consumers;
  for (const auto& name : names) consumers.insert(ConsumerId(name));
  return consumers;
}

// Nothing: it cannot be read, and its app is broken.
std::optional<ActualId> TakeOne(const Cipher& cipher, const Rows::Row& row, const ProcessGuid& guid, bool mend,
                                LoadedApps& loaded) {
  AppState& app = loaded.apps[guid];
  app.guid = guid;
  bool mended = false;
  auto lrp = ReadActual(row, cipher, mend ? &mended : nullptr);
  if (!lrp) {
    loaded.broken.emplace(guid, lrp.error());
    return std::nullopt;
  }
  const ActualId id = lrp->id;
  if (const auto known = app.actuals.find(id); known != app.actuals.end()) app.quiet.Touch(known->second);
  app.quiet.Touch(*lrp);
  if (mended) loaded.mended[guid].actuals.insert(id);
  app.actuals.insert_or_assign(id, *std::move(lrp));
  return id;
}

// What `known` has and what was written since.
void TakeWritten(const Cipher& cipher, const Rows& rows, KnownRows& known, LoadedApps& loaded) {
  std::map<ProcessGuid, std::int64_t> there;
  for (auto& [guid, app] : known) {
    AppState& state = loaded.apps.at(guid);
    state.actuals = std::exchange(app.actuals, {});
    state.quiet = std::exchange(app.quiet, {});
    state.quiet.Keep();
    there[guid] = 0;
  }
  for (const auto row : rows) {
    const ProcessGuid guid(row.Text("app"));
    there.at(guid) = row.Int("there");
    if (row.IsNull("actual_id")) continue;  // none was written
    const auto id = TakeOne(cipher, row, guid, /*mend=*/false, loaded);
    if (id) known.at(guid).guards.insert_or_assign(*id, row.Text("xmin"));
  }
  for (const auto& [guid, count] : there) {
    if (loaded.broken.contains(guid)) continue;
    if (static_cast<std::int64_t>(loaded.apps.at(guid).actuals.size()) == count) continue;
    throw StatementFault{kNotAsRead,
                         "instances of " + guid.str() + " were removed by somebody else: all of them are read"};
  }
}

}  // namespace

std::vector<Session::Step> StepsOfActuals(const AppLoad& load) {
  std::vector<Session::Step> steps;
  ArrayParam whole;
  Columns known(3);
  for (const ProcessGuid& guid : load.apps) {
    if (!load.IsKnown(guid)) {
      whole.Text(guid.str());
      continue;
    }
    const ReadAt& at = load.known->at(guid).at;
    known.Row().Text(guid.str()).Text(at.horizon).Text(at.server);
  }
  if (!whole.empty()) steps.push_back({StatementOf(load.lock), {whole.str()}});
  if (load.HasKnown()) steps.push_back({"ReadWrittenActuals", known.Params()});
  return steps;
}

void TakeActuals(const Cipher& cipher, const AppLoad& load, std::span<const Rows> rows, LoadedApps& loaded) {
  if (load.HasUnknown()) {
    for (const auto row : rows.front()) TakeOne(cipher, row, ProcessGuid(row.Text("process_guid")), load.mend, loaded);
  }
  if (load.HasKnown()) TakeWritten(cipher, rows.back(), *load.known, loaded);
}

void TakeInstances(const Cipher& cipher, const Rows& rows, LoadedApps& loaded) {
  for (const auto row : rows) {
    const ProcessGuid guid(row.Text("process_guid"));
    if (const auto id = TakeOne(cipher, row, guid, /*mend=*/false, loaded)) loaded.instances[*id] = guid;
  }
}

Result<ActualLrp> ReadActual(const Rows::Row& row, const Cipher& cipher, bool* mended) {
  Blobs blobs(cipher, "actual_lrps", row.Text("actual_id"));
  ActualLrp lrp = ReadServing(row, blobs);
  lrp.roll_id = RollId(row.Text("roll_id"));
  lrp.cell_id = CellId(row.Text("cell_id"));
  lrp.zone = row.Text("zone");
  lrp.since = row.Time("since");
  lrp.routable_since = row.OptionalTime("routable_since");
  lrp.routable = lrp.routable_since.has_value();
  lrp.claimed_at = row.OptionalTime("claimed_at");
  lrp.handed_over_at = row.OptionalTime("handed_over_at");
  lrp.down_since = row.OptionalTime("down_since");
  lrp.crash_count = static_cast<int>(row.Int("crash_count"));
  lrp.crash_reason = blobs.Shown(row, "crash_reason");
  lrp.placement_error = blobs.Shown(row, "placement_error");
  lrp.applied_by = Consumers(row.Array("applied_by"));
  lrp.drained_by = Consumers(row.Array("drained_by"));
  lrp.retiring_since = row.OptionalTime("retiring_since");
  lrp.awaits_drain = row.Bool("awaits_drain");
  lrp.drain_not_before = row.OptionalTime("drain_not_before");
  lrp.drain_until = row.OptionalTime("drain_until");
  lrp.stop_ordered_at = row.OptionalTime("stop_ordered_at");
  lrp.retire_asked = row.Bool("retire_asked");
  lrp.tag = {row.Text("modification_tag_epoch"), static_cast<std::uint32_t>(row.Int("modification_tag_index"))};
  lrp.domain = row.Text("domain");
  if (mended) {
    *mended = blobs.first().has_value();
    lrp.retire_asked = lrp.retire_asked || *mended;
  } else if (blobs.first()) {
    return *blobs.first();
  }
  return lrp;
}

}  // namespace baton
