#include "tests/server/secure_service.h"

namespace baton {
namespace {

constexpr char kHost[] = "batond.test";

batond::ServiceOptions Secured(batond::ServiceOptions options, const TestAuthority& authority) {
  options.credentials = TestServerCredentials(authority);
  options.trust_domain = kTestTrustDomain;
  return options;
}

std::shared_ptr<grpc::Channel> Dial(const std::string& address, const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(kHost);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

}  // namespace

std::shared_ptr<grpc::ServerCredentials> TestServerCredentials(const TestAuthority& authority) {
  const KeyAndCertificate own = authority.Issue({.uris = {SpiffeId(kTestTrustDomain, {Role::kBatond, "b1"})}, .dns = {kHost}});
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = authority.certificate();
  options.pem_key_cert_pairs.push_back({own.key, own.certificate});
  return grpc::SslServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials> TestClientCredentials(const TestAuthority& authority, const KeyAndCertificate& client) {
  return grpc::SslCredentials({authority.certificate(), client.key, client.certificate});
}

KeyAndCertificate CertificateOf(const TestAuthority& authority, Role role, const std::string& name) {
  return authority.Issue({.uris = {SpiffeId(kTestTrustDomain, {role, name})}});
}

SecureService::SecureService(batond::ServiceOptions options, Log* log)
    : running_(
          {}, Secured(std::move(options), authority_),
          [this](const std::string& address) {
            return Dial(address, TestClientCredentials(authority_, CertificateOf(authority_, Role::kAdmin, "root")));
          },
          log) {}

std::shared_ptr<grpc::Channel> SecureService::ChannelOf(const KeyAndCertificate& client) const {
  return Dial(running_.address(), TestClientCredentials(authority_, client));
}

}  // namespace baton
