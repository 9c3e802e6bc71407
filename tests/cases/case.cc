#include "tests/cases/case.h"

#include "tests/cases/kinds.h"

namespace baton::cases {
namespace {

std::string Differences(const Json& expect, const Json& ours) {
  std::string text;
  for (const auto& [key, value] : expect.items()) {
    if (ours.at(key) != value)
      text += (text.empty() ? "" : ", ") + key + " is " + ours.at(key).dump() + ", not " + value.dump();
  }
  return text;
}

}  // namespace

Result<std::vector<Case>> ReadCases(const std::string& text) {
  const auto wrong = [](const std::string& what) { return Error{ErrorKind::kInvalidArgument, what, {}}; };
  const Json all = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (all.is_discarded()) return wrong("it is no JSON");
  if (!all.is_object() || !all.contains("cases") || !all["cases"].is_array()) return wrong("it has no list `cases`");
  std::vector<Case> cases;
  for (const Json& one : all["cases"]) {
    const std::string which = "case " + std::to_string(cases.size() + 1);
    if (!one.is_object()) return wrong(which + " is no object");
    for (const char* member : {"id", "kind", "for_us"}) {
      if (!one.contains(member) || !one[member].is_string()) return wrong(which + " has no text `" + member + "`");
    }
    for (const char* member : {"given", "expect"}) {
      if (!one.contains(member) || !one[member].is_object()) return wrong(which + " has no object `" + member + "`");
    }
    cases.push_back({one["id"], one["kind"], one.value("title", ""), one["given"], one["expect"], one["for_us"]});
  }
  return cases;
}

Judged Judge(const Case& one) {
  const auto mapping = Kinds().find(one.kind);
  if (mapping == Kinds().end()) return {Verdict::kUnmapped, "there is no mapping for kind " + one.kind};
  Answer answer;
  try {
    answer = mapping->second(one);
  } catch (const Json::exception& error) {
    answer = Unmapped(std::string("it is not of the form of its kind: ") + error.what());
  }
  if (!answer.unmapped.empty()) return {Verdict::kUnmapped, answer.unmapped};
  for (const auto& [key, value] : one.expect.items()) {
    if (!answer.ours.contains(key)) return {Verdict::kUnmapped, "`" + key + "` has no counterpart here"};
  }
  const std::string differences = Differences(one.expect, answer.ours);
  if (differences.empty()) return {Verdict::kAgree, ""};
  if (answer.rule.empty()) return {Verdict::kDisagree, differences};
  return {Verdict::kDiffersOnPurpose, answer.rule};
}

}  // namespace baton::cases
