// The step from 1.x to 2.0, of one app, in memory: its run info becomes a definition named by its content, and its
// instances are tagged with it. A pure function, deterministic to the last byte: a repeated migration writes the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orchestrator/model/app_state.h"
#include "schema/legacy/apps/app.h"

namespace baton {

// Of every app that comes from 1.x. The next app that is desired gets a greater one.
inline constexpr std::int64_t kFirstIncarnation = 1;

struct SplitApp {
  // The app with its one definition and its instances; nothing: 2.0 cannot hold it, and `findings` says why.
  std::optional<AppState> state;
  std::string run_info;  // of that definition
  // Instances and fields that 2.0 cannot hold, too.
  std::vector<LegacyFinding> findings;
};

// `made_at` is used if the time when the app was desired is unknown.
SplitApp Split(const LegacyApp& app, TimePoint made_at);

}  // namespace baton
