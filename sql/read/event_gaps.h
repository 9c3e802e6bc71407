// Sequences that are missing in the outbox. One was either rolled back, or its transaction is still open and may commit
// it later: readers may not pass it until every such transaction has ended.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace baton {

class EventGaps {
 public:
  using Writers = std::set<std::string>;

  // `writers`: who may still write an event, asked for before the rows were read. True: `sequence` will never come.
  // `now`: asked for after the rows were read, of a gap that is met for the first time.
  template <class AskNow>
  bool IsDead(std::int64_t sequence, const Writers& writers, AskNow&& now) {
    if (sequence != sequence_) {
      sequence_ = sequence;
      suspects_ = now();
      return false;  // one of them may have committed it since the rows were read: look again
    }
    std::erase_if(suspects_, [&](const std::string& suspect) { return !writers.contains(suspect); });
    return suspects_.empty();
  }
  // A gap was met, and is not settled: the next look asks for writers before it reads.
  bool met() const { return sequence_ != 0; }
  // Its transaction committed after all, or it was passed.
  void Forget() { sequence_ = 0; }

 private:
  std::int64_t sequence_ = 0;
  Writers suspects_;
};

}  // namespace baton
