#include "schema/legacy/findings.h"

#include "orchestrator/base/check.h"
#include "orchestrator/wire/limits/text.h"
#include "sql/session/columns.h"

namespace baton {

std::string_view Name(LegacyFinding::Kind kind) {
  switch (kind) {
    case LegacyFinding::Kind::kRow: return "ROW";
    case LegacyFinding::Kind::kField: return "FIELD";
    case LegacyFinding::Kind::kNote: return "NOTE";
  }
  CHECK(false);
}

LegacyFinding::Kind ParseFindingKind(std::string_view name) {
  if (name == "FIELD") return LegacyFinding::Kind::kField;
  return name == "NOTE" ? LegacyFinding::Kind::kNote : LegacyFinding::Kind::kRow;
}

void KeepFindings(Session& session, const std::vector<LegacyFinding>& findings) {
  Columns columns(5);
  for (const LegacyFinding& f : findings) {
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
