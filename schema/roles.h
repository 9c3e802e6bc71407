// The roles of a database: roles.sql.
#pragma once

namespace baton {

class Session;
struct SessionError;

// Makes them, and gives them what is there. `superuser` is one, connected to Baton's database. May be done again at any time.
SessionError MakeRoles(Session& superuser);

}  // namespace baton
