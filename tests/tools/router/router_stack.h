// baton-router as a process, in a folder of its own, with a scripted batond; all of it gone at the end, HAProxy too.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/tools/router/http_instance.h"
#include "tests/tools/router/scripted_routes.h"
#include "tools/router/haproxy/haproxy_config.h"
#include "tools/router/haproxy/haproxy_view.h"
#include "tools/system/spawn.h"

namespace baton::router {

class RouterStack {
 public:
  RouterStack();
  ~RouterStack();
  RouterStack(const RouterStack&) = delete;
  RouterStack& operator=(const RouterStack&) = delete;

  ScriptedRoutes& routes() { return routes_; }
  int port() const { return port_; }
  const HaproxyFiles& files() const { return files_; }

  // A router that spawns HAProxy, and one that joins the HAProxy of StartHaproxy.
  void Spawn(const std::vector<std::string>& more = {});
  void Join(const std::vector<std::string>& more = {});
  // A HAProxy of the configuration that `baton-router config` prints. With a pool of that size.
  void StartHaproxy(std::size_t backends, const std::string& more = "");
  void StartHaproxyOf(const std::string& config);  // the text of its configuration
  void KillHaproxy();  // master and workers, at once
  void ReloadHaproxy();

  void KillRouter();
  // SIGTERM; false if it did not end in time.
  bool StopRouter(std::chrono::milliseconds limit = std::chrono::seconds(20));
  void SignalRouter(int signal) const { router_->Signal(signal); }
  bool router_running() const { return router_ && router_->Running(); }
  std::string RouterLog() const;

  // By the runtime socket.
  std::vector<std::string> Ask(const std::vector<std::string>& commands) const;
  std::optional<HaproxyView> Look() const;
  int WorkerPid() const;
  int MasterPid() const;

  struct Output {
    int status = -1;
    std::string text;
  };
  Output RouterCommand(const std::string& arguments) const;  // of baton-router, run to its end

 private:
  void Start(std::vector<std::string> arguments);

  std::string dir_;
  HaproxyFiles files_;
  int port_;
  ScriptedRoutes routes_;
  std::optional<Process> router_;
  std::optional<Process> haproxy_;
};

}  // namespace baton::router
