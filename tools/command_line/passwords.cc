#include "tools/command_line/passwords.h"

#include <libpq-fe.h>

#include <memory>
#include <string_view>

namespace baton {

bool HasPassword(const std::string& database) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(PQconninfoParse(database.c_str(), nullptr),
                                                                            &PQconninfoFree);
  if (!parsed) return false;
  for (const PQconninfoOption* option = parsed.get(); option->keyword; ++option) {
    if (std::string_view(option->keyword).ends_with("password") && option->val && *option->val) return true;  // sslpassword, too
  }
  return false;
}

std::string PasswordShown(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::size_t value = word.starts_with("--") ? word.find('=') : std::string_view::npos;
    if (!HasPassword(std::string(value == std::string_view::npos ? word : word.substr(value + 1)))) continue;
    return "there is a password on the command line, and everybody who lists this machine's processes reads it: keep it in a "
           "passfile of mode 0600 (passfile=FILE in place of password=, or PGPASSFILE), or give the whole of --database in "
           "BATON_DATABASE";
  }
  return "";
}

}  // namespace baton
