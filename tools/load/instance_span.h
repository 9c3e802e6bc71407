// From when until when an instance answered, by its answers alone.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "tools/load/record.h"

namespace baton::load {

// Times are in milliseconds since the load's start.
struct InstanceSpan {
  std::string version;
  int index = 0;
  // The ends of its first and of its last answer, slow ones included.
  std::int64_t first_answer_ms = 0;
  std::int64_t last_answer_ms = 0;
  // When the latest of the requests that it answered was due. It was given to the instance at this time or later.
  std::int64_t last_due_ms = 0;
  std::int64_t answers = 0;
};

// By the instance's guid. What does not say who it is (an empty guid) is left out.
using InstanceSpans = std::map<std::string, InstanceSpan, std::less<>>;

// `answers` may be in any order.
InstanceSpans SpansOf(std::span<const AnswerRecord> answers);

}  // namespace baton::load
