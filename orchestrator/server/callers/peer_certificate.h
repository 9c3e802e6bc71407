// What is asked of the certificate of a connection beside who it is of: until when it holds, its fingerprint, and where its owner is.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/model/calls/allowed_hosts.h"

namespace baton {

struct PeerCertificate {
  std::chrono::sys_seconds not_after{};
  std::string fingerprint;           // SHA-256, hex; empty: the certificate could not be read
  std::string key;                   // SHA-256 of its public key, hex: that of a certificate that was renewed with a key of its own is another
  std::vector<IpAddress> addresses;  // its IP SANs
  std::vector<std::string> uris;     // its URI SANs
};

// Read once for as many calls as come with it.
class PeerCertificates {
 public:
  std::shared_ptr<const PeerCertificate> Of(std::string_view pem);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const PeerCertificate>, std::less<>> known_;
};

}  // namespace baton
