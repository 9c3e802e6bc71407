// Where every write of an app goes through: writes stop while the data is switched from one layout to the other, and it
// says which other layout is kept in step. Of one process: who does not lead writes nothing anyway.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "orchestrator/base/time.h"

namespace baton {

class DualWriter;

class WriteGate {
 public:
  // One write that is under way.
  class Passage {
   public:
    ~Passage();
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;
    explicit operator bool() const { return may_; }
    DualWriter* dual_writer() const { return dual_writer_; }
    const std::string& why_not() const { return why_; }

   private:
    friend class WriteGate;
    Passage(WriteGate& gate, bool may, DualWriter* dual_writer, std::string why)
        : gate_(gate), may_(may), dual_writer_(dual_writer), why_(std::move(why)) {}
    WriteGate& gate_;
    const bool may_;
    DualWriter* const dual_writer_;
    const std::string why_;
  };
  // Never blocks.
  Passage Enter();
  // Until writes may begin, or the time is over.
  void Wait(Duration most);

  // While it lives no write begins; it is there when those under way have ended. One at a time. False where they have not
  // within `most`: one that waits for somebody's lock must not stop all others for as long.
  class Stop {
   public:
    Stop(WriteGate& gate, std::string why, std::optional<Duration> most = std::nullopt);
    ~Stop();
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;
    explicit operator bool() const { return holds_; }
    // What writes are kept in step with from now on; null: nothing.
    void SetDualWriter(DualWriter* dual_writer);

   private:
    WriteGate& gate_;
    bool holds_ = true;
  };

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  std::condition_variable opened_;
  int under_way_ = 0;
  bool stopped_ = false;
  std::string why_;
  DualWriter* dual_writer_ = nullptr;
};

}  // namespace baton
