// The development certificates that batond --embedded makes beside its data, and their log events.
#pragma once

#include <string>

#include "orchestrator/ports/log.h"
#include "tools/tls/dev_certificates.h"

namespace baton {

class OwnCertificates {
 public:
  // Those of tls::UsualParts are there afterwards, and good for at least a third of their life.
  static Result<OwnCertificates> In(const std::string& dir, Log& log);

  std::string ForBatond() const { return certificates_.DirOf({Role::kBatond, "batond"}); }
  // To be called now and again. Who uses them takes new ones up by himself.
  void RenewWhereDue();

 private:
  OwnCertificates(tls::DevCertificates certificates, Log& log) : certificates_(std::move(certificates)), log_(log) {}

  tls::DevCertificates certificates_;
  Log& log_;
};

}  // namespace baton
