#include "orchestrator/server/access_gate.h"

#include <arpa/inet.h>

#include <algorithm>
#include <sstream>

#include "orchestrator/model/actor.h"
#include "orchestrator/model/wire_names.h"
#include "orchestrator/server/call_context.h"
#include "orchestrator/transform/within.h"
#include "orchestrator/wire/access_options.h"
#include "orchestrator/wire/hash.h"
#include "orchestrator/wire/text.h"

namespace baton {
namespace {

using grpc::experimental::InterceptionHookPoints;

constexpr char kPeerUri[] = "peer_uri";  // once for each URI SAN
constexpr char kSaysNothing[] = "unknown";
constexpr char kPem[] = "x509_pem_cert";
constexpr char kPath[] = ":path";
constexpr std::size_t kShownMost = 200;  // bytes of what a caller said, in logs and in the audit
constexpr int kLogsASecond = 10;         // of calls by nobody: they must fill no disk

const std::vector<Role> kOfTheTable = {Role::kViewer, Role::kOperator, Role::kAdmin, Role::kController, Role::kCell, Role::kRouter};

// What gRPC serves beside Baton's services.
void AddOthers(Policy::Methods& methods) {
  for (const char* path : {"/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"}) methods[path] = {.roles = kOfTheTable};
  methods["/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"] = {.roles = {Role::kAdmin}};
}

std::string TextOf(const grpc::AuthMetadataProcessor::InputMetadata& metadata, const char* key) {
  const auto at = metadata.find(key);
  if (at == metadata.end()) return {};
  return wire::Clean(std::string_view(at->second.data(), std::min(at->second.size(), kShownMost)));
}

std::vector<std::string> UrisOf(const grpc::AuthContext& peer) {
  std::vector<std::string> uris;
  for (const grpc::string_ref& uri : peer.FindPropertyValues(kPeerUri)) uris.emplace_back(uri.data(), uri.size());
  return uris;
}

// "cell/cell-7 10.0.0.7": who, and the addresses of its certificate.
std::optional<Identity> WhoIn(const std::string& word) { return ParseIdentity(std::string_view(word).substr(0, word.find(' '))); }

std::vector<IpAddress> AddressesIn(const std::string& word) {
  std::vector<IpAddress> addresses;
  std::istringstream in(word);
  std::string text;
  for (in >> text; in >> text;) {
    if (const auto address = IpAddress::From(text)) addresses.push_back(*address);
  }
  return addresses;
}

std::string MethodOf(std::string_view path) { return std::string(path.starts_with('/') ? path.substr(1) : path); }

class Processor final : public grpc::AuthMetadataProcessor {
 public:
  explicit Processor(std::shared_ptr<AccessGate> gate) : gate_(std::move(gate)) {}
  bool IsBlocking() const override { return false; }  // else each call goes by another thread
  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext* peer, OutputMetadata*, OutputMetadata*) override {
    return gate_->Admit(*peer, metadata);  // the context is the connection's: nothing of a call is written into it
  }

 private:
  const std::shared_ptr<AccessGate> gate_;
};

// A refused call ends here: nothing of it is sent.
class Entrance final : public grpc::experimental::Interceptor {
 public:
  Entrance(AccessGate& gate, const char* path) : gate_(gate), path_(path) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    const bool begins = methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_INITIAL_METADATA);
    if (begins) {
      const auto& metadata = *methods->GetSendInitialMetadata();
      const auto word = metadata.find(transform::kWithinKey);
      status_ = gate_.AdmitWithin(word == metadata.end() ? std::string_view() : word->second, path_);
    }
    if (status_.ok()) return methods->Proceed();
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_RECV_MESSAGE)) methods->FailHijackedRecvMessage();
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_RECV_STATUS)) *methods->GetRecvStatus() = status_;
    begins ? methods->Hijack() : methods->Proceed();
  }

 private:
  AccessGate& gate_;
  const char* path_;
  grpc::Status status_;
};

class Entrances final : public grpc::experimental::ClientInterceptorFactoryInterface {
 public:
  explicit Entrances(std::shared_ptr<AccessGate> gate) : gate_(std::move(gate)) {}
  grpc::experimental::Interceptor* CreateClientInterceptor(grpc::experimental::ClientRpcInfo* info) override {
    return new Entrance(*gate_, info->method());
  }

 private:
  const std::shared_ptr<AccessGate> gate_;
};

}  // namespace

Result<std::shared_ptr<AccessGate>> AccessGate::Open(const std::vector<std::string>& services, const std::string& trust_domain,
                                                     Told told) {
  if (!IsTrustDomain(trust_domain)) {
    return Error{ErrorKind::kFailedPrecondition, "\"" + trust_domain + "\" is no trust domain: 1 to 255 of a-z, 0-9, '.', '_', '-'", {}};
  }
  auto methods = wire::AccessOfAll(services);
  if (!methods) return methods.error();
  AddOthers(*methods);
  return std::shared_ptr<AccessGate>(new AccessGate(Policy(*std::move(methods)), trust_domain, std::move(told)));
}

grpc::Status AccessGate::Admit(const grpc::AuthContext& peer, const grpc::AuthMetadataProcessor::InputMetadata& metadata) {
  const auto path = metadata.find(kPath);
  const std::string method =
      path == metadata.end() ? "" : MethodOf(std::string_view(path->second.data(), path->second.size()));
  const Result<Identity> caller = IdentityOf(UrisOf(peer), trust_domain_);
  if (!caller) return RefuseNobody(method, caller.error().message);
  if (IsDenied(*caller, peer)) return RefuseNobody(method, Show(*caller) + " is refused: batond was told so (--revoked)");
  return Decided(*caller, {method, TextOf(metadata, kActorKey), TextOf(metadata, kRequestIdKey)}, Way::kFromOutside);
}

grpc::Status AccessGate::AdmitWithin(std::string_view word, const char* path) {
  const auto named = transform::CallerWithin(word);
  const auto caller = named ? WhoIn(*named) : std::nullopt;
  if (!caller) return RefuseNobody(MethodOf(path), "it is not said who asks this of baton.v1");
  return Decided(*caller, {MethodOf(path), {}, {}}, Way::kThroughV1);
}

grpc::Status AccessGate::AdmitField(const grpc::CallbackServerContext& context, const FieldRule& rule, const std::string& method) {
  const auto caller = CallerOf(context);
  if (!caller) return RefuseNobody(method, "the call has no certificate");
  if (rule.may(caller->role)) return grpc::Status::OK;
  return Refuse(rule.why, {method, SaidActor(context), RequestIdOf(context)}, *caller,
                std::string(Name(caller->role)) + " " + rule.what);
}

grpc::Status AccessGate::AdmitCell(const grpc::CallbackServerContext& context, std::string_view cell_id, const std::string& method) {
  const auto caller = CallerOf(context);
  if (!caller) return RefuseNobody(method, "the call has no certificate");
  if (MayName(*caller, cell_id)) return grpc::Status::OK;
  return Refuse("cell", {method, SaidActor(context), RequestIdOf(context)}, *caller,
                "cell " + caller->name + " may not speak for another cell");
}

std::optional<Identity> AccessGate::CallerOf(const grpc::ServerContextBase& context) const {
  if (const auto named = transform::CallerWithin(context)) return WhoIn(*named);
  const auto peer = context.auth_context();
  if (!peer) return std::nullopt;
  const Result<Identity> caller = IdentityOf(UrisOf(*peer), trust_domain_);
  return caller ? std::optional(*caller) : std::nullopt;
}

std::shared_ptr<const PeerCertificate> AccessGate::CertificateOf(const grpc::AuthContext& peer) const {
  const auto pems = peer.FindPropertyValues(kPem);
  return pems.empty() ? std::make_shared<const PeerCertificate>()
                      : certificates_.Of(std::string_view(pems.front().data(), pems.front().size()));
}

bool AccessGate::IsDenied(const Identity& caller, const grpc::AuthContext& peer) const {
  std::shared_ptr<const DenyList> denied;
  {
    const std::lock_guard lock(rules_mutex_);
    denied = denied_;
  }
  return !denied->empty() && denied->Denies(caller, CertificateOf(peer)->fingerprint);
}

std::string AccessGate::WordOf(const grpc::ServerContextBase& context) const {
  const auto caller = CallerOf(context);
  if (!caller) return {};
  std::string word = Show(*caller);
  if (caller->role != Role::kCell) return word;
  char text[INET6_ADDRSTRLEN] = "";
  for (const IpAddress& address : CertificateOf(*context.auth_context())->addresses) {
    if (inet_ntop(AF_INET6, address.bytes.data(), text, sizeof(text))) (word += ' ') += text;
  }
  return word;
}

void AccessGate::Use(AccessRules rules) {
  const std::lock_guard lock(rules_mutex_);
  rules_ = std::make_shared<const AccessRules>(std::move(rules));
}

void AccessGate::Use(DenyList denied) {
  const std::lock_guard lock(rules_mutex_);
  denied_ = std::make_shared<const DenyList>(std::move(denied));
}

std::shared_ptr<const AccessRules> AccessGate::rules() const {
  const std::lock_guard lock(rules_mutex_);
  return rules_;
}

std::optional<CellPlace> AccessGate::PlaceOf(const grpc::ServerContextBase& context) const {
  const auto caller = CallerOf(context);
  const auto now = rules();
  if (now->unlimited() || !caller || caller->role != Role::kCell) return std::nullopt;
  CellPlace place{.addresses = {}, .networks = now->CellOf(caller->name).networks, .loopback = loopback_};
  const auto named = transform::CallerWithin(context);
  place.addresses = named ? AddressesIn(*named) : CertificateOf(*context.auth_context())->addresses;
  return place;
}

std::optional<std::string> AccessGate::WhyOver(const grpc::ServerContextBase& context) const {
  if (transform::CallerWithin(context)) return std::nullopt;  // it ends with the call that it is part of
  const auto peer = context.auth_context();
  const auto caller = CallerOf(context);
  if (!peer || !caller) return "the call has no certificate";
  if (CertificateOf(*peer)->not_after < std::chrono::system_clock::now()) return "the certificate of " + Show(*caller) + " has expired";
  if (IsDenied(*caller, *peer)) return Show(*caller) + " is refused: batond was told so (--revoked)";
  return std::nullopt;
}

void AccessGate::CountForeign(const Identity& caller) const {
  told_.metrics.Count("baton_refused_total", "object " + std::string(Name(caller.role)));
}

grpc::Status AccessGate::AdmitDomain(const grpc::CallbackServerContext& context, const std::string& domain, const std::string& method) {
  const auto caller = CallerOf(context);
  if (!caller) return RefuseNobody(method, "the call has no certificate");
  if (rules()->DomainsOf(*caller).Has(domain)) return grpc::Status::OK;
  return Refuse("domain", {method, SaidActor(context), RequestIdOf(context)}, *caller,
                Show(*caller) + " has no domain " + wire::Shown(domain) + " (batond --access)");
}

grpc::Status AccessGate::Decided(const Identity& caller, const Asked& asked, Way way) {
  const AccessDecision decision = policy_.Decide(caller.role, "/" + asked.method, way);
  if (decision == AccessDecision::kAllowed) return grpc::Status::OK;
  // The same words for both: which names there are is not told.
  return Refuse(decision == AccessDecision::kOtherRole ? "role" : "method", asked, caller,
                std::string(Name(caller.role)) + " may not call it (docs/access.md)");
}

grpc::Status AccessGate::Refuse(const std::string& why, const Asked& asked, const Identity& caller, std::string message) {
  told_.metrics.Count("baton_refused_total", why + " " + std::string(Name(caller.role)));
  // How many of them are written down is the book's to say, of each caller.
  told_.write_down({.actor = StoredActor({Show(caller), asked.actor.empty() ? kSaysNothing : asked.actor}),
                  .method = wire::Clean(std::string_view(asked.method).substr(0, kShownMost)),
                  .request_id = asked.request_id,
                  .outcome = "PERMISSION_DENIED",
                  .reason = message});
  return {grpc::StatusCode::PERMISSION_DENIED, std::move(message)};
}

grpc::Status AccessGate::RefuseNobody(const std::string& method, std::string message) {
  told_.metrics.Count("baton_refused_total", "certificate none");
  if (MayLog()) {
    told_.log.Warn("caller_refused", {{"method", wire::Clean(std::string_view(method).substr(0, kShownMost))}, {"reason", message}});
  }
  return {grpc::StatusCode::UNAUTHENTICATED, std::move(message)};
}

bool AccessGate::MayLog() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    logged_ = 0;
  }
  return ++logged_ <= kLogsASecond;
}

std::shared_ptr<grpc::AuthMetadataProcessor> ProcessorOf(std::shared_ptr<AccessGate> gate) {
  return std::make_shared<Processor>(std::move(gate));
}

std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface> EntranceOf(std::shared_ptr<AccessGate> gate) {
  return std::make_unique<Entrances>(std::move(gate));
}

grpc::Status CheckCell(Surroundings& surroundings, const grpc::CallbackServerContext& context, std::string_view cell_id,
                       const char* method) {
  if (cell_id.empty() || !surroundings.gate) return grpc::Status::OK;
  return surroundings.gate->AdmitCell(context, cell_id, AskedAs(context, method));
}

std::string CellOf(const Surroundings& surroundings, const grpc::CallbackServerContext& context, const std::string& cell_id) {
  const auto caller = surroundings.gate ? surroundings.gate->CallerOf(context) : std::nullopt;
  return caller ? FilterOf(*caller, cell_id) : cell_id;
}

grpc::Status CheckDomain(Surroundings& surroundings, const grpc::CallbackServerContext& context, const std::string& domain,
                         const char* method) {
  if (!surroundings.gate) return grpc::Status::OK;
  return surroundings.gate->AdmitDomain(context, domain, AskedAs(context, method));
}

std::string NameOf(const Surroundings& surroundings, const grpc::ServerContextBase& context) {
  const auto caller = surroundings.gate ? surroundings.gate->CallerOf(context) : std::nullopt;
  return caller ? Show(*caller) : "";
}

Result<IdentityLimits::Slot> TakeOwn(Surroundings& surroundings, const grpc::ServerContextBase& context, IdentityLimits::Kind kind) {
  if (!surroundings.identity_limits) return IdentityLimits::Slot();
  return surroundings.identity_limits->Take(kind, NameOf(surroundings, context));
}

std::string ActorOf(const Surroundings& surroundings, const grpc::CallbackServerContext& context) {
  const auto caller = surroundings.gate ? surroundings.gate->CallerOf(context) : std::nullopt;
  return StoredActor({caller ? Show(*caller) : "", SaidActor(context)});
}

std::string OwnKey(const Surroundings& surroundings, const grpc::CallbackServerContext& context, const std::string& idempotency_key) {
  const auto caller = surroundings.gate ? surroundings.gate->CallerOf(context) : std::nullopt;
  // A hash: the column is as wide as a key alone. An identity has no space in it.
  return caller ? wire::Sha256Hex(Show(*caller) + " " + idempotency_key) : idempotency_key;
}

grpc::Status CheckField(Surroundings& surroundings, const grpc::CallbackServerContext& context, bool asked, const FieldRule& rule,
                        const char* method) {
  if (!asked || !surroundings.gate) return grpc::Status::OK;
  return surroundings.gate->AdmitField(context, rule, AskedAs(context, method));
}

}  // namespace baton
