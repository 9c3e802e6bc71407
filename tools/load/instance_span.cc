#include "tools/load/instance_span.h"

#include <algorithm>
#include <cmath>

namespace baton::load {

InstanceSpans SpansOf(std::span<const AnswerRecord> answers) {
  InstanceSpans spans;
  for (const AnswerRecord& answer : answers) {
    if (answer.instance.empty()) continue;
    const auto due_ms = answer.at_ms - static_cast<std::int64_t>(std::llround(answer.latency_ms));
    const auto found = spans.find(answer.instance);
    if (found == spans.end()) {
      spans.emplace(answer.instance, InstanceSpan{.version = std::string(answer.version),
                                                  .index = answer.index,
                                                  .first_answer_ms = answer.at_ms,
                                                  .last_answer_ms = answer.at_ms,
                                                  .last_due_ms = due_ms,
                                                  .answers = 1});
      continue;
    }
    InstanceSpan& span = found->second;
    span.first_answer_ms = std::min(span.first_answer_ms, answer.at_ms);
    span.last_answer_ms = std::max(span.last_answer_ms, answer.at_ms);
    span.last_due_ms = std::max(span.last_due_ms, due_ms);
    ++span.answers;
  }
  return spans;
}

}  // namespace baton::load
