#include "schema/control.h"

#include "embedded_control.h"
#include "schema/steps.h"
#include "sql/session.h"

namespace baton {

void MakeControlTables(Session& session) {
  for (const std::string& statement : StatementsOf(control::Files()[0].text)) session.RunScript(statement);
}

}  // namespace baton
