#include "tools/shim/account.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace baton::shim {
Result<Account> FindAccount(const std::string& user) {
  if (user.empty()) return Account{};
  const passwd* entry = getpwnam(user.c_str());
  if (entry == nullptr) return InvalidArgument("there is no user " + user + " on this machine");
  const bool switches = entry->pw_uid != geteuid();
  if (switches && geteuid() != 0) return InvalidArgument("only root can run as user " + user);
  return Account{user, switches, entry->pw_uid, entry->pw_gid};
}

Status BecomeAccount(const Account& account) {
  if (!account.switches) return Done{};
  if (initgroups(account.user.c_str(), account.gid) == 0 && setgid(account.gid) == 0 && setuid(account.uid) == 0) {
    return Done{};
  }
  return InvalidArgument("cannot become user " + account.user + ": " + std::strerror(errno));
}

Status BecomeUser(const std::string& user) {
  const Result<Account> account = FindAccount(user);
  return account ? BecomeAccount(*account) : Status(account.error());
}

}  // namespace baton::shim
