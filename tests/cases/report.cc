#include "tests/cases/report.h"

#include <iomanip>
#include <sstream>

namespace baton::cases {
namespace {

constexpr std::string_view kNames[] = {"agree", "differs-on-purpose", "disagree", "unmapped"};

constexpr char kHead[] = R"(# Other orchestrators' cases

`tests/cases/peers.json` holds cases from the public tests of Kubernetes, Cloud Foundry, Nomad, Aurora, Marathon, Argo
and Swarm, told again as data. `build/bin/baton-cases FILE.json` puts each to our planner through one mapping for each
kind (`tests/cases/`) and says how it ends; `cases_test` holds that none ends in `disagree`. This page is printed by
`build/bin/baton-cases --page tests/cases/peers.json`; a test compares.

)";

constexpr char kAssumptions[] = R"(
What the mappings assume: others have no proof that comes first, so the roll has its proof; where a case names no limit
of slots in flight there is none; a slot that is wanted always has a row here, so an instance that is missing there is
one that waits for a cell here.

## Otherwise on purpose

A clause of [rolls.md](../internals/rolls.md) decides. (*) The case's own note says `same`: the clause has the last word.

| case | theirs | the clause |
|---|---|---|
)";

}  // namespace

Report::Report(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    rows_.push_back({one, Judge(one)});
    ++counts_[static_cast<std::size_t>(rows_.back().judged.verdict)];
  }
}

std::string Report::Totals() const {
  std::ostringstream out;
  out << "agree " << counts_[0] << " differs " << counts_[1] << " disagree " << counts_[2] << " unmapped "
      << counts_[3];
  return out.str();
}

std::string Report::Lines() const {
  std::ostringstream out;
  for (const auto& [one, judged] : rows_) {
    out << std::left << std::setw(22) << one.id << " " << kNames[static_cast<std::size_t>(judged.verdict)];
    if (!judged.text.empty()) out << " " << judged.text;
    out << "\n";
  }
  return out.str() + Totals() + "\n";
}

std::string Report::Page() const {
  std::ostringstream out;
  out << kHead << "    " << rows_.size() << " cases: " << Totals() << "\n" << kAssumptions;
  for (const auto& [one, judged] : rows_) {
    if (judged.verdict != Verdict::kDiffersOnPurpose) continue;
    out << "| " << one.id << (one.for_us == "same" ? " (*)" : "") << " | " << one.title << " | " << judged.text
        << " |\n";
  }
  out << "\n## Not mapped\n\n| case | why |\n|---|---|\n";
  for (const auto& [one, judged] : rows_) {
    if (judged.verdict == Verdict::kUnmapped) out << "| " << one.id << " | " << judged.text << " |\n";
  }
  return out.str();
}

}  // namespace baton::cases
