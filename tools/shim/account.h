// Users of the machine, as actions name them.
#pragma once

#include <sys/types.h>

#include <string>

#include "orchestrator/base/result.h"

namespace baton::shim {

struct Account {
  std::string user;
  bool switches = false;  // it is another than we are
  uid_t uid = 0;
  gid_t gid = 0;
};

// Empty: ourselves. Refused: one that the machine does not have; another one, unless we are root.
Result<Account> FindAccount(const std::string& user);
// For good. Clears the signal that is sent at the parent's death.
Status BecomeAccount(const Account& account);
Status BecomeUser(const std::string& user);

}  // namespace baton::shim
