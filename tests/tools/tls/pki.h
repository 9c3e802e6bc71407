// An authority of a test, and directories for --tls out of it.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

#include "tools/tls/authority.h"
#include "tools/tls/credentials.h"

namespace baton {

inline constexpr char kTestDomain[] = "baton.test";

class Pki {
 public:
  Pki();
  ~Pki();

  const tls::Authority& authority() const { return authority_; }
  std::string dir() const { return dir_; }
  // Of the identity, good in every way; gives its directory.
  std::string For(Role role, const std::string& name) const;
  // A directory with this in it, signed by `by` where it is given; `roots`: other ones in its ca.pem.
  std::string With(const tls::Wanted& wanted, const tls::Authority* by = nullptr, const std::string& roots = "") const;
  tls::Wanted Good(Role role, const std::string& name) const;
  static tls::Validity Days(int from, int to);
  // To be kept as long as the credentials are used.
  static std::shared_ptr<Tls> Open(const std::string& dir, Tls::Options options = {});

 private:
  std::string dir_;
  tls::Authority authority_;
  mutable int made_ = 0;
};

// Credentials that look at nothing of their own, as a foreigner's program.
std::shared_ptr<grpc::ChannelCredentials> ForeignClient(const std::string& dir, bool with_certificate = true);

}  // namespace baton
