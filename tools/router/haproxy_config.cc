#include "tools/router/haproxy_config.h"

#include <charconv>
#include <map>

#include "tools/router/naming.h"
#include "tools/router/route_plan.h"

namespace baton {
namespace {

// The format's number rises with each change of the text below.
std::string ShapeStart(const ConfigShape& shape) {
  return "# Made by baton-router, format 2; do not edit. listen=" + shape.listen +
         " retries=" + std::to_string(shape.retries) + " backends=";
}

std::string Global(const HaproxyFiles& files) {
  return "global\n"
         "  stats socket " +
         files.socket +
         " mode 600 level admin\n"
         "  stats timeout 1m\n"
         "  # A worker that was replaced by a reload ends at the latest then, with the connections it still has.\n"
         "  hard-stop-after 15m\n\n";
}

// Why these: docs/router.md, "What HAProxy does (measured)".
std::string Defaults(int retries) {
  const std::string number = std::to_string(retries);
  // A request that is not to be repeated may still be given to another endpoint where it never reached the first.
  const std::string more = retries == 0 ? "" : "  option redispatch 1\n  retry-on conn-failure empty-response\n";
  return "defaults\n"
         "  mode http\n"
         "  balance roundrobin\n"
         "  retries " + number + "\n" + more +
         "  option forwardfor\n"
         "  # On a reload idle client connections get one more answer, with \"Connection: close\", instead of a "
         "reset.\n"
         "  option idle-close-on-response\n"
         "  http-reuse safe\n"
         "  timeout connect 5s\n"
         "  timeout client 60s\n"
         "  timeout server 60s\n"
         "  timeout http-request 30s\n"
         "  timeout http-keep-alive 60s\n"
         "  timeout tunnel 1h\n"
         "  http-error status 502 content-type text/plain string \"the endpoint gave no valid answer\\n\""
         " hdr X-Baton-Error endpoint_failed\n"
         "  http-error status 503 content-type text/plain string \"the endpoint could not be reached\\n\""
         " hdr X-Baton-Error endpoint_unreachable\n"
         "  http-error status 504 content-type text/plain string \"the endpoint did not answer in time\\n\""
         " hdr X-Baton-Error endpoint_timeout\n\n";
}

std::string Frontend(const ConfigShape& shape, const HaproxyFiles& files) {
  return "frontend baton\n"
         "  bind " +
         shape.listen +
         "\n"
         "  bind unix@" +
         files.next +
         " mode 600\n"
         "  # After a reload this worker is out of date, and its servers cannot be changed any more (\"Proxy is "
         "disabled\"):\n"
         "  # requests that still come in on kept-alive connections are handed on to the new worker.\n"
         "  use_backend " +
         std::string(kNextBackend) + " if { stopping } !{ str(" + kFinalFlag + "),map(" + files.flags +
         ") -m found }\n"
         "  use_backend %[req.hdr(host),host_only,rtrim(.),lower,map(" +
         files.map + "," + std::string(kNoRouteBackend) +
         ")]\n"
         "  default_backend " +
         std::string(kNoRouteBackend) + "\n\n";
}

std::string FixedBackends(const HaproxyFiles& files) {
  return "backend " + std::string(kNextBackend) +
         "\n"
         "  server next unix@" +
         files.next +
         "\n\n"
         "backend " +
         std::string(kNoRouteBackend) +
         "\n"
         "  http-request return status 404 content-type text/plain string \"no route for this host name\\n\""
         " hdr X-Baton-Error unknown_route\n\n"
         "backend " +
         std::string(kFullBackend) +
         "\n"
         "  http-request return status 503 content-type text/plain"
         " string \"the router has no backend left for this host name\\n\" hdr X-Baton-Error pool_exhausted\n";
}

std::string PoolBackend(const std::string& name, const RouteTable::Endpoints* endpoints, int retries) {
  // A stopping worker's nbsrv is 0 whatever it has (measured): it goes by its servers instead.
  std::string text = "\nbackend " + name +
                     "\n  http-request return status 503 content-type text/plain"
                     " string \"no endpoint for this host name\\n\" hdr X-Baton-Error no_endpoints"
                     " if !{ stopping } { nbsrv eq 0 }\n";
  if (retries > 0) text += "  http-request disable-l7-retry unless { method GET HEAD OPTIONS }\n";
  if (endpoints == nullptr) return text;
  for (const auto& [actual_id, endpoint] : *endpoints) {
    if (endpoint.draining) continue;
    text +=
        "  server " + actual_id + " " + ServerAddress(endpoint.address, endpoint.port) + " " + kServerOptions + "\n";
  }
  return text;
}

}  // namespace

HaproxyFiles::HaproxyFiles(const std::string& dir)
    : config(dir + "/haproxy.cfg"), socket(dir + "/haproxy.sock"), master(dir + "/master.sock"),
      map(dir + "/hosts.map"), flags(dir + "/flags.map"), next(dir + "/next.sock"), log(dir + "/haproxy.log") {}

std::string ShapeLine(const ConfigShape& shape) {
  return ShapeStart(shape) + std::to_string(shape.backends) + "\n";
}

bool ShapeFits(std::string_view first_line, const ConfigShape& shape) {
  const std::string start = ShapeStart(shape);
  if (!first_line.starts_with(start)) return false;
  std::size_t backends = 0;
  std::from_chars(first_line.data() + start.size(), first_line.data() + first_line.size(), backends);
  return backends >= shape.backends;
}

std::string MakeConfig(const ConfigShape& shape, const HaproxyFiles& files, const RouteTable& table,
                       const BackendAssignment& assignment) {
  std::map<std::string, const RouteTable::Endpoints*> wanted;
  for (const auto& [hostname, backend] : assignment.backend_of) wanted[backend] = &table.hosts().at(hostname);
  std::string text = ShapeLine(shape) + Global(files) + Defaults(shape.retries) + Frontend(shape, files) + FixedBackends(files);
  for (std::size_t i = 0; i < shape.backends; ++i) {
    const std::string name = PoolBackendName(i);
    const auto found = wanted.find(name);
    text += PoolBackend(name, found == wanted.end() ? nullptr : found->second, shape.retries);
  }
  return text;
}

std::string MakeHostMap(const BackendAssignment& assignment) {
  std::string text;
  for (const auto& [hostname, backend] : assignment.backend_of) text += hostname + " " + backend + "\n";
  for (const std::string& hostname : assignment.unserved) text += hostname + " " + std::string(kFullBackend) + "\n";
  return text;
}

}  // namespace baton
