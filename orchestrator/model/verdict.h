// An outside verdict on a roll that waits at a stage (proto/baton/v2/strategy.proto, "Verdict").
#pragma once

#include <string>

#include "orchestrator/base/time.h"
#include "orchestrator/model/calls/trace_parent.h"
#include "orchestrator/model/id.h"

namespace baton {

struct VerdictQuestion {
  ProcessGuid guid;
  RollId roll_id;
  int stage = 0;  // from 1
  int stages = 0;
  DefinitionId source;
  DefinitionId target;
  int instances = 0;
  int updated = 0;
  std::string url;
  Duration timeout{0};
  TraceParent trace = {};  // of the roll; the planner knows of none
};

enum class Verdict { kPromote, kWait, kFail };

struct VerdictAnswer {
  Verdict verdict = Verdict::kWait;  // kWait where there was no answer, or none that says anything
  std::string text;                  // one sentence
};

}  // namespace baton
