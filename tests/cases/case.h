// Cases of other orchestrators, told again as data (peers.json), and what becomes of one when our planner meets it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton::cases {

using Json = nlohmann::json;

struct Case {
  std::string id;
  std::string kind;
  std::string title;
  Json given;          // what was there
  Json expect;         // what the other orchestrator decides
  std::string for_us;  // "same", or how and why we differ
};

// INVALID_ARGUMENT naming the case and the member that is wrong.
Result<std::vector<Case>> ReadCases(const std::string& text);

// What our own decision is, in the words of `expect`.
struct Answer {
  Json ours = Json::object();
  std::string unmapped;  // why it cannot be put to our planner
  // The clause of docs/internals/rolls.md by which we decide otherwise where `ours` is not `expect`. Empty: we have no
  // excuse.
  std::string rule;
};
inline Answer Unmapped(std::string reason) { return {.unmapped = std::move(reason)}; }

enum class Verdict { kAgree, kDiffersOnPurpose, kDisagree, kUnmapped };
struct Judged {
  Verdict verdict = Verdict::kUnmapped;
  std::string text;  // the rule, what is otherwise, or the reason
};
Judged Judge(const Case& one);

}  // namespace baton::cases
