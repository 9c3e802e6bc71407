#include "schema/legacy/findings.h"

#include "orchestrator/model/check.h"
#include "orchestrator/wire/text.h"
#include "sql/columns.h"

namespace baton {

std::string_view Name(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kRow: return "ROW";
    case Finding::Kind::kField: return "FIELD";
    case Finding::Kind::kNote: return "NOTE";
  }
  CHECK(false);
}

Finding::Kind ParseFindingKind(std::string_view name) {
  if (name == "FIELD") return Finding::Kind::kField;
  return name == "NOTE" ? Finding::Kind::kNote : Finding::Kind::kRow;
}

void KeepFindings(Session& session, const std::vector<Finding>& findings) {
  Columns columns(5);
  for (const Finding& f : findings) {
    columns.Row()
        .Text(Name(f.kind))
        .Text(wire::Clean(f.table))
        .Text(wire::Clean(f.key))
        .Text(wire::Clean(f.field))
        .Text(wire::Clean(f.reason));
  }
  columns.RunIfAny(session, "InsertLeftOut");
}

}  // namespace baton
