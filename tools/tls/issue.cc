#include "tools/tls/issue.h"

#include <filesystem>

#include "tools/tls/directory.h"

namespace baton::tls {
namespace {

// A wrong --out must not overwrite another identity.
Status CheckReplaces(const std::string& dir, const std::string& uri) {
  if (std::filesystem::exists(dir + "/" + kAuthorityKeyFile)) {
    return FailedPrecondition(dir + " is an authority's directory: choose another --out");
  }
  const std::string file = dir + "/" + kChainFile;
  if (!std::filesystem::exists(file)) return Done{};
  const auto text = ReadPublicFile(file);
  if (!text) return text.error();
  const auto there = Certificate::ParseAll(*text, file);
  if (!there) return Done{};  // nothing worth keeping
  const std::vector<std::string> uris = there->front().uris();
  if (uris == std::vector<std::string>{uri}) return Done{};
  return FailedPrecondition(file + " is of " + (uris.empty() ? "nobody" : uris.front()) + ", not of " + uri +
                            ": choose another --out");
}

}  // namespace

Status WriteAuthority(const Authority& authority, const std::string& dir) {
  // Without its key no certificate of it can be renewed.
  if (std::filesystem::exists(dir))
    return FailedPrecondition(dir + " is there already: an authority is not replaced, choose another --out");
  return ReplaceAuthority(authority, dir);
}

Status ReplaceAuthority(const Authority& authority, const std::string& dir) {
  return WriteDirectory(dir, {{kRootsFile, authority.certificate().pem()}, {kAuthorityKeyFile, authority.key().pem()}});
}

Result<Authority> ReadAuthority(const std::string& dir) {
  const std::string file = dir + "/" + kRootsFile;
  const auto certificate = ReadPublicFile(file);
  if (!certificate) return certificate.error();
  const auto key = ReadKeyFile(dir + "/" + kAuthorityKeyFile);
  if (!key) return key.error();
  return Authority::From(*certificate, *key, file);
}

Result<Issued> IssueInto(const Authority& authority, const Order& order, const std::string& dir) {
  Wanted wanted = order.database.empty() ? WantedFor(authority.trust_domain(), order.identity, order.validity)
                                         : WantedForDatabase(authority.trust_domain(), order.database, order.validity);
  wanted.ip_addresses = order.ip_addresses;
  wanted.dns_names = order.dns_names;
  if (Status replaces = CheckReplaces(dir, wanted.uris.front()); !replaces) return replaces.error();
  auto issued = authority.Issue(wanted);
  if (!issued) return issued.error();
  const Status written = WriteDirectory(dir, {{kRootsFile, authority.certificate().pem() + order.also_trusted},
                                              {kChainFile, issued->certificate.pem()},
                                              {kKeyFile, issued->key.pem()}});
  if (!written) return written.error();
  return issued;
}

}  // namespace baton::tls
