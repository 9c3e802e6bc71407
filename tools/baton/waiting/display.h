// Where a watched roll is shown.
#pragma once

#include <memory>

#include "tools/baton/session.h"
#include "tools/baton/waiting/watch_view.h"

namespace baton::cli {

class Display {
 public:
  virtual ~Display() = default;
  // Something was told: `answer`, of which `news` are the steps that were not shown before.
  virtual void Show(const WatchedRoll& watched, const v2::WatchRollResponse& answer,
                    const std::vector<v2::RollStep>& news) = 0;
  // Time went by, or the connection broke off.
  virtual void Tick(const WatchedRoll& watched, bool reconnecting) = 0;
  // Nothing more comes.
  virtual void End(const WatchedRoll& watched) = 0;
};

// On a terminal a picture, elsewhere lines; with -o json a JSON object and with -o yaml a YAML document for each
// answer.
std::unique_ptr<Display> MakeDisplay(Session& session);

}  // namespace baton::cli
