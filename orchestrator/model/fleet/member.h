// A batond as the others see it.
#pragma once

#include <cstdint>
#include <string>

#include "orchestrator/base/time.h"

namespace baton {

struct Member {
  std::string id;
  std::string address;  // where it serves its API
  std::int64_t schema = 0;  // that it is built for
  std::string semver;
  std::string app_version;
  std::string state;  // of its serving machine
  std::string why;
  TimePoint started_at{};
  TimePoint seen_at{};
  bool there = false;  // it was heard of in the last seconds
};

}  // namespace baton
