#include "baton/v2/admin_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

std::string Milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", ms);
  return text;
}

std::string PassWords(std::int64_t at, double ms, std::int64_t now) {
  return at == 0 ? "not yet" : Age(at, now) + " ago, took " + Milliseconds(ms);
}

// Everything that is amiss or was; in full with -o wide.
Table Categories(const v2::ConvergenceResponse& report, bool all) {
  Table table{{"CATEGORY", "NOW", "SINCE IT LEADS", "PUT RIGHT", "FOR EXAMPLE"}, {}};
  if (all) table.columns_max = 0;
  for (const auto& category : report.categories()) {
    if (!all && category.found_total() == 0) continue;
    std::string examples;
    for (const std::string& example : category.examples()) {
      if (!all && examples.size() > 60) {
        examples += ", ...";
        break;
      }
      examples += (examples.empty() ? "" : ", ") + example;
    }
    table.rows.push_back({category.name(), std::to_string(category.found()), std::to_string(category.found_total()),
                          category.repaired() ? "by itself" : "by you", examples});
  }
  return table;
}

std::string ConvergenceWords(const v2::ConvergenceResponse& report, bool all, std::int64_t now) {
  std::string text = Render(std::vector<Fact>{
      {"Incremental pass", PassWords(report.incremental_at(), report.incremental_ms(), now)},
      {"Count pass", PassWords(report.count_at(), report.count_ms(), now)},
      {"Audit", PassWords(report.audit_at(), report.audit_ms(), now)},
      {"Failed passes", report.failed() == 0 ? "" : std::to_string(report.failed()) + ", the last one: " +
                                                        report.last_failure()},
      {"Limits", std::to_string(report.lost_cells_percent()) + " % of the cells lost at once, " +
                     std::to_string(report.lost_instances_most()) + " instances replaced by a pass, silence waited out for " +
                     HumanDuration(report.wait_out_ms())},
  });
  for (const auto& cell : report.waited_out()) {
    text += "cell " + cell.cell_id() + " is silent and waited out: " + OneLine(cell.reason()) +
            (cell.until() > now ? "; until " + HumanTime(cell.until()) : "") + "\n";
  }
  const Table table = Categories(report, all);
  text += "\n" + (table.rows.empty() ? std::string("Nothing was amiss. -o wide lists what is looked for.\n")
                                     : Render(table));
  return text;
}

}  // namespace

int Convergence(Session& session) {
  v2::ConvergenceRequest request;
  request.set_run(session.arguments.run);
  const auto report = session.api.Ask<v2::Admin>("convergence", &v2::Admin::Stub::Convergence, request);
  switch (session.arguments.output) {
    case Output::kJson: session.io.out << ToJson(report); break;
    case Output::kYaml: session.io.out << ToYaml(report); break;
    default: session.io.out << ConvergenceWords(report, session.arguments.output == Output::kWide, session.io.now());
  }
  for (const auto& category : report.categories()) {
    if (!category.repaired() && category.found() > 0) return kFailed;  // an operator has to act
  }
  return kDone;
}

}  // namespace baton::cli
