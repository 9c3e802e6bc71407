// The certificates of a stack: an authority that is thrown away with it, and a directory for each part.
#pragma once

#include <memory>
#include <string>

#include "orchestrator/access/identity.h"
#include "tools/client/channel.h"

namespace baton {

class Tls;

class StackCertificates {
 public:
  // DIR/ca and DIR/tls; both are taken up where they are there. Throws StackError.
  explicit StackCertificates(const std::string& dir);
  ~StackCertificates();

  // Its directory; made when it is first asked for.
  std::string For(const Identity& identity) const;
  // A new one in its place: who uses it takes it up within some seconds.
  void Renew(const Identity& identity) const;
  // One authority follows another without a moment in which somebody is not believed, each step renewing all directories:
  // both are believed, then the new one issues, then it alone is believed. See docs/security.md. Each begins when the one
  // before is taken up by all.
  void BelieveNextAuthority();
  void IssueByNextAuthority();
  void ForgetFirstAuthority();
  ClientCredentials Admin();

 private:
  class Parts;
  void RenewAll() const;
  std::string dir_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace baton
