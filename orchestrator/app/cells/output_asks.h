// Requests to cells for their instances' output, until they are answered.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "orchestrator/app/cells/cell_link.h"
#include "orchestrator/app/leader/loop.h"

namespace baton {

// Among CellHello.abilities: the cell answers.
inline constexpr char kShowsOutput[] = "output";

class OutputAsks {
 public:
  static constexpr std::size_t kMax = 100;
  using Done = std::function<void(Result<CellOutput>)>;

  explicit OutputAsks(Loop& loop, Duration timeout = seconds(5)) : loop_(loop), timeout_(timeout) {}

  // --- On the loop.
  // `ask` with the id under which the cell's answer comes; nothing: there are kMax already, and `done` was told so.
  // `done` is called once, on the loop: with what came, or after `timeout`.
  std::optional<OutputAsk> Begin(const CellId& cell, OutputAsk ask, Done done);
  // Ignores an answer to a request that has ended or was never made, and one from another cell.
  void Answer(const CellId& cell, CellOutput output);
  // Ends all waiting requests with UNAVAILABLE and this text; callers may retry with the next leader.
  void EndAll(const std::string& why);

 private:
  struct Pending {
    CellId cell;
    Done done;
  };
  void Expire(std::uint64_t id);

  Loop& loop_;
  Duration timeout_;
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, Pending> pending_;
};

}  // namespace baton
