// What baton-web is told.
#pragma once

#include <string>
#include <vector>

#include "tools/client/channel.h"

namespace baton::web {

struct WebOptions {
  std::vector<std::string> batond{kDefaultAddress};
  std::string tls;  // directory, to batond
  std::string id = "web-1";
  std::string listen = "127.0.0.1:8892";
  std::string loopback_role = "viewer";
  std::vector<std::string> hosts;
  std::string tls_cert;
  std::string tls_key;
  std::string client_ca;
  std::string trust_domain = "baton";
  std::string tokens;
  std::string proxy_socket;
  std::string operator_group;
  std::string metrics;
  std::string log_prefix = "none";
  bool debug = false;
  // baton-web token
  std::string person;
  std::string role = "viewer";
};

}  // namespace baton::web
