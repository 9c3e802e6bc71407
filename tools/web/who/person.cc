#include "tools/web/who/person.h"

#include <algorithm>

namespace baton::web {

std::string RoleWord(Role role) {
  std::string word(Name(role));
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

std::optional<Role> PageRole(std::string_view word) {
  const std::optional<Role> role = ParseRole(word);
  if (role == Role::kViewer || role == Role::kOperator || role == Role::kAdmin) return role;
  return std::nullopt;
}

bool IsPersonName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name != "." && name != ".." && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace baton::web
