#include "tests/bench/subscribers.h"

#include <cstdio>

#include "orchestrator/base/check.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {
namespace {

constexpr std::chrono::seconds kReadyTimeout{120};
constexpr std::chrono::seconds kToldTimeout{120};

}  // namespace

Subscribers::Subscribers(Rig& rig, int count, int events) : log_(rig.Path("subscribers.log")) {
  program_ = std::make_unique<stack::Program>(
      stack::Program::Start{"subscribers",
                            {stack::OwnDirectory() + "/baton-bench-subscribers", rig.address(), std::to_string(count),
                             std::to_string(events)},
                            log_});
  CHECK(
      stack::WaitFor(kReadyTimeout, {}, [&] { return stack::LastLines(log_, 1).find("ready") != std::string::npos; }));
}

Subscribers::Told Subscribers::Wait() {
  CHECK(program_->WaitForEnd(kToldTimeout));
  const std::string said = stack::LastLines(log_, 1);
  const auto at = said.find("p50");
  CHECK(at != std::string::npos);
  Told told;
  long long n = 0, lost = 0, doubled = 0;
  CHECK(std::sscanf(said.c_str() + at, "p50 %lf p99 %lf n %lld lost %lld doubled %lld", &told.p50, &told.p99, &n, &lost,
                    &doubled) == 5);
  told.n = n;
  told.lost = lost;
  told.doubled = doubled;
  return told;
}

}  // namespace baton::bench
