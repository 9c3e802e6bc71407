// Steps made of steps: one after the other, side by side, bound to each other, limited in time, allowed to fail.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tools/shim/steps/step.h"

namespace baton::shim {

// The first failure ends it.
std::unique_ptr<Step> MakeSerial(std::vector<std::unique_ptr<Step>> steps);

// Waits for all; fails if one failed, with the first failure.
std::unique_ptr<Step> MakeParallel(std::vector<std::unique_ptr<Step>> steps);

// The first end, of whichever kind, stops the others with `grace` and fails the whole.
std::unique_ptr<Step> MakeCodependent(std::vector<std::unique_ptr<Step>> steps, const std::string& where,
                                      StepGrace grace);

// Stops the step with `grace` and fails when it has not ended in time.
std::unique_ptr<Step> MakeTimeout(std::unique_ptr<Step> step, std::chrono::milliseconds limit, StepGrace grace,
                                  EventLoop& loop);

// Succeeds whatever the step does.
std::unique_ptr<Step> MakeTry(std::unique_ptr<Step> step);

struct ProgressMessages {
  std::string start;
  std::string success;
  std::string failure_prefix;
};
// Writes them to the instance's log; empty ones not.
std::unique_ptr<Step> MakeEmitProgress(std::unique_ptr<Step> step, ProgressMessages messages, OutputLog& log);

}  // namespace baton::shim
