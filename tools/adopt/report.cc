#include "tools/adopt/report.h"

#include <nlohmann/json.hpp>

#include "schema/legacy/findings.h"

namespace baton::adopt {
namespace {

std::int64_t Total(const Summary& summary, LegacyFinding::Kind kind) {
  std::int64_t total = 0;
  for (const auto& count : summary.left_out) total += count.kind == kind ? count.rows : 0;
  return total;
}

// Strings may hold whatever a damaged database does; what is no UTF-8 is replaced.
std::string Line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Status WriteText(std::ostream& out, const Summary& summary, Session& into) {
  if (summary.did_nothing) out << "This source was adopted before: nothing was done.\n";
  if (summary.began_again) out << "The source was written to since the last try: it was read anew.\n";
  out << "taken over:  " << summary.apps << " apps (" << summary.apps << " definitions to be), " << summary.instances
      << " instances, " << summary.domains << " domains\n"
      << "tasks:       " << summary.tasks << " left where they are: Baton runs none\n"
      << "left out:    " << Total(summary, LegacyFinding::Kind::kRow) << " rows, "
      << Total(summary, LegacyFinding::Kind::kField) << " fields\n";
  for (const auto& count : summary.left_out) {
    if (count.kind != LegacyFinding::Kind::kNote) continue;
    out << "noted:       " << count.table << "." << count.field << " of " << count.rows << " apps\n";
  }
  if (summary.complete()) return Done{};
  return ReadLeftOut(into, [&](const LegacyFinding& f) {
    if (f.kind == LegacyFinding::Kind::kNote) return;
    out << f.table << " " << f.key << ": " << (f.field.empty() ? "" : f.field + ": ") << f.reason << "\n";
  });
}

Status WriteJson(std::ostream& out, const Summary& summary, Session& into) {
  const nlohmann::ordered_json head{{"complete", summary.complete()},
                                    {"did_nothing", summary.did_nothing},
                                    {"began_again", summary.began_again},
                                    {"apps", summary.apps},
                                    {"definitions", summary.apps},
                                    {"instances", summary.instances},
                                    {"domains", summary.domains},
                                    {"tasks_left", summary.tasks},
                                    {"rows_left_out", Total(summary, LegacyFinding::Kind::kRow)},
                                    {"fields_left_out", Total(summary, LegacyFinding::Kind::kField)},
                                    {"notes", Total(summary, LegacyFinding::Kind::kNote)}};
  std::string text = Line(head);
  text.pop_back();
  out << text << ",\"left_out\":[";
  const char* separator = "\n";
  const Status status = ReadLeftOut(into, [&](const LegacyFinding& f) {
    out << separator
        << Line({{"kind", Name(f.kind)}, {"table", f.table}, {"key", f.key}, {"field", f.field}, {"reason", f.reason}});
    separator = ",\n";
  });
  out << "]}\n";
  return status;
}

}  // namespace baton::adopt
