// Asks for the outside verdicts that rolls wait for, again and again until there is one. Memory only: the planner names
// the question with each pass, so a new leader asks too.
#pragma once

#include <map>

#include "orchestrator/app/leader/loop.h"
#include "orchestrator/app/leader/roller.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/verdict_client.h"

namespace baton {

// How long after its `times`th question, from 1, a stage's verdict is asked for again: 1 s, 2 s, 4 s, at most 30 s.
Duration AskVerdictAgainAfter(int times);

class Verdicts {
 public:
  Verdicts(Roller& roller, Loop& loop, VerdictClient& verdict_client, Log& log)
      : roller_(roller), loop_(loop), verdict_client_(verdict_client), log_(log) {}

  // On the loop. Asked already, or not long ago: nothing is done now.
  void Ask(const VerdictQuestion& question);
  void Follow() { asked_.clear(); }

 private:
  struct Asked {
    RollId roll_id;
    int stage = 0;
    int times = 0;
    bool under_way = false;
    Loop::Steady::time_point not_before;
  };
  void Answered(const VerdictQuestion& question, const VerdictAnswer& answer);

  Roller& roller_;
  Loop& loop_;
  VerdictClient& verdict_client_;
  Log& log_;
  std::map<ProcessGuid, Asked> asked_;
};

}  // namespace baton
