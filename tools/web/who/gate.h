// Who may look, and whether a request comes from the page: what a browser sends on behalf of another site is refused.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "tools/http/message.h"
#include "tools/web/who/login_limit.h"
#include "tools/web/who/person.h"
#include "tools/web/who/sessions.h"
#include "tools/web/who/tokens.h"

namespace baton::web {

struct GateOptions {
  bool tls = false;                    // of the TCP listener
  Role loopback_role = Role::kViewer;  // without TLS everybody on this machine is that
  std::set<std::string> hosts;         // names by which the page is reached, in lower case, beside loopback addresses
  std::string trust_domain;            // of client certificates; empty: none is taken
  std::string tokens;                  // file; empty: nobody logs in
  std::string operator_group;          // of those who come through the proxy's socket
};

class Gate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Gate(GateOptions options);

  // What a page of another site could make a browser send. Nothing: it is fine; else what to answer.
  std::optional<http::Response> Refuse(const http::Request& request) const;
  // Nothing: he has to log in, or may not come at all.
  std::optional<Person> Who(const http::Request& request, Time now);
  // Whether a token would help.
  bool takes_tokens() const { return tokens_ != nullptr; }
  Tokens* tokens() { return tokens_.get(); }

  http::Response LogIn(const http::Request& request, Time now);
  http::Response LogOut(const http::Request& request);

 private:
  bool IsOurHost(const std::string& host) const;
  std::optional<Person> OfProxy(const http::Request& request) const;

  GateOptions options_;
  std::unique_ptr<Tokens> tokens_;
  Sessions sessions_;
  LoginLimit limit_;
};

// Put on each answer.
void AddSafetyHeaders(http::Response& response);

}  // namespace baton::web
