// Mutual TLS for gRPC, both ends. TLS finds a certificate genuine; who it is of is its one URI SAN. The files are looked at again
// and again: good ones are used by new connections, others are told of and the old ones stay. Connections keep what they began with.
//
// gRPC's part of it is experimental in 1.51; it is included here and nowhere else.
#pragma once

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/result.h"
#include "tools/tls/material.h"

namespace baton {

class Tls {
 public:
  struct Options {
    std::string dir;  // or `apart`
    std::set<Role> roles;  // that our own certificate may be of
    std::chrono::milliseconds look_every = std::chrono::seconds(5);
    // These are called by a thread of this object's, or of gRPC's.
    std::function<void(const Result<tls::Material>&)> changed = {};  // new files: now used, or why not
    std::function<void(const tls::Material&)> looked = {};            // at each look: what is used
    std::function<void(const std::string& why)> refused = {};         // a genuine certificate without a role here
    std::optional<tls::Places> apart = {};  // instead of a directory
  };
  // FAILED_PRECONDITION as tls::Check says.
  static Result<std::shared_ptr<Tls>> Open(Options options);
  ~Tls();

  const Identity& self() const { return self_; }
  const std::string& trust_domain() const { return trust_domain_; }
  // Of the certificate that is used.
  tls::Instant expires() const;

  // Accepts a peer with a certificate of one of our CAs that has one URI SAN of a role in our trust domain; others
  // cannot send a byte of HTTP/2.
  std::shared_ptr<grpc::ServerCredentials> ForServer() const;
  // Talks to a batond of our trust domain, or to who serves in another role. Names of hosts do not matter, so that tunnels and
  // addresses work.
  std::shared_ptr<grpc::ChannelCredentials> ForClient(Role server = Role::kBatond) const;

 private:
  struct Parts;
  Tls(Options options, const tls::Material& material);
  void Look();
  void Use(tls::Material fresh);
  void Tell(const Error& error, const std::string& about);

  const Options options_;
  const Identity self_;
  const std::string trust_domain_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace baton
