// An app in the middle of its roll.
#pragma once

#include "tests/orchestrator/roll/app_maker.h"

namespace baton {

inline AppMaker Rolling(int instances) {
  AppMaker maker(instances);
  maker.RunAll("v1");
  maker.OpenRoll();
  return maker;
}

}  // namespace baton
