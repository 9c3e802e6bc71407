// A batond that asks for certificates, and who calls it with which.
#pragma once

#include "orchestrator/access/identity.h"
#include "tests/server/running_service.h"
#include "tests/server/test_certificates.h"

namespace baton {

inline constexpr char kTestTrustDomain[] = "baton.example";

// That OpenSSL under gRPC takes for the server's.
std::shared_ptr<grpc::ServerCredentials> TestServerCredentials(const TestAuthority& authority);
std::shared_ptr<grpc::ChannelCredentials> TestClientCredentials(const TestAuthority& authority, const KeyAndCertificate& client);

// Of `authority`, for this role and name.
KeyAndCertificate CertificateOf(const TestAuthority& authority, Role role, const std::string& name);

class SecureService {
 public:
  // Its stubs are admin's. `log`: instead of stderr.
  explicit SecureService(batond::ServiceOptions options = {}, Log* log = nullptr);

  RunningService& running() { return running_; }
  const TestAuthority& authority() const { return authority_; }

  // A connection of its own.
  std::shared_ptr<grpc::Channel> ChannelOf(const KeyAndCertificate& client) const;
  std::shared_ptr<grpc::Channel> ChannelOf(Role role, const std::string& name) const {
    return ChannelOf(CertificateOf(authority_, role, name));
  }
  // Of who has no certificate.
  std::shared_ptr<grpc::Channel> ChannelWithout() const { return ChannelOf(KeyAndCertificate{}); }

 private:
  const TestAuthority authority_;
  RunningService running_;
};

}  // namespace baton
