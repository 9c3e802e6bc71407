#include "orchestrator/server/callers/peer_certificate.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <ctime>
#include <iterator>
#include <optional>

namespace baton {
namespace {

constexpr std::size_t kKnownMax = 4096;  // as many as there may be connections
constexpr std::size_t kIpv4Bytes = 4;
constexpr std::size_t kMappedAt = 12;

std::chrono::sys_seconds TimeOf(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts)));
}

std::optional<IpAddress> AddressIn(const ASN1_OCTET_STRING* text) {
  const unsigned char* bytes = ASN1_STRING_get0_data(text);
  const auto length = static_cast<std::size_t>(ASN1_STRING_length(text));
  IpAddress address;
  if (length == kIpv4Bytes) {
    address.bytes[10] = address.bytes[11] = 0xFF;
    std::copy_n(bytes, length, address.bytes.begin() + kMappedAt);
  } else if (length == address.bytes.size()) {
    std::copy_n(bytes, length, address.bytes.begin());
  } else {
    return std::nullopt;
  }
  return address;
}

void ReadNames(X509* certificate, PeerCertificate& into) {
  auto* names = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    if (name->type == GEN_URI) {
      const ASN1_IA5STRING* uri = name->d.uniformResourceIdentifier;
      into.uris.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(uri)), static_cast<std::size_t>(ASN1_STRING_length(uri)));
    }
    if (name->type != GEN_IPADD) continue;
    if (const auto address = AddressIn(name->d.iPAddress)) into.addresses.push_back(*address);
  }
  sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
}

std::string Hex(const unsigned char* bytes, unsigned int length) {
  std::string hex;
  boost::algorithm::hex_lower(bytes, bytes + length, std::back_inserter(hex));
  return hex;
}

PeerCertificate Read(std::string_view pem) {
  PeerCertificate read;
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  if (!certificate) return read;
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (X509_digest(certificate, EVP_sha256(), digest, &length) == 1) read.fingerprint = Hex(digest, length);
  if (X509_pubkey_digest(certificate, EVP_sha256(), digest, &length) == 1) read.key = Hex(digest, length);
  read.not_after = TimeOf(X509_get0_notAfter(certificate));
  ReadNames(certificate, read);
  X509_free(certificate);
  return read;
}

}  // namespace

std::shared_ptr<const PeerCertificate> PeerCertificates::Of(std::string_view pem) {
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(pem); known != known_.end()) return known->second;
  if (known_.size() >= kKnownMax) known_.clear();
  return known_.emplace(std::string(pem), std::make_shared<const PeerCertificate>(Read(pem))).first->second;
}

}  // namespace baton
