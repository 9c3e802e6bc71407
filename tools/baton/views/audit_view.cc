#include "tools/baton/views/audit_view.h"

#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

// What it changed, what was shown, or why it was refused.
std::string What(const v2::AuditEntry& entry) {
  if (entry.outcome() == "REVEALED") {
    return "secrets were shown" + (entry.left_out() > 0 ? " (and " + std::to_string(entry.left_out()) + " times before)" : std::string());
  }
  if (entry.outcome() != "OK") {
    std::string text = entry.outcome() + ": " + OneLine(entry.reason());
    if (entry.left_out() > 0) text += " (and " + std::to_string(entry.left_out()) + " refused before it)";
    return text;
  }
  std::string fields;
  for (const std::string& field : entry.changed()) fields += (fields.empty() ? "" : ", ") + OneLine(field);
  return fields;
}

std::string Who(const v2::AuditEntry& entry) {
  if (entry.identity().empty()) return entry.actor();
  const std::string whom = entry.on_behalf().empty() ? "" : " for " + entry.on_behalf();
  return entry.identity() + whom + " (said: " + entry.actor() + ")";
}

}  // namespace

std::string Words(const v2::ListAuditResponse& audit, bool wide) {
  Table table{{"AT", "ACTOR", "ABOUT", "CALL"}, {}};
  if (wide) {
    table.header.emplace_back("REQUEST");
    table.columns_max = 0;
  }
  table.header.emplace_back("CHANGED OR REFUSED");
  for (const v2::AuditEntry& entry : audit.entries()) {
    const std::string& method = entry.method();
    std::vector<std::string> row{HumanTime(entry.at()), OneLine(Who(entry)),
                                 OneLine(entry.process_guid().empty() ? entry.subject() : entry.process_guid()),
                                 OneLine(wide ? method : method.substr(method.rfind('/') + 1))};
    if (wide) row.push_back(OneLine(entry.request_id()));
    row.push_back(What(entry));
    table.rows.push_back(std::move(row));
  }
  return Render(table);
}

}  // namespace baton::cli
