#include "schema/legacy/compare.h"

#include <algorithm>
#include <future>

#include "schema/legacy/apps/digest.h"
#include "schema/legacy/apps/join.h"
#include "schema/legacy/apps/split.h"
#include "schema/legacy/rows.h"
#include "schema/legacy/run_infos.h"
#include "sql/read/app_reader.h"
#include "sql/session/session.h"

namespace baton {
namespace {

// What one shape says of an app.
struct Said {
  std::string bytes;  // empty: it is no app there
  std::size_t instances = 0;
  std::string fault;
};

Said Tell(const Result<LegacyApp>& joined) {
  if (!joined) return {.fault = joined.error().message};
  return {.bytes = InStepBytes(*joined), .instances = joined->actuals.size()};
}

Said SaidByOld(const LegacyShape& shape, TimePoint made_at) {
  if (!shape.fault.empty()) return {.fault = shape.fault};
  if (!shape.app) return {.fault = "legacy.actual_lrps has instances of it, and it is no app"};
  const SplitApp split = Split(*shape.app, made_at);
  for (const LegacyFinding& finding : split.findings) {
    if (finding.kind == LegacyFinding::Kind::kRow) {
      return {.fault = "legacy." + finding.table + " " + finding.key + ": " + finding.reason};
    }
  }
  return Tell(Join(*split.state, split.run_info));
}

Said SaidByNew(const AppState& state, const Result<std::string>* run_info) {
  if (!state.desired) return {};
  if (!run_info) return {.fault = "its active definition is not there"};
  return Tell(*run_info ? Join(state, **run_info) : Result<LegacyApp>(run_info->error()));
}

class Comparison {
 public:
  Comparison(Session& session, const std::vector<ProcessGuid>& guids) : guids_(guids) {
    made_at_ = session.Run("ReadLegacyMadeAt")[0].Time();
    const LegacyRows old = ReadLegacyRows(session, guids, /*lock=*/false);
    // The rows of one shape become values while the database is asked for the other's.
    auto shapes = std::async(std::launch::async, [&old] { return ShapesOf(old); });
    new_ = LoadApps(session, {.apps = guids});
    run_infos_ = ReadActiveRunInfos(session, guids);
    old_ = shapes.get();
  }

  Compared Take() {
    Compared compared;
    for (auto& [at, said] : SayAll()) {
      auto& [by_old, by_new] = said;
      compared.lrps += static_cast<std::int64_t>(std::max(by_old.instances, by_new.instances));
      const std::string& fault = by_old.fault.empty() ? by_new.fault : by_old.fault;
      if (!fault.empty()) {
        compared.faults.push_back(guids_[at].str() + ": " + fault);
      } else if (by_old.bytes != by_new.bytes) {
        compared.differing.push_back(guids_[at]);
      }
    }
    std::ranges::sort(compared.differing);
    return compared;
  }

 private:
  using Pair = std::pair<Said, Said>;

  Pair Say(const ProcessGuid& guid) const {
    Pair said;
    if (const auto shape = old_.find(guid); shape != old_.end()) said.first = SaidByOld(shape->second, made_at_);
    if (const auto broken = new_.broken.find(guid); broken != new_.broken.end()) {
      said.second.fault = broken->second.message;
      return said;
    }
    const auto run_info = run_infos_.find(guid);
    said.second = SaidByNew(new_.apps.at(guid), run_info == run_infos_.end() ? nullptr : &run_info->second);
    return said;
  }

  // On two cores: it is most of what a comparison costs.
  std::vector<std::pair<std::size_t, Pair>> SayAll() const {
    std::vector<std::pair<std::size_t, Pair>> said(guids_.size());
    const auto range = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) said[i] = {i, Say(guids_[i])};
    };
    const auto first_half = std::async(std::launch::async, range, 0, guids_.size() / 2);
    range(guids_.size() / 2, guids_.size());
    first_half.wait();
    return said;
  }

  const std::vector<ProcessGuid>& guids_;
  TimePoint made_at_;
  std::map<ProcessGuid, LegacyShape> old_;
  LoadedApps new_;
  std::map<ProcessGuid, Result<std::string>> run_infos_;
};

}  // namespace

Compared CompareShapes(Session& session, const std::vector<ProcessGuid>& guids) {
  if (guids.empty()) return {};
  return Comparison(session, guids).Take();
}

}  // namespace baton
