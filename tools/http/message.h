// A request as it was read, and what answers it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::http {

// Who is at the other end of the connection.
struct Peer {
  std::string address;  // without port; empty for a Unix socket
  bool unix_socket = false;
  bool tls = false;
  // The names in the certificate that TLS has verified: all of its URI SANs; empty: it showed none.
  std::vector<std::string> uris = {};
  bool certificate = false;
};

struct Request {
  std::string method;                               // "GET"; a HEAD is given as GET
  std::string path;                                 // "/apps/a b", decoded, without the query
  std::string query;                                // as it was sent, without '?'
  std::multimap<std::string, std::string> headers;  // names in lower case
  std::string body;
  Peer peer;

  // The value of a header that is there once; of one that is there several times or not at all, empty.
  std::string Header(const std::string& name) const;
  bool Has(const std::string& name) const { return headers.contains(name); }
  // A cookie of that name; empty: there is none.
  std::string Cookie(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // others
};

// %41 is "A". False: a '%' without two digits, or a control character comes out.
bool DecodePath(std::string_view text, std::string& decoded);

}  // namespace baton::http
