// Who looks at the page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/access/identity.h"

namespace baton::web {

struct Person {
  std::string name;           // [A-Za-z0-9._-], 1 to 64
  Role role = Role::kViewer;  // viewer, operator or admin

  bool operator==(const Person&) const = default;
};

// "VIEWER", "OPERATOR", "ADMIN".
std::string RoleWord(Role role);
// Of "viewer", "operator", "admin"; nothing: another word.
std::optional<Role> PageRole(std::string_view word);
bool IsPersonName(std::string_view name);

}  // namespace baton::web
