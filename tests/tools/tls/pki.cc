#include "tests/tools/tls/pki.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "orchestrator/base/check.h"
#include "tools/tls/directory.h"
#include "tools/tls/issue.h"

namespace baton {

Pki::Pki() : dir_("/tmp/baton-pki-XXXXXX"), authority_(tls::Authority::Make(kTestDomain, Days(-1, 30))) {
  CHECK(mkdtemp(dir_.data()) != nullptr);
}

Pki::~Pki() { std::filesystem::remove_all(dir_); }

tls::Validity Pki::Days(int from, int to) {
  using std::chrono::hours;
  return {tls::Now() + hours(24) * from, tls::Now() + hours(24) * to};
}

tls::Wanted Pki::Good(Role role, const std::string& name) const {
  return tls::WantedFor(kTestDomain, {role, name}, Days(-1, 30));
}

std::string Pki::For(Role role, const std::string& name) const {
  const std::string dir = dir_ + "/" + std::string(Name(role)) + "-" + name;
  const auto issued = tls::IssueInto(authority_, {.identity = {role, name}, .validity = Days(-1, 30)}, dir);
  CHECK(issued.ok());
  return dir;
}

std::string Pki::With(const tls::Wanted& wanted, const tls::Authority* by, const std::string& roots) const {
  const std::string dir = dir_ + "/" + std::to_string(++made_);
  const auto issued = (by ? *by : authority_).Issue(wanted);
  CHECK(issued.ok());
  const Status written = tls::WriteDirectory(dir, {{tls::kRootsFile, roots.empty() ? authority_.certificate().pem() : roots},
                                                   {tls::kChainFile, issued->certificate.pem()},
                                                   {tls::kKeyFile, issued->key.pem()}});
  CHECK(written.ok());
  return dir;
}

std::shared_ptr<Tls> Pki::Open(const std::string& dir, Tls::Options options) {
  options.dir = dir;
  options.roles = tls::AllRoles();
  options.look_every = std::chrono::milliseconds(20);
  auto opened = Tls::Open(std::move(options));
  CHECK(opened.ok());
  return *std::move(opened);
}

std::shared_ptr<grpc::ChannelCredentials> ForeignClient(const std::string& dir, bool with_certificate) {
  const auto files = tls::ReadFiles(dir);
  CHECK(files.ok());
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = files->roots;
  if (with_certificate) {
    options.pem_private_key = files->key;
    options.pem_cert_chain = files->chain;
  }
  return grpc::SslCredentials(options);
}

}  // namespace baton
