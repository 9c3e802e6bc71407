#include "tools/tls/credentials.h"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "orchestrator/base/ticker.h"
#include "tools/tls/memory_file.h"

namespace baton {
namespace {

namespace gx = grpc::experimental;

constexpr unsigned int kPollIntervalS = 1;  // of gRPC, at what was found good

// Who wants to know whom we refused, until he is gone: handshakes may outlive him.
class Listener {
 public:
  explicit Listener(std::function<void(const std::string&)> refused) : refused_(std::move(refused)) {}
  void Refused(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (refused_) refused_(why);
  }
  void Leave() {
    const std::lock_guard lock(mutex_);
    refused_ = nullptr;
  }

 private:
  std::mutex mutex_;
  std::function<void(const std::string&)> refused_;
};

// Who is at the other end, once TLS has found that the certificate is genuine.
class PeerCheck final : public gx::ExternalCertificateVerifier {
 public:
  PeerCheck(std::string trust_domain, std::optional<Role> only, std::shared_ptr<Listener> listener)
      : trust_domain_(std::move(trust_domain)), only_(only), listener_(std::move(listener)) {}

  bool Verify(gx::TlsCustomVerificationCheckRequest* request, std::function<void(grpc::Status)>,
              grpc::Status* status) override {
    const auto who = WhoIs(*request);
    std::string why;
    if (!who) {
      why = who.error().message;
    } else if (only_ && who->role != *only_) {
      why = "it is the certificate of " + Show(*who) + ", not of " + (only_ == Role::kAuctioneer ? "an " : "a ") + std::string(Name(*only_));
    }
    if (!why.empty()) {
      *status = grpc::Status(grpc::StatusCode::UNAUTHENTICATED, why);
      listener_->Refused(why);
    }
    return true;  // decided at once
  }
  void Cancel(gx::TlsCustomVerificationCheckRequest*) override {}

 private:
  // Out of the certificate: gRPC's uri_names() end at a NUL, and "a\0b" would be "a".
  Result<Identity> WhoIs(const gx::TlsCustomVerificationCheckRequest& request) const {
    const grpc::string_ref pem = request.peer_cert();
    const auto peer = tls::Certificate::ParseAll(std::string(pem.data(), pem.size()), "the certificate of the peer");
    if (!peer) return peer.error();
    return IdentityOf(peer->front().uris(), trust_domain_);
  }

  const std::string trust_domain_;
  const std::optional<Role> only_;
  const std::shared_ptr<Listener> listener_;
};

// In one file: key and chain are read as one.
std::string OwnPem(const tls::Files& files) { return files.key + "\n" + files.chain; }

Result<tls::Files> FilesOf(const Tls::Options& options) {
  return options.apart ? tls::ReadFiles(*options.apart) : tls::ReadFiles(options.dir);
}

}  // namespace

struct Tls::Parts {
  Parts(const tls::Material& material, const Options& options)
      : listener(std::make_shared<Listener>(options.refused)), expires(material.not_after), current(material),
        own(OwnPem(material.files)), roots(material.files.roots),
        provider(std::make_shared<gx::FileWatcherCertificateProvider>(own.path(), own.path(), roots.path(),
                                                                      kPollIntervalS)) {}

  void Prepare(gx::TlsCredentialsOptions& options, const std::string& trust_domain, std::optional<Role> only) const {
    options.set_certificate_provider(provider);
    options.watch_root_certs();
    options.watch_identity_key_cert_pairs();
    options.set_check_call_host(false);
    options.set_certificate_verifier(gx::ExternalCertificateVerifier::Create<PeerCheck>(trust_domain, only, listener));
  }

  const std::shared_ptr<Listener> listener;
  std::atomic<tls::Instant> expires;
  tls::Material current;  // of the looking thread, as the next ones
  tls::MemoryFile own;
  tls::MemoryFile roots;
  std::size_t told = 0;  // of which state of bad files the caller knows; 0: of none
  std::shared_ptr<gx::FileWatcherCertificateProvider> provider;
  std::optional<Ticker> looker;
};

Result<std::shared_ptr<Tls>> Tls::Open(Options options) {
  auto files = FilesOf(options);
  if (!files) return files.error();
  const auto material = tls::Check(*std::move(files), options.roles, tls::Now());
  if (!material) return material.error();
  return std::shared_ptr<Tls>(new Tls(std::move(options), *material));
}

Tls::Tls(Options options, const tls::Material& material)
    : options_(std::move(options)), self_(material.self), trust_domain_(material.trust_domain),
      parts_(std::make_unique<Parts>(material, options_)) {
  if (options_.looked) options_.looked(material);
  parts_->looker.emplace(options_.look_every, [this] {
    Look();
    return options_.look_every;
  });
}

Tls::~Tls() { parts_->listener->Leave(); }

tls::Instant Tls::expires() const { return parts_->expires; }

void Tls::Look() {
  auto files = FilesOf(options_);
  if (!files) {
    Tell(files.error(), files.error().message);
  } else if (*files != parts_->current.files) {
    // Read each time: a certificate that is not valid yet will be.
    const std::string judged = files->roots + files->chain + files->key;
    auto fresh = tls::Check(*std::move(files), options_.roles, tls::Now());
    if (fresh && (fresh->self != self_ || fresh->trust_domain != trust_domain_)) {
      fresh = Error{ErrorKind::kFailedPrecondition,
                    fresh->files.at.chain + " is now of " + Show(fresh->self) + " in " + fresh->trust_domain + ", it was of " +
                        Show(self_) + " in " + trust_domain_ + ": restart to be somebody else",
                    {}};
    }
    if (fresh) {
      Use(*std::move(fresh));
    } else {
      Tell(fresh.error(), judged);
    }
  } else {
    parts_->told = 0;  // the old ones are there again
  }
  if (options_.looked) options_.looked(parts_->current);
}

void Tls::Use(tls::Material fresh) {
  parts_->roots.Replace(fresh.files.roots);  // first: whom others believe now may be of a new CA
  parts_->own.Replace(OwnPem(fresh.files));
  parts_->expires = fresh.not_after;
  parts_->current = std::move(fresh);
  parts_->told = 0;
  if (options_.changed) options_.changed(parts_->current);
}

// Once for each state of the files.
void Tls::Tell(const Error& error, const std::string& about) {
  const std::size_t state = std::hash<std::string>()(about) | 1;
  if (std::exchange(parts_->told, state) != state && options_.changed) options_.changed(error);
}

std::shared_ptr<grpc::ServerCredentials> Tls::ForServer() const {
  gx::TlsServerCredentialsOptions options(parts_->provider);
  parts_->Prepare(options, trust_domain_, /*only=*/std::nullopt);
  options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  return gx::TlsServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> Tls::ForClient(Role server) const {
  gx::TlsChannelCredentialsOptions options;
  parts_->Prepare(options, trust_domain_, server);
  return gx::TlsCredentials(options);
}

}  // namespace baton
