// A router that acknowledges exactly what the test tells it to, over a real stream.
#pragma once

#include <functional>
#include <string>

#include "tests/server/running_service.h"
#include "tests/server/scripted_stream.h"

namespace baton {

class ScriptedRouter : ScriptedStream<v2::RouteConsumerMessage, v2::RouteMessage> {
 public:
  // Says hello, and waits for the whole table. Its stream breaks off with it: no goodbye.
  ScriptedRouter(RunningService& service, const std::string& id);

  // Each waits for the message that says so.
  bool WasToldToServe(const std::string& actual_id);
  bool WasToldToDrain(const std::string& actual_id);
  // Acknowledges all that it was told so far.
  void Apply();
  // Reports that the instance has no more connections.
  void Drained(const std::string& actual_id);
  // The load of one instance, and of nothing else.
  void SayLoad(const std::string& actual_id, std::int64_t sessions, double requests_per_s);
  // Waits for the message that names the app as one whose load is wanted, or no more.
  bool WasToldToMeasure(const std::string& process_guid);
  bool WasToldNotToMeasure(const std::string& process_guid);
  // From here on until FallSilent or its end, so that its lease runs.
  void KeepBeating();
  // No word any more; its stream stays.
  void FallSilent();
  void SayGoodbye();
  // What no protocol has.
  void SayNothing() { Send({}); }
  // Waits until batond ends the stream; when it says to come back, in milliseconds, 0 where it does not.
  std::int64_t EndedWithHint();

 private:
  bool Await(const std::function<bool(const v2::RouteMessage&)>& heard);
};

}  // namespace baton
