// Which domain owns a host name: the first whose app routes it. All apps of that domain may route it; an app of another
// domain would get a share of its traffic, cookies included. Kept in the leader's memory, from the loaded rows and each
// commit since. A requested name is reserved until its commit has ended, so that one of two concurrent calls gets it.
// Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

#include "orchestrator/base/result.h"
#include "orchestrator/model/app_state.h"

namespace baton {

class HostOwners {
 public:
  // A call that may bring new names; they are its until it goes.
  class Hold {
   public:
    explicit Hold(HostOwners& owners) : owners_(owners) {}
    ~Hold() { owners_.LetGo(this); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    // Within the deciding transaction, again where it is tried again. FAILED_PRECONDITION where another domain has one of the names
    // that `routes` has and `before` has not, or the wildcard that covers it.
    Status Take(const std::string& domain, const Routes& routes, const Routes& before);

   private:
    HostOwners& owners_;
  };

  // Whether it would be taken.
  Status Check(const std::string& domain, const Routes& routes, const Routes& before) const;

  void Clear();
  // The app as it is committed; one that is desired no more lets go of its names. Of apps that have had the same name since before
  // this rule, each keeps it.
  void Set(const AppState& app);
  // Of an app that is desired; empty: it is not.
  std::string DomainOf(const ProcessGuid& guid) const;

 private:
  struct App {
    std::string domain;
    std::set<std::string> names;
  };
  void LetGo(const Hold* hold);
  Status CheckLocked(const std::string& domain, const std::set<std::string>& names) const;
  // Another domain that owns this very name; empty: none.
  std::string OtherOwner(const std::string& domain, const std::string& name) const;
  void Count(const App& app, int by);

  mutable std::mutex mutex_;
  std::map<ProcessGuid, App> apps_;
  std::unordered_map<std::string, std::map<std::string, int>> owners_;  // by name, by domain: how many apps and holds
  std::map<const Hold*, App> held_;
};

}  // namespace baton
