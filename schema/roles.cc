#include "schema/roles.h"

#include <string>

#include "embedded_roles.h"
#include "sql/session/session.h"

namespace baton {

SessionError MakeRoles(Session& superuser) { return superuser.RunAlone(std::string(roles::Files()[0].text)); }

}  // namespace baton
