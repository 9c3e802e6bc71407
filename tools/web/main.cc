// baton-web: Baton for people with a browser. docs/guide/dashboard.md is its page.
#include <CLI/CLI.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iostream>

#include "orchestrator/model/version.h"
#include "tools/command_line/mistake.h"
#include "tools/logging/json_log.h"
#include "tools/logging/library_logs.h"
#include "tools/metrics/prometheus_metrics.h"
#include "tools/system/keep_private.h"
#include "tools/tls/notes.h"
#include "tools/web/command_line.h"
#include "tools/web/web.h"

namespace baton::web {
namespace {

constexpr int kWorked = 0;
constexpr int kFailed = 1;
constexpr int kUsage = 2;

int Complain(const std::string& what, int status) {
  std::cerr << "baton-web: " << what << '\n';
  return status;
}

int Run(const WebOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);  // whoever read the log may be gone
  if (const std::string fault = FaultIn(options); !fault.empty()) return Complain(fault, kUsage);
  PrometheusMetrics metrics(WebMetricsTable());
  metrics.Set("baton_build_info", 1, kAppVersion);
  if (!options.metrics.empty()) {
    if (const Status exposed = metrics.Expose(options.metrics); !exposed)
      return Complain(exposed.error().message, kFailed);
  }
  JsonLog log("baton-web", options.debug ? LogLevel::kDebug : LogLevel::kInfo, LogPrefixOf(options.log_prefix));
  const LibraryLogs libraries(log);
  std::shared_ptr<Tls> tls;
  if (!options.tls.empty()) {
    auto opened = OpenTlsAs({Role::kWeb, options.id}, options.tls, log, metrics);
    if (!opened) return Complain(opened.error().message, kFailed);
    tls = *std::move(opened);
  }
  Result<Methods> methods = Methods::Make();
  if (!methods) return Complain(methods.error().message, kFailed);
  boost::asio::io_context loop(1);
  boost::asio::signal_set stop(loop, SIGTERM, SIGINT);
  Web web(loop, options, *std::move(methods), tls ? tls->ForClient() : nullptr, log, metrics);
  if (const Status started = web.Start(); !started) return Complain(started.error().message, kFailed);
  log.Info("web_started", {{"listen", options.listen}, {"port", web.port()}, {"batond", options.batond.front()}});
  stop.async_wait([&](const boost::system::error_code&, int) {
    web.Stop();
    loop.stop();
  });
  loop.run();
  log.Info("web_stopped");
  return kWorked;
}

int PrintToken(const WebOptions& options) {
  if (!IsPersonName(options.person)) return Complain("a name is of [A-Za-z0-9._-], at most 64", kUsage);
  const NewToken made = MakeToken({options.person, *PageRole(options.role)});
  std::cout << "token (told once; log in with it):  " << made.token
            << "\nline for the file of --tokens:       " << made.line << '\n';
  return kWorked;
}

int Main(int argc, char** argv) {
  KeepMemoryPrivate();
  CLI::App app(kAbout, "baton-web");
  WebOptions options;
  Declare(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return EndOf(app, error, std::cout, std::cerr);
  }
  return app.got_subcommand("token") ? PrintToken(options) : Run(options);
}

}  // namespace
}  // namespace baton::web

int main(int argc, char** argv) { return baton::web::Main(argc, argv); }
