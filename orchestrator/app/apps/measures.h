// Duration metrics of a commit: rolls, starts and drains that have ended, and crashes. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/model/app_edit.h"

namespace baton {

struct Measure {
  std::string_view metric;  // a histogram's, or where it took nothing a counter's
  std::string label;
  std::optional<Duration> took;

  bool operator==(const Measure&) const = default;
};

std::vector<Measure> MeasuresOf(const AppChanges& changes);

}  // namespace baton
