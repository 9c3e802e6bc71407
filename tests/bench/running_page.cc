#include "tests/bench/running_page.h"

#include "orchestrator/base/check.h"
#include "tools/stack/free_port.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton::bench {

RunningPage::RunningPage(Rig& rig)
    : port_(stack::FreePort()), log_(rig.Path("web-" + std::to_string(port_) + ".log")),
      program_({.name = "baton-web",
                .command = {stack::OwnDirectory() + "/baton-web", "run", "--batond", rig.address(), "--listen",
                            "127.0.0.1:" + std::to_string(port_)},
                .log = log_}) {
  CHECK(stack::WaitFor(std::chrono::seconds(30), {},
                       [&] { return stack::LastLines(log_, 50).find("web_started") != std::string::npos; }));
}

}  // namespace baton::bench
