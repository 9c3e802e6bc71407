// The migrator's own tables: control.sql.
#pragma once

namespace baton {

class Session;

// Makes what is missing of them; within a transaction. Again and again, by programs of any version.
void MakeControlTables(Session& session);

}  // namespace baton
