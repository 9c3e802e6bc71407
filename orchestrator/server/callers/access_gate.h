// Who calls and what he may call, decided before the handler: by the certificate of the connection and the policy of the .proto files.
// gRPC's auth processor refuses what comes from outside, an interceptor at the entrance of the channel within the process what baton.v1
// asks of baton.v2: no auth processor sees that one. Server interceptors cannot refuse (grpc#24017).
#pragma once

#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>
#include <grpcpp/support/client_interceptor.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/access/access_rules.h"
#include "orchestrator/access/cell_rules.h"
#include "orchestrator/access/deny_list.h"
#include "orchestrator/access/on_behalf.h"
#include "orchestrator/access/policy.h"
#include "orchestrator/model/calls/audit.h"
#include "orchestrator/server/callers/identity_calls.h"
#include "orchestrator/server/callers/identity_limits.h"
#include "orchestrator/server/callers/peer_certificate.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

// What of a request not everybody may say who may call its method.
struct FieldRule {
  bool (*may)(Role role);
  const char* why;   // in the metric: "secrets"
  const char* what;  // "may not see secrets: ask without reveal_secrets", after the role
};
inline constexpr FieldRule kSeeSecrets{MayReveal, "secrets", "may not see secrets: ask without reveal_secrets"};
inline constexpr FieldRule kStartWork{MayStartWork, "run", "may not begin a pass: ask without run"};
inline constexpr FieldRule kRemoveUnnamed{MayRemoveUnnamed, "unnamed", "may not remove whoever is there: say its instance_key"};

class AccessGate {
 public:
  // Where refusals go: of callers that are known into the audit, too.
  struct Sinks {
    Log& log;
    Metrics& metrics;
    std::function<void(AuditEntry)> write_down;
  };
  // `services`: that are served. FAILED_PRECONDITION where one of their methods does not say who may call it, or for a trust domain
  // that is none.
  static Result<std::shared_ptr<AccessGate>> Open(const std::vector<std::string>& services,
                                                  const std::string& trust_domain, Sinks sinks);

  // A call from outside, as gRPC's auth processor sees it. UNAUTHENTICATED, or PERMISSION_DENIED.
  grpc::Status Admit(const grpc::AuthContext& peer, const grpc::AuthMetadataProcessor::InputMetadata& metadata);
  // A call of baton.v2 that baton.v1 makes in this process: `word` is its metadata kInProcessKey.
  grpc::Status AdmitWithin(std::string_view word, const char* path);
  // Of a call whose method is allowed: what its request asks for.
  grpc::Status AdmitField(const grpc::CallbackServerContext& context, const FieldRule& rule, const std::string& method);

  // Who names a cell.
  grpc::Status AdmitCell(const grpc::CallbackServerContext& context, std::string_view cell_id, const std::string& method);

  struct Known {
    std::string uri;  // of the certificate
    Identity identity;
    std::string shown;  // "cell/cell-7"
  };
  // The identity of a connection's peer certificate. Null: not of this trust domain.
  std::shared_ptr<const Known> Who(const grpc::AuthContext& peer) const;
  // Of the call, or of the call of v1 that it is part of: whose role decides. Nothing: no admitted caller.
  std::optional<Identity> CallerOf(const grpc::ServerContextBase& context) const;
  // The same with the page that called for him.
  std::optional<Caller> WhoOf(const grpc::ServerContextBase& context) const;
  // The same as a word for calls of v2 that v1 makes: CallerOf and PlaceOf read it. Empty: nobody.
  std::string WordOf(const grpc::ServerContextBase& context) const;

  // Which objects they may touch, and who is refused: taken from here on.
  void Use(AccessRules rules);
  void Use(DenyList denied);
  std::shared_ptr<const AccessRules> rules() const;
  // Of the connection's certificate (PeerCertificate::key).
  std::string KeyOf(const grpc::ServerContextBase& context) const;
  // Where a cell may say that its instances are. Nothing: it is no cell.
  std::optional<CellPlace> PlaceOf(const grpc::ServerContextBase& context) const;
  void ListensOnLoopback(bool loopback) { loopback_ = loopback; }
  // What a call may have, and how many a caller: asked before its handler. Before the server is there.
  struct CallLimits {
    int metadata_entries = 64;
    std::shared_ptr<IdentityCalls> of_callers = nullptr;  // null: any number
  };
  void Limit(CallLimits limits) { limits_ = std::move(limits); }
  // A call from outside that has been admitted begins.
  IdentityCalls::Place Begin(const std::string& who, bool lasts) const;
  // The identity in this certificate, PEM. Nothing: not of this trust domain.
  std::optional<Identity> OwnerOf(const std::string& pem) const;
  // Why a call that is under way since some time may not go on: its certificate has expired, or is refused, or a router is in the access
  // file no more. Nothing: it may. `method`: "/baton.v2.Routes/Connect".
  std::optional<std::string> WhyRevoked(const grpc::ServerContextBase& context, std::string_view method) const;
  // Counts a caller's request for an app of another domain. The caller only sees NOT_FOUND.
  void CountForeign(const Identity& caller) const;
  // PERMISSION_DENIED: a domain that is not the caller's.
  grpc::Status AdmitDomain(const grpc::CallbackServerContext& context, const std::string& domain, const std::string& method);

 private:
  AccessGate(Policy policy, std::string trust_domain, Sinks sinks)
      : policy_(std::move(policy)), trust_domain_(std::move(trust_domain)), sinks_(std::move(sinks)) {}

  struct Asked {
    std::string method;  // "baton.v2.Admin/Ping"
    std::string actor;   // as the caller says
    std::string request_id;
  };
  grpc::Status Refuse(const std::string& why, const Asked& asked, const Caller& caller, std::string message);
  grpc::Status RefuseNobody(const std::string& path, std::string message);
  grpc::Status Decided(const Caller& caller, const Asked& asked, Way way);
  bool MayLog();
  std::shared_ptr<const PeerCertificate> CertificateOf(const grpc::AuthContext& peer) const;
  grpc::Status CheckLimits(const std::string& caller, std::size_t metadata_entries);
  // By its certificate, by the name in it, or by that of the person it calls for.
  std::optional<std::string> WhyDenied(const Caller& caller, const grpc::AuthContext& peer) const;
  Result<Caller> CallerIn(const grpc::ServerContextBase& context) const;

  const Policy policy_;
  const std::string trust_domain_;
  const Sinks sinks_;

  std::mutex mutex_;
  std::chrono::steady_clock::time_point second_;  // that is counted, from its beginning
  int logged_ = 0;                                // in it

  mutable PeerCertificates certificates_;
  mutable std::mutex rules_mutex_;
  std::shared_ptr<const AccessRules> rules_ = std::make_shared<const AccessRules>(AccessRules::Unlimited());
  std::shared_ptr<const DenyList> denied_ = std::make_shared<const DenyList>();
  bool loopback_ = false;
  CallLimits limits_;
};

// OK if `asked` is false, without authentication, or if the caller may. `method`: "SERVICE/METHOD".
grpc::Status CheckField(ServerDependencies& dependencies, const grpc::CallbackServerContext& context, bool asked,
                        const FieldRule& rule, const char* method);

// OK without authentication, or if the caller may name this cell (access/cell_rules.h). `method`: "SERVICE/METHOD".
grpc::Status CheckCell(ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                       std::string_view cell_id, const char* method);
// Of which cell a list or a subscription is: a cell's is of itself, where it does not say.
std::string CellOf(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                   const std::string& cell_id);

// OK without authentication, or if the domain is the caller's (batond --access). `method`: "SERVICE/METHOD".
grpc::Status CheckDomain(ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                         const std::string& domain, const char* method);

// The caller as limits count it: "controller/cc"; empty without authentication.
std::string NameOf(const ServerDependencies& dependencies, const grpc::ServerContextBase& context);

// A place of this caller's own, beside those of all callers. RESOURCE_EXHAUSTED.
Result<IdentityLimits::Slot> TakeOwn(ServerDependencies& dependencies, const grpc::ServerContextBase& context,
                                     IdentityLimits::Kind kind);

// Who asks, as it is kept: by its certificate where it needs one, and what it says that it is.
std::string ActorOf(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context);
// The key within the caller's own namespace, so that no caller gets the answer to another's call.
std::string OwnKey(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                   const std::string& idempotency_key);

// Ends a stream before it begins.
template <class Response>
class RefusedStream final : public grpc::ServerWriteReactor<Response> {
 public:
  explicit RefusedStream(const grpc::Status& status) { this->Finish(status); }
  void OnDone() override { delete this; }
};

}  // namespace baton
