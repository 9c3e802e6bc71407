// SIGTERM and SIGINT as something that can be waited for. Made before any thread, so that all inherit the mask.
#pragma once

#include "orchestrator/base/time.h"

namespace baton::batond {

class StopSignal {
 public:
  StopSignal();
  // True when one came, now or before; false when the time is over.
  bool Wait(Duration most);
  void Wait();

 private:
  bool came_ = false;
};

}  // namespace baton::batond
