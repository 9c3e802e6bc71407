#include "tools/router/haproxy/haproxy_config.h"

#include <arpa/inet.h>

#include <charconv>
#include <map>

#include "tools/router/routes/naming.h"
#include "tools/router/routes/route_key.h"
#include "tools/router/routes/route_plan.h"

namespace baton::router {
namespace {

// The answer to a request of a route without endpoints.
constexpr std::string_view kNoEndpointsAnswer =
    "status 503 content-type text/plain string \"no endpoint for this route\\n\" hdr Retry-After 1"
    " hdr X-Baton-Error no_endpoints";

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// The format's number rises with each change of the text below.
std::string ShapeStart(const ConfigShape& shape) {
  const std::string tcp =
      shape.tcp.any()
          ? " tcp=" + shape.tcp.listen + ":" + std::to_string(shape.tcp.from) + "-" + std::to_string(shape.tcp.to)
          : "";
  const std::string user = shape.user.empty() ? "" : " user=" + shape.user;
  const std::string trusts = shape.trust_forwarded.empty() ? "" : " trusts=" + Joined(shape.trust_forwarded, ",");
  return "# Made by baton-router, format 4; do not edit. listen=" + shape.listen +
         " retries=" + std::to_string(shape.retries) + tcp + user + trusts + " backends=";
}

std::string Global(const ConfigShape& shape, const HaproxyFiles& files) {
  const std::string user = shape.user.empty() ? "" : "  user " + shape.user + "\n  group " + shape.user + "\n";
  return "global\n" + user +
         "  stats socket " +
         files.socket +
         " mode 600 level admin\n"
         "  stats timeout 1m\n"
         "  # A worker that was replaced by a reload ends at the latest then, with the connections it still has.\n"
         "  hard-stop-after 15m\n\n";
}

// Why these: docs/guide/router.md, "What HAProxy does (measured)".
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

// Which route a request takes, as the name of its backend in txn.to: of all that fit host name and path the one of the
// longest host name, an exact one first, and of that the longest path. One lookup of a tree each (map_beg finds the
// longest entry), up to one for each number of labels that a wildcard may have.
std::string Lookups(const HaproxyFiles& files) {
  const std::string longest_path = ",txn.path,/),map_beg(" + files.map + ")";
  std::string text =
      "  http-request set-var(txn.host) req.hdr(host),host_only,rtrim(.),lower\n"
      "  # What is no host name could be taken for another part of the map's entries.\n"
      "  http-request set-var(txn.host) str(!) unless { var(txn.host) -m reg ^[a-z0-9_.-]+$ }\n"
      "  http-request set-var(txn.path) path\n"
      "  http-request set-var(txn.to) var(txn.host),concat(" +
      longest_path + "\n";
  for (std::size_t labels = kWildcardLabelsMax; labels > 0; --labels) {
    const std::string number = std::to_string(labels);
    text += "  http-request set-var(txn.to) var(txn.host),field(-1,.," + number + "),concat(*" + longest_path +
            " if !{ var(txn.to) -m found } { var(txn.host),field(-" + std::to_string(labels + 1) + ",.) -m found }\n";
  }
  return text;
}

// The entries that HAProxy adds are true. Earlier ones come from the client. The old worker, which connects by the
// socket without an address, has checked its own.
std::string Forwarded(const ConfigShape& shape) {
  const std::string trusted =
      shape.trust_forwarded.empty() ? "" : " !{ src " + Joined(shape.trust_forwarded, " ") + " }";
  return "  http-request del-header X-Forwarded-For if { src 0.0.0.0/0 ::/0 }" + trusted + "\n";
}

std::string Frontend(const ConfigShape& shape, const HaproxyFiles& files) {
  return "frontend baton\n"
         "  bind " +
         shape.listen +
         "\n"
         "  bind unix@" +
         files.next +
         " mode 600" + (shape.user.empty() ? "" : " user " + shape.user) + "\n" + Forwarded(shape) + Lookups(files) +
         "  # After a reload this worker is out of date, and its servers cannot be changed any more (\"Proxy is "
         "disabled\"):\n"
         "  # requests that still come in on kept-alive connections are handed on to the new worker.\n"
         "  use_backend " +
         std::string(kNextBackend) + " if { stopping } !{ str(" + kFinalFlag + "),map(" + files.flags +
         ") -m found }\n"
         "  use_backend %[var(txn.to)] if { var(txn.to) -m found }\n"
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
         "  http-request return status 404 content-type text/plain string \"no route for this host name and path\\n\""
         " hdr X-Baton-Error unknown_route\n\n"
         "backend " +
         std::string(kIdleBackend) +
         "\n"
         "  http-request return " +
         std::string(kNoEndpointsAnswer) +
         "\n\n"
         "backend " +
         std::string(kFullBackend) +
         "\n"
         "  http-request return status 503 content-type text/plain"
         " string \"the router has no backend left for this route\\n\" hdr X-Baton-Error pool_exhausted\n";
}

std::string Servers(const RouteTable::Endpoints* endpoints) {
  std::string text;
  if (endpoints == nullptr) return text;
  for (const auto& [actual_id, endpoint] : *endpoints) {
    if (endpoint.draining) continue;
    text += "  server " + actual_id + " " + ServerAddress(endpoint.address, endpoint.port) +
            ServerOptions(endpoint.route) + "\n";
  }
  return text;
}

std::string PoolBackend(const std::string& name, const RouteTable::Endpoints* endpoints, int retries) {
  // A stopping worker's nbsrv is 0 whatever it has (measured): it goes by its servers instead.
  std::string text = "\nbackend " + name + "\n  http-request return " + std::string(kNoEndpointsAnswer) +
                     " if !{ stopping } { nbsrv eq 0 }\n";
  if (retries > 0) text += "  http-request disable-l7-retry unless { method GET HEAD OPTIONS }\n";
  return text + Servers(endpoints);
}

// What a TCP connection needs instead of the defaults of HTTP.
std::string TcpDefaults(int retries) {
  return "\ndefaults\n"
         "  mode tcp\n"
         "  balance roundrobin\n"
         "  retries " +
         std::to_string(retries) + "\n" + (retries == 0 ? "" : "  option redispatch 1\n") +
         "  timeout connect 5s\n"
         "  timeout client 60s\n"
         "  timeout server 60s\n"
         "  timeout tunnel 1h\n";
}

std::string TcpPort(const TcpPorts& ports, std::uint32_t port, const RouteTable::Endpoints* endpoints) {
  const std::string name = TcpBackendName(port);
  return "\nlisten " + name + "\n  bind " + ports.listen + ":" + std::to_string(port) +
         "\n  tcp-request connection reject if !{ stopping } { nbsrv(" + name + ") eq 0 }\n" + Servers(endpoints);
}

}  // namespace

bool IsNetwork(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string address = text.substr(0, slash);
  in6_addr binary;
  const int most = inet_pton(AF_INET, address.c_str(), &binary) == 1 ? 32 : inet_pton(AF_INET6, address.c_str(), &binary) == 1 ? 128 : -1;
  if (most < 0 || slash == std::string::npos) return most > 0;
  int bits = -1;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + slash + 1, end, bits);
  return read.ec == std::errc() && read.ptr == end && bits >= 0 && bits <= most;
}

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
  for (const auto& [route, backend] : assignment.backend_of) wanted[backend] = &table.routes().at(route);
  const auto endpoints = [&](const std::string& backend) {
    const auto found = wanted.find(backend);
    return found == wanted.end() ? nullptr : found->second;
  };
  std::string text =
      ShapeLine(shape) + Global(shape, files) + Defaults(shape.retries) + Frontend(shape, files) + FixedBackends(files);
  for (std::size_t i = 0; i < shape.backends; ++i) {
    const std::string name = PoolBackendName(i);
    text += PoolBackend(name, endpoints(name), shape.retries);
  }
  if (shape.tcp.any()) text += TcpDefaults(shape.retries);
  for (std::uint32_t port = shape.tcp.from; shape.tcp.Has(port); ++port) {
    text += TcpPort(shape.tcp, port, endpoints(TcpBackendName(port)));
  }
  return text;
}

std::string MakeMap(const BackendAssignment& assignment) {
  std::string text;
  for (const auto& [key, backend] : MapEntries(assignment)) text += key + " " + backend + "\n";
  return text;
}

}  // namespace baton::router
