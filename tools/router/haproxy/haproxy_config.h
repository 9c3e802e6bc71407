// The haproxy.cfg and the map of routes that baton-router generates: for a HAProxy that it starts itself, with the present
// servers in it, and as a text for operators who run their own. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/router/routes/backend_pool.h"
#include "tools/router/routes/route_table.h"
#include "tools/router/routes/tcp_ports.h"

namespace baton::router {

// The files of one HAProxy, all in one folder.
struct HaproxyFiles {
  explicit HaproxyFiles(const std::string& dir);
  std::string config;  // haproxy.cfg
  std::string socket;  // haproxy.sock: the runtime socket
  std::string master;  // master.sock: the master's
  std::string map;     // hosts.map: route -> backend, see MapKey
  std::string flags;   // flags.map: holds kFinalFlag when HAProxy stops for good
  std::string next;    // next.sock: where an old worker hands requests on to the new one
  std::string log;     // haproxy.log: HAProxy's own output
};

// In the flags map: no worker follows this one, so it serves its last requests itself.
inline constexpr char kFinalFlag[] = "final";

struct ConfigShape {
  std::string listen;        // "127.0.0.1:8080", as in HAProxy's `bind`
  std::size_t backends = 0;  // size of the pool
  // How often a request is given to another endpoint when the first cannot be reached or is gone without an answer: only
  // requests that may be repeated (GET, HEAD, OPTIONS). For machines that die; a roll needs none.
  int retries = 0;
  TcpPorts tcp;
  std::string user = {};  // and group of the workers; empty: those of the router
  // "10.0.0.0/8": whose X-Forwarded-For is passed on. Of all others it is dropped: they may write into it what they
  // like.
  std::vector<std::string> trust_forwarded = {};
};

// "10.0.0.1" or "fd00::/8", as HAProxy takes it.
bool IsNetwork(const std::string& text);

// The first line says the shape, so that a router that finds a running HAProxy sees whether it is of the same.
std::string ShapeLine(const ConfigShape& shape);
// Whether a configuration that begins with this line does for the shape: its pool may be larger.
bool ShapeFits(std::string_view first_line, const ConfigShape& shape);

// Routes and servers of `assignment` are in the text, draining ones excepted: HAProxy begins with the table in
// force. Needed for a reload, which forgets servers that were added at run time.
std::string MakeConfig(const ConfigShape& shape, const HaproxyFiles& files, const RouteTable& table,
                       const BackendAssignment& assignment);
std::string MakeMap(const BackendAssignment& assignment);

}  // namespace baton::router
