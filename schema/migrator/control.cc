#include "schema/migrator/control.h"

#include "embedded_control.h"
#include "schema/migrator/steps.h"
#include "sql/session/session.h"

namespace baton {
namespace {

// The table that it makes unless it is there; empty: it does something else.
std::string MadeBy(std::string_view statement) {
  constexpr std::string_view kBegin = "IF NOT EXISTS ";
  const std::size_t at = statement.find(kBegin);
  if (at == std::string_view::npos) return "";
  statement.remove_prefix(at + kBegin.size());
  return std::string(statement.substr(0, statement.find_first_of(" (\n")));
}

}  // namespace

void MakeControlTables(Session& session) {
  for (const std::string& statement : StatementsOf(control::Files()[0].text)) {
    // A role that may not make tables is refused even where there is nothing to make.
    if (const std::string table = MadeBy(statement); !table.empty() && session.Run("HasTable", {table})[0].Bool()) continue;
    session.RunScript(statement);
  }
}

}  // namespace baton
