// Traffic against an app behind a proxy, and an honest account of what became of it. A request is sent when its time
// has come, whatever became of those before; half of them each on a new connection, half on kept-alive ones; some are
// slow. Nothing is retried: anything but a 200 with a well-formed body, in time, is a failure.
//
// One thing is none: HTTP lets the other side close a kept-alive connection while nothing is asked on it. If that is
// noticed before a byte of the next request is written, the request goes on another connection, and a reconnect is
// counted. If the close crosses a request on its way, that is a failure, though HTTP would allow it: a proxy that does
// so to a client without retries has lost a request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/load/instance_span.h"
#include "tools/load/options.h"
#include "tools/load/record.h"
#include "tools/load/snapshot.h"

namespace baton::load {

class Load {
 public:
  // Starts it in a thread of its own, which takes over the caller's signal mask. Throws std::invalid_argument for
  // options that make no sense and boost::system::system_error for a host name that is not found; a target that does
  // not answer is a failed request.
  static std::unique_ptr<Load> Start(LoadOptions options);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  // All of these may be called by any thread at any time.

  // Milliseconds since the start, by the steady clock: the time of all records.
  std::int64_t NowMs() const;
  // The start in nanoseconds since 1970, by the system's clock as it was then: a record's time is this plus its
  // milliseconds. For setting records beside the times of other programs of this machine.
  std::int64_t started_at() const;
  LoadSnapshot Snapshot() const;
  // See serving.h. Counts answers of fast requests by the time of the answer. What lies after now, or after Stop, is
  // not traffic and left out of [from_ms, to_ms].
  std::optional<int> MinServing(std::int64_t from_ms, std::int64_t to_ms) const;
  // About 60 bytes each, kept to the end: at 200 requests a second, 43 MB an hour.
  std::vector<AnswerRecord> Answers() const;
  // Of every instance that has answered so far.
  InstanceSpans Spans() const;
  // All of this and a line for each second, as JSON.
  std::string Report() const;

  // Sends no more, waits for what is in flight (at most the timeout and a second), and ends the thread. Once is enough.
  void Stop();

 private:
  struct Impl;
  explicit Load(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace baton::load
