// Who watches which app's rolls: told when something of the app was committed, looks for itself what it was.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "orchestrator/model/id.h"

namespace baton {

class RollHub {
 public:
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void Changed() = 0;  // brief, and never blocking
  };

  void Add(const ProcessGuid& guid, const std::shared_ptr<Watcher>& watcher);
  void Notify(const ProcessGuid& guid);
  // All of them: leadership was lost.
  void NotifyAll();

 private:
  std::mutex mutex_;
  std::multimap<ProcessGuid, std::weak_ptr<Watcher>> watchers_;
};

}  // namespace baton
