// The certificates of a stack, as batond --embedded makes them for itself (tools/tls/dev_certificates.h): a directory
// for each part.
#pragma once

#include <memory>
#include <string>

#include "orchestrator/access/identity.h"
#include "tools/client/channel.h"

namespace baton::stack {

class StackCertificates {
 public:
  // Taken up where they are there. Throws StackError.
  explicit StackCertificates(const std::string& dir);
  ~StackCertificates();

  // Its directory; made when it is first asked for.
  std::string For(const Identity& identity) const;
  // A new one in its place: who uses it takes it up within some seconds.
  void Renew(const Identity& identity) const;
  ClientCredentials Admin();
  const std::string& trust_domain() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

// The credentials of a stack's user: the directory's admin.
inline const Identity kStackAdmin{Role::kAdmin, "admin"};

}  // namespace baton::stack
