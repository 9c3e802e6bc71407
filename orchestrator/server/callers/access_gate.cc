#include "orchestrator/server/callers/access_gate.h"

#include <arpa/inet.h>

#include <algorithm>
#include <sstream>

#include "orchestrator/model/calls/actor.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/transform/services/in_process.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/access_options.h"
#include "orchestrator/wire/stored/hash.h"

namespace baton {
namespace {

constexpr char kPeerUri[] = "peer_uri";  // once for each URI SAN
constexpr char kSaysNothing[] = "unknown";
constexpr char kPem[] = "x509_pem_cert";
constexpr char kPath[] = ":path";
constexpr char kConnectsRouter[] = "/baton.v2.Routes/Connect";
constexpr std::size_t kShownMax = 200;   // bytes of what a caller said, in logs and in the audit
constexpr int kLogsASecond = 10;         // of unauthenticated calls, which must not fill the disk

const std::vector<Role> kOfTheTable = {Role::kViewer, Role::kOperator, Role::kAdmin, Role::kController, Role::kCell, Role::kRouter};

// What gRPC serves beside Baton's services.
void AddOthers(Policy::Methods& methods) {
  for (const char* path : {"/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"}) methods[path] = {.roles = kOfTheTable};
  methods["/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"] = {.roles = {Role::kAdmin}};
}

std::string TextOf(const grpc::AuthMetadataProcessor::InputMetadata& metadata, const char* key) {
  const auto at = metadata.find(key);
  if (at == metadata.end()) return {};
  return wire::Clean(std::string_view(at->second.data(), std::min(at->second.size(), kShownMax)));
}

std::vector<std::string> UrisOf(const grpc::AuthContext& peer) {
  std::vector<std::string> uris;
  for (const grpc::string_ref& uri : peer.FindPropertyValues(kPeerUri)) uris.emplace_back(uri.data(), uri.size());
  return uris;
}

// "cell/cell-7 10.0.0.7": who, and the addresses of its certificate. "operator/alice web/page": who, and through which page.
std::optional<Caller> WhoIn(const std::string& word) {
  const std::string_view text = word;
  const std::size_t end = std::min(text.find(' '), text.size());
  const auto identity = ParseIdentity(text.substr(0, end));
  if (!identity) return std::nullopt;
  const auto web = ParseIdentity(text.substr(std::min(end + 1, text.size())));
  return Caller{*identity, web && web->role == Role::kWeb ? web : std::nullopt};
}

template <class Metadata>
std::vector<std::string_view> OnBehalfIn(const Metadata& metadata) {
  std::vector<std::string_view> said;
  const auto [begin, end] = metadata.equal_range(kOnBehalfKey);
  for (auto at = begin; at != end; ++at) said.emplace_back(at->second.data(), at->second.size());
  return said;
}

std::vector<IpAddress> AddressesIn(const std::string& word) {
  std::vector<IpAddress> addresses;
  std::istringstream in(word);
  std::string text;
  for (in >> text; in >> text;) {
    if (const auto address = IpAddress::From(text)) addresses.push_back(*address);
  }
  return addresses;
}

Actor ActorFrom(const std::optional<Caller>& caller, const std::string& said) {
  if (!caller) return {{}, said};
  return {Show(caller->certificate()), said, caller->web ? Show(caller->identity) : ""};
}

std::string MethodOf(std::string_view path) { return std::string(path.starts_with('/') ? path.substr(1) : path); }

}  // namespace

Result<std::shared_ptr<AccessGate>> AccessGate::Open(const std::vector<std::string>& services,
                                                     const std::string& trust_domain, Sinks sinks) {
  if (!IsTrustDomain(trust_domain)) {
    return Error{ErrorKind::kFailedPrecondition, "\"" + trust_domain + "\" is no trust domain: 1 to 255 of a-z, 0-9, '.', '_', '-'", {}};
  }
  auto methods = wire::AccessOfAll(services);
  if (!methods) return methods.error();
  AddOthers(*methods);
  return std::shared_ptr<AccessGate>(new AccessGate(Policy(*std::move(methods)), trust_domain, std::move(sinks)));
}

grpc::Status AccessGate::Admit(const grpc::AuthContext& peer, const grpc::AuthMetadataProcessor::InputMetadata& metadata) {
  const auto path = metadata.find(kPath);
  const std::string method =
      path == metadata.end() ? "" : MethodOf(std::string_view(path->second.data(), path->second.size()));
  const auto known = Who(peer);
  if (!known) return RefuseNobody(method, IdentityOf(UrisOf(peer), trust_domain_).error().message);
  const Asked asked{method, TextOf(metadata, kActorKey), TextOf(metadata, kRequestIdKey)};
  const auto caller = CallerFrom(known->identity, OnBehalfIn(metadata), *rules());
  if (const auto why = WhyDenied(caller ? *caller : Caller{known->identity}, peer)) return RefuseNobody(method, *why);
  if (!caller) return Refuse("on_behalf", asked, {known->identity}, caller.error().message);
  const grpc::Status decided = Decided(*caller, asked, Way::kFromOutside);
  return decided.ok() ? CheckLimits(known->shown, metadata.size()) : decided;
}

// Each call asks several times, and one connection is read by one thread at a time.
std::shared_ptr<const AccessGate::Known> AccessGate::Who(const grpc::AuthContext& peer) const {
  struct Last {
    std::string trust_domain;
    std::shared_ptr<const Known> known;
  };
  thread_local Last last;
  const auto uris = peer.FindPropertyValues(kPeerUri);
  if (uris.size() == 1 && last.known && last.trust_domain == trust_domain_ &&
      last.known->uri == std::string_view(uris.front().data(), uris.front().size())) {
    return last.known;
  }
  const Result<Identity> identity = IdentityOf(UrisOf(peer), trust_domain_);
  if (!identity) return nullptr;
  last = {trust_domain_, std::make_shared<const Known>(Known{UrisOf(peer).front(), *identity, Show(*identity)})};
  return last.known;
}

grpc::Status AccessGate::CheckLimits(const std::string& caller, std::size_t metadata_entries) {
  if (metadata_entries > static_cast<std::size_t>(limits_.metadata_entries)) {
    sinks_.metrics.Count("baton_calls_refused_total", "metadata entries");
    return {grpc::StatusCode::RESOURCE_EXHAUSTED, "the call has " + std::to_string(metadata_entries) + " entries of metadata; it takes " +
                                                      std::to_string(limits_.metadata_entries) + " (--metadata-entries-most)"};
  }
  if (!limits_.of_callers) return grpc::Status::OK;
  const Status room = limits_.of_callers->Admit(caller, IdentityCalls::Steady::now());
  return room ? grpc::Status::OK : ToGrpc(room.error());
}

IdentityCalls::Place AccessGate::Begin(const std::string& who, bool lasts) const {
  return limits_.of_callers ? limits_.of_callers->Begin(who, lasts) : IdentityCalls::Place();
}

std::optional<Identity> AccessGate::OwnerOf(const std::string& pem) const {
  const auto owner = IdentityOf(certificates_.Of(pem)->uris, trust_domain_);
  return owner ? std::optional(*owner) : std::nullopt;
}

grpc::Status AccessGate::AdmitWithin(std::string_view word, const char* path) {
  const auto named = transform::InProcessCaller(word);
  const auto caller = named ? WhoIn(*named) : std::nullopt;
  if (!caller) return RefuseNobody(MethodOf(path), "it is not said who asks this of baton.v1");
  return Decided(*caller, {MethodOf(path), {}, {}}, Way::kThroughV1);
}

grpc::Status AccessGate::AdmitField(const grpc::CallbackServerContext& context, const FieldRule& rule, const std::string& method) {
  const auto caller = WhoOf(context);
  if (!caller) return RefuseNobody(method, "the call has no certificate");
  if (rule.may(caller->identity.role)) return grpc::Status::OK;
  return Refuse(rule.why, {method, SaidActor(context), RequestIdOf(context)}, *caller,
                std::string(Name(caller->identity.role)) + " " + rule.what);
}

grpc::Status AccessGate::AdmitCell(const grpc::CallbackServerContext& context, std::string_view cell_id, const std::string& method) {
  const auto caller = WhoOf(context);
  if (!caller) return RefuseNobody(method, "the call has no certificate");
  if (MayName(caller->identity, cell_id)) return grpc::Status::OK;
  return Refuse("cell", {method, SaidActor(context), RequestIdOf(context)}, *caller,
                "cell " + caller->identity.name + " may not speak for another cell");
}

Result<Caller> AccessGate::CallerIn(const grpc::ServerContextBase& context) const {
  const Error nobody{ErrorKind::kFailedPrecondition, "the call has no certificate", {}};
  if (const auto named = transform::InProcessCaller(context)) {
    const auto caller = WhoIn(*named);
    return caller ? Result<Caller>(*caller) : nobody;
  }
  const auto peer = context.auth_context();
  const auto known = peer ? Who(*peer) : nullptr;
  return known ? CallerFrom(known->identity, OnBehalfIn(context.client_metadata()), *rules()) : Result<Caller>(nobody);
}

std::optional<Caller> AccessGate::WhoOf(const grpc::ServerContextBase& context) const {
  const auto caller = CallerIn(context);
  return caller ? std::optional(*caller) : std::nullopt;
}

std::optional<Identity> AccessGate::CallerOf(const grpc::ServerContextBase& context) const {
  const auto caller = CallerIn(context);
  return caller ? std::optional(caller->identity) : std::nullopt;
}

std::shared_ptr<const PeerCertificate> AccessGate::CertificateOf(const grpc::AuthContext& peer) const {
  const auto pems = peer.FindPropertyValues(kPem);
  return pems.empty() ? std::make_shared<const PeerCertificate>()
                      : certificates_.Of(std::string_view(pems.front().data(), pems.front().size()));
}

std::optional<std::string> AccessGate::WhyDenied(const Caller& caller, const grpc::AuthContext& peer) const {
  std::shared_ptr<const DenyList> denied;
  {
    const std::lock_guard lock(rules_mutex_);
    denied = denied_;
  }
  if (denied->empty()) return std::nullopt;
  const auto refused = [](const Identity& who) { return Show(who) + " is refused: batond was told so (--revoked)"; };
  if (denied->Denies(caller.certificate(), CertificateOf(peer)->fingerprint)) return refused(caller.certificate());
  return denied->Denies(caller.identity, "") ? std::optional(refused(caller.identity)) : std::nullopt;
}

std::string AccessGate::WordOf(const grpc::ServerContextBase& context) const {
  const auto caller = WhoOf(context);
  if (!caller) return {};
  std::string word = Show(caller->identity);
  if (caller->web) (word += ' ') += Show(*caller->web);
  if (caller->identity.role != Role::kCell) return word;
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

std::string AccessGate::KeyOf(const grpc::ServerContextBase& context) const {
  const auto peer = context.auth_context();
  return peer ? CertificateOf(*peer)->key : std::string();
}

std::optional<CellPlace> AccessGate::PlaceOf(const grpc::ServerContextBase& context) const {
  const auto caller = CallerOf(context);
  const auto now = rules();
  if (!caller || caller->role != Role::kCell) return std::nullopt;
  if (now->unlimited()) return CellPlace{.anywhere = true};
  CellPlace place{.addresses = {}, .networks = now->CellOf(caller->name).networks, .loopback = loopback_};
  const auto named = transform::InProcessCaller(context);
  place.addresses = named ? AddressesIn(*named) : CertificateOf(*context.auth_context())->addresses;
  return place;
}

std::optional<std::string> AccessGate::WhyRevoked(const grpc::ServerContextBase& context,
                                                  std::string_view method) const {
  if (transform::InProcessCaller(context)) return std::nullopt;  // it ends with the call that it is part of
  const auto peer = context.auth_context();
  const auto caller = CallerIn(context);
  if (!caller) return caller.error().message;  // or what its page may do was taken back
  if (CertificateOf(*peer)->not_after < std::chrono::system_clock::now()) {
    return "the certificate of " + Show(caller->certificate()) + " has expired";
  }
  if (const auto why = WhyDenied(*caller, *peer)) return why;
  if (method == kConnectsRouter && !rules()->MayAcknowledgeRoutes(caller->identity.name)) {
    return Show(caller->identity) + " is not in the access file any more (--access)";
  }
  return std::nullopt;
}

void AccessGate::CountForeign(const Identity& caller) const {
  sinks_.metrics.Count("baton_refused_total", "object " + std::string(Name(caller.role)));
}

grpc::Status AccessGate::AdmitDomain(const grpc::CallbackServerContext& context, const std::string& domain, const std::string& method) {
  const auto caller = WhoOf(context);
  if (!caller) return RefuseNobody(method, "the call has no certificate");
  if (rules()->DomainsOf(caller->identity).Has(domain)) return grpc::Status::OK;
  return Refuse("domain", {method, SaidActor(context), RequestIdOf(context)}, *caller,
                Show(*caller) + " has no domain " + wire::Shown(domain) + " (batond --access)");
}

grpc::Status AccessGate::Decided(const Caller& caller, const Asked& asked, Way way) {
  const AccessDecision decision = policy_.Decide(caller.identity.role, "/" + asked.method, way);
  if (decision == AccessDecision::kAllowed) return grpc::Status::OK;
  // The same words for both: which names there are is not told.
  return Refuse(decision == AccessDecision::kOtherRole ? "role" : "method", asked, caller,
                std::string(Name(caller.identity.role)) + " may not call it (docs/generated/access.md)");
}

grpc::Status AccessGate::Refuse(const std::string& why, const Asked& asked, const Caller& caller, std::string message) {
  sinks_.metrics.Count("baton_refused_total", why + " " + std::string(Name(caller.identity.role)));
  // How many of them are written down is the book's to say, of each caller.
  sinks_.write_down({.actor = StoredActor(ActorFrom(caller, asked.actor.empty() ? kSaysNothing : asked.actor)),
                     .method = wire::Clean(std::string_view(asked.method).substr(0, kShownMax)),
                     .request_id = asked.request_id,
                     .outcome = "PERMISSION_DENIED",
                     .reason = message});
  return {grpc::StatusCode::PERMISSION_DENIED, std::move(message)};
}

grpc::Status AccessGate::RefuseNobody(const std::string& method, std::string message) {
  sinks_.metrics.Count("baton_refused_total", "certificate none");
  if (MayLog()) {
    sinks_.log.Warn("caller_refused",
                    {{"method", wire::Clean(std::string_view(method).substr(0, kShownMax))}, {"reason", message}});
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

grpc::Status CheckCell(ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                       std::string_view cell_id, const char* method) {
  if (cell_id.empty() || !dependencies.gate) return grpc::Status::OK;
  return dependencies.gate->AdmitCell(context, cell_id, AskedAs(context, method));
}

std::string CellOf(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                   const std::string& cell_id) {
  const auto caller = dependencies.gate ? dependencies.gate->CallerOf(context) : std::nullopt;
  return caller ? FilterOf(*caller, cell_id) : cell_id;
}

grpc::Status CheckDomain(ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                         const std::string& domain, const char* method) {
  if (!dependencies.gate) return grpc::Status::OK;
  return dependencies.gate->AdmitDomain(context, domain, AskedAs(context, method));
}

std::string NameOf(const ServerDependencies& dependencies, const grpc::ServerContextBase& context) {
  // A page is one, whomever it calls for.
  const auto caller = dependencies.gate ? dependencies.gate->WhoOf(context) : std::nullopt;
  return caller ? Show(caller->certificate()) : "";
}

Result<IdentityLimits::Slot> TakeOwn(ServerDependencies& dependencies, const grpc::ServerContextBase& context,
                                     IdentityLimits::Kind kind) {
  if (!dependencies.identity_limits) return IdentityLimits::Slot();
  return dependencies.identity_limits->Take(kind, NameOf(dependencies, context));
}

std::string ActorOf(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context) {
  return StoredActor(
      ActorFrom(dependencies.gate ? dependencies.gate->WhoOf(context) : std::nullopt, SaidActor(context)));
}

std::string OwnKey(const ServerDependencies& dependencies, const grpc::CallbackServerContext& context,
                   const std::string& idempotency_key) {
  const auto caller = dependencies.gate ? dependencies.gate->WhoOf(context) : std::nullopt;
  // A hash: the column is as wide as a key alone. An identity has no space in it.
  return caller ? wire::Sha256Hex(Show(*caller) + " " + idempotency_key) : idempotency_key;
}

grpc::Status CheckField(ServerDependencies& dependencies, const grpc::CallbackServerContext& context, bool asked,
                        const FieldRule& rule, const char* method) {
  if (!asked || !dependencies.gate) return grpc::Status::OK;
  return dependencies.gate->AdmitField(context, rule, AskedAs(context, method));
}

}  // namespace baton
