#include "schema/legacy/dual_writer.h"

#include <algorithm>

#include "schema/legacy/apps/join.h"
#include "schema/legacy/rows.h"
#include "schema/legacy/run_infos.h"
#include "sql/read/app_reader.h"
#include "sql/session/session.h"

namespace baton {
namespace {

// A row where it was and is where it was: what 1.x says of other rows stays.
bool StaysInPlace(const Event& event) {
  if (!event.actual_before || !event.actual_after) return !event.actual_before && !event.actual_after;
  const ActualLrp& before = *event.actual_before;
  const ActualLrp& after = *event.actual_after;
  // Which of several that retire is shown goes by `since`.
  return before.presence == after.presence && (after.presence != Presence::kRetiring || before.since == after.since);
}

bool DesiredAnew(const AppChanges& changes) {
  return std::ranges::any_of(changes.events, [](const Event& e) { return e.kind == EventKind::kDesiredCreated; });
}

class Writer {
 public:
  Writer(Session& session, const BatchChanges& batch) : session_(session), batch_(batch) {}

  void Take(const std::set<ProcessGuid>& whole) {
    std::vector<ProcessGuid> others;  // that have to be read
    for (const auto& [guid, one] : batch_.apps) {
      if (one.changes.empty()) continue;
      if (whole.contains(guid)) {
        TakeWhole(*one.after, one.changes);
      } else if (std::ranges::all_of(one.changes.events, StaysInPlace)) {
        TakeInstances(guid, *one.after, one.changes);
      } else {
        others.push_back(guid);
      }
    }
    if (others.empty()) return;
    read_ = LoadApps(session_, {.apps = others});
    for (const ProcessGuid& guid : others) {
      if (!read_.broken.contains(guid)) TakeWhole(read_.apps.at(guid), batch_.apps.at(guid).changes);
    }
  }

  void Write() {
    DeleteLegacyApps(session_, gone_);
    UpsertLegacyApps(session_, JoinAll());
    DeleteLegacyInstances(session_, cleared_);
    std::erase_if(upserts_, [&](const LegacyUpsert& one) { return left_.contains(one.guid); });
    UpsertLegacyInstances(session_, upserts_);
  }

 private:
  void TakeWhole(const AppState& after, const AppChanges& changes) {
    const bool anew = DesiredAnew(changes);
    if (changes.desired && (!after.desired || anew)) gone_.push_back(after.guid);
    if (!after.desired) return;
    if (changes.desired) desired_.push_back(&after);
    const auto places = PlacesOf(after);
    std::set<std::int64_t> touched;
    std::set<LegacyPlace> left;
    for (const Event& event : changes.events) {
      if (event.actual_after) touched.insert(event.actual_after->index);
      if (!event.actual_before) continue;
      touched.insert(event.actual_before->index);
      const auto presence = LegacyPresence(*event.actual_before);
      if (presence) left.insert({event.actual_before->index, *presence});
    }
    for (const auto& [place, lrp] : places) {
      if (anew || touched.contains(place.first)) {
        upserts_.push_back({after.guid, lrp->incarnation, false, JoinInstance(*lrp, place.second)});
      }
    }
    if (anew) return;  // all of them are gone already
    for (const LegacyPlace& place : left) {
      if (!places.contains(place)) cleared_.emplace_back(after.guid, place);
    }
  }

  // Nothing is known but these rows. Each has its place to itself, those excepted that retire.
  void TakeInstances(const ProcessGuid& guid, const AppState& after, const AppChanges& changes) {
    for (const ActualId& id : changes.changed) {
      const ActualLrp& lrp = after.actuals.at(id);
      const auto presence = LegacyPresence(lrp);
      if (!presence) continue;
      const bool shares = lrp.presence == Presence::kRetiring;
      upserts_.push_back({guid, lrp.incarnation, shares, JoinInstance(lrp, *presence)});
    }
  }

  std::vector<LegacyApp> JoinAll() {
    const auto run_info_of = [&](const AppState& app) -> const std::string* {
      const auto changed = batch_.apps.find(app.guid);
      const auto& made = changed->second.changes.new_definitions;
      const auto found = made.find({app.desired->incarnation, app.desired->active});
      return found == made.end() ? nullptr : &found->second;
    };
    std::vector<ProcessGuid> stored;
    for (const AppState* app : desired_) {
      if (!run_info_of(*app)) stored.push_back(app->guid);
    }
    auto read = ReadActiveRunInfos(session_, stored);
    std::vector<LegacyApp> joined;
    for (const AppState* app : desired_) {
      const std::string* made = run_info_of(*app);
      const auto run_info = made ? Result<std::string>(*made) : read.at(app->guid);
      auto one = run_info ? JoinApp(*app, *run_info) : Result<LegacyApp>(run_info.error());
      one ? joined.push_back(*std::move(one)) : void(left_.insert(app->guid));
    }
    return joined;
  }

  Session& session_;
  const BatchChanges& batch_;
  LoadedApps read_;
  std::vector<ProcessGuid> gone_;          // with all of their rows
  std::vector<const AppState*> desired_;   // their rows are written
  std::vector<LegacyUpsert> upserts_;      // no place twice, but those of instances that retire
  std::vector<std::pair<ProcessGuid, LegacyPlace>> cleared_;
  std::set<ProcessGuid> left_;             // could not be joined
};

}  // namespace

void LegacyDualWriter::Write(Session& session, const BatchChanges& batch, const std::set<ProcessGuid>& whole) {
  Writer writer(session, batch);
  writer.Take(whole);
  writer.Write();
}

void LegacyDualWriter::WriteDomain(Session& session, const std::string& domain) {
  session.Run("CopyLegacyDomain", {domain});
}

}  // namespace baton
