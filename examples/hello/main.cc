// The program `hello`; see README.md beside this file.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string_view>

#include "examples/hello/options.h"
#include "examples/hello/server.h"

namespace baton::examples {
namespace {

void Log(const nlohmann::ordered_json& line) {
  std::puts(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

void Serve(const HelloOptions& options) {
  asio::io_context io(1);
  Server server(io, options);
  asio::signal_set signals(io, SIGTERM, SIGINT);
  signals.async_wait([&](error_code error, int) {
    if (error) return;
    server.Drain();
    signals.clear();  // a second signal ends it at once
  });
  Log({{"event", "hello.started"},
       {"bind", options.bind},
       {"port", server.port()},
       {"version", options.version},
       {"index", options.index},
       {"instance", options.instance},
       {"pid", getpid()}});
  io.run();
  Log({{"event", "hello.stopped"}, {"answered", server.answered()}});
}

int Main(int argc, char** argv) {
  if (argc > 1) {
    const bool help = argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h");
    std::fputs(HelloHelp().data(), help ? stdout : stderr);
    return help ? 0 : 2;
  }
  HelloOptions options;
  try {
    options = ReadHelloOptions(std::getenv);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "hello: %s\n", error.what());
    return 2;
  }
  try {
    Serve(options);
  } catch (const boost::system::system_error& error) {
    std::fprintf(stderr, "hello: cannot listen on %s port %d: %s\n", options.bind.c_str(), options.port, error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace baton::examples

int main(int argc, char** argv) { return baton::examples::Main(argc, argv); }
