// What `rollout status --watch` and `--wait` show: on a terminal a picture that is drawn again and again, elsewhere a
// line for each step.
#pragma once

#include <string>
#include <vector>

#include "baton/v2/rolls_service.pb.h"

namespace baton::cli {

// A piece of a line, with its colour (SGR code; nullptr: none).
struct Span {
  std::string text;
  const char* colour = nullptr;
};
using StyledLine = std::vector<Span>;

struct Screen {
  int columns = 80;
  int rows = 24;
  bool colour = false;
};

// What was told of one roll so far; fed with the answers of WatchRoll, from one stream or, after a reconnect, several.
class WatchedRoll {
 public:
  // The steps of `response` that were not told before. What is older than what was told is dropped: after a reconnect
  // another batond may know less for a moment.
  std::vector<v2::RollStep> Take(const v2::WatchRollResponse& response);

  bool known() const { return known_; }
  const v2::Roll& roll() const { return roll_; }
  // What to ask for next.
  std::int64_t after_sequence() const { return sequence_; }
  // Wanted slots when it was last open: a finished roll does not say.
  int instances() const { return instances_; }
  const std::vector<v2::RollStep>& latest() const { return latest_; }

 private:
  v2::Roll roll_;
  bool known_ = false;
  std::int64_t sequence_ = 0;
  int instances_ = 0;
  std::vector<v2::RollStep> latest_;  // the last few, for the foot of the picture
};

// The picture: head, progress, slots, the last steps. Never more than screen.rows - 1 lines.
std::vector<StyledLine> Picture(const WatchedRoll& watched, std::int64_t now, const Screen& screen, bool reconnecting);

// Lines, cut at screen.columns so that none wraps, ended by '\n'.
std::string Paint(const std::vector<StyledLine>& lines, const Screen& screen);

// "12:03:09 +4s slot 1 handed_over v2: text" of a step; opened_at: when its roll was opened.
std::string StepLine(const v2::RollStep& step, std::int64_t opened_at);

// "roll ID of APP: v1 -> v2", and how it ended or stands: "COMPLETED after 42s: reason".
std::string HeadLine(const v2::Roll& roll);
std::string EndLine(const v2::Roll& roll, std::int64_t now);

// What to do about a roll that ended, or is held, other than well; empty: nothing.
std::string Advice(const v2::Roll& roll);

}  // namespace baton::cli
