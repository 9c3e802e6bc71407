#include "tools/tls/authority.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>

#include "orchestrator/base/check.h"
#include "tools/tls/openssl.h"

namespace baton::tls {
namespace {

constexpr char kSpiffe[] = "spiffe://";
constexpr std::size_t kCommonNameMax = 64;  // X.520's bound

// 16 random bytes, positive.
void SetSerial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  bytes[0] = (bytes[0] & 0x7F) | 0x40;
  const Owned<BIGNUM, BN_free> number(BN_bin2bn(bytes.data(), bytes.size(), nullptr));
  BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate));
}

void SetValidity(X509* certificate, const Validity& validity) {
  const auto set = [](ASN1_TIME* time, Instant to) { ASN1_TIME_set(time, std::chrono::system_clock::to_time_t(to)); };
  set(X509_getm_notBefore(certificate), validity.from);
  set(X509_getm_notAfter(certificate), validity.to);
}

void SetSubject(X509* certificate, const std::string& common_name) {
  const std::string name = common_name.substr(0, kCommonNameMax);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.data()), static_cast<int>(name.size()), -1, 0);
}

void Extend(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION, X509_EXTENSION_free> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  CHECK(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
}

void AddText(GENERAL_NAMES* names, int kind, const std::string& text) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  ASN1_IA5STRING* value = ASN1_IA5STRING_new();
  ASN1_STRING_set(value, text.data(), static_cast<int>(text.size()));
  GENERAL_NAME_set0_value(name, kind, value);
  sk_GENERAL_NAME_push(names, name);
}

Status AddAddress(GENERAL_NAMES* names, const std::string& text) {
  ASN1_OCTET_STRING* bytes = a2i_IPADDRESS(text.c_str());
  ERR_clear_error();
  if (bytes == nullptr) return Error{ErrorKind::kInvalidArgument, "'" + text + "' is no IP address", {}};
  GENERAL_NAME* name = GENERAL_NAME_new();
  GENERAL_NAME_set0_value(name, GEN_IPADD, bytes);
  sk_GENERAL_NAME_push(names, name);
  return Done{};
}

// Not by OpenSSL's configuration language: a name with a comma would be two.
Status AddNames(X509* certificate, const Wanted& wanted) {
  const Owned<GENERAL_NAMES, GENERAL_NAMES_free> names(GENERAL_NAMES_new());
  for (const std::string& uri : wanted.uris) AddText(names.get(), GEN_URI, uri);
  for (const std::string& name : wanted.dns_names) AddText(names.get(), GEN_DNS, name);
  for (const std::string& address : wanted.ip_addresses) {
    if (Status added = AddAddress(names.get(), address); !added) return added;
  }
  if (sk_GENERAL_NAME_num(names.get()) == 0) return Done{};
  CHECK(X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT) == 1);
  return Done{};
}

// Two authorities of one trust domain are told apart by it.
std::string AuthorityName() {
  std::array<unsigned char, 4> bytes{};
  CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  std::string name = "Baton CA ";
  for (const unsigned char byte : bytes) name += std::to_string(byte % 10) + std::to_string(byte / 10 % 10);
  return name;
}

Certificate Begin(const std::string& common_name, const Validity& validity, const PrivateKey& key) {
  Certificate made(X509_new());
  CHECK(made.native() != nullptr);
  X509_set_version(made.native(), X509_VERSION_3);
  SetSerial(made.native());
  SetValidity(made.native(), validity);
  SetSubject(made.native(), common_name);
  X509_set_pubkey(made.native(), key.native());
  return made;
}

std::string UsageOf(const Wanted& wanted) {
  if (wanted.serves && wanted.calls) return "serverAuth,clientAuth";
  return wanted.serves ? "serverAuth" : "clientAuth";
}

void Sign(X509* certificate, X509* issuer, const PrivateKey& key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  Extend(certificate, issuer, NID_subject_key_identifier, "hash");
  Extend(certificate, issuer, NID_authority_key_identifier, "keyid:always");
  CHECK(X509_sign(certificate, key.native(), EVP_sha256()) > 0);
}

Certificate Sealed(Certificate made, const std::string& trust_domain, const PrivateKey& key) {
  Extend(made.native(), made.native(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  Extend(made.native(), made.native(), NID_key_usage, "critical,keyCertSign,cRLSign");
  const Status named = AddNames(made.native(), {.uris = {kSpiffe + trust_domain}});
  CHECK(named.ok());
  Sign(made.native(), made.native(), key);
  return made;
}

}  // namespace

Validity ForDays(int days, Instant now) { return {now - std::chrono::minutes(1), now + std::chrono::hours(24) * days}; }

Wanted WantedFor(const std::string& trust_domain, const Identity& identity, const Validity& validity) {
  const Role role = identity.role;
  return {.common_name = baton::Show(identity),
          .uris = {SpiffeId(trust_domain, identity)},
          .serves = role == Role::kBatond || role == Role::kWeb || role == Role::kAuctioneer,
          .calls = role != Role::kAuctioneer,
          .validity = validity};
}

Wanted WantedForDatabase(const std::string& trust_domain, const std::string& name, const Validity& validity) {
  return {.common_name = "database/" + name,
          .uris = {"spiffe://" + trust_domain + "/database/" + name},
          .serves = true,
          .calls = true,
          .validity = validity};
}

Authority Authority::Make(const std::string& trust_domain, const Validity& validity) {
  PrivateKey key = PrivateKey::Make();
  Certificate made = Begin(AuthorityName(), validity, key);
  return {trust_domain, Sealed(std::move(made), trust_domain, key), std::move(key)};
}

Authority Authority::Renewed(const Validity& validity) const {
  Certificate made = Begin("", validity, key_);
  CHECK(X509_set_subject_name(made.native(), X509_get_subject_name(certificate_.native())) == 1);
  return {trust_domain_, Sealed(std::move(made), trust_domain_, key_), key_};
}
Result<Authority> Authority::From(const std::string& certificate_pem, const std::string& key_pem, const std::string& file) {
  const auto refused = [&file](const std::string& why) { return Error{ErrorKind::kFailedPrecondition, file + why, {}}; };
  auto certificates = Certificate::ParseAll(certificate_pem, file);
  if (!certificates) return certificates.error();
  auto key = PrivateKey::Parse(key_pem, "the key of " + file);
  if (!key) return key.error();
  const Certificate& own = certificates->front();
  if (!own.is_authority()) return refused(" is no certificate of an authority: baton certs ca makes one");
  if (!key->Fits(own)) return refused(" is not the certificate of the key beside it");
  const std::vector<std::string> uris = own.uris();
  const bool named = uris.size() == 1 && uris.front().starts_with(kSpiffe);
  const std::string domain = named ? uris.front().substr(sizeof kSpiffe - 1) : "";
  if (!IsTrustDomain(domain)) return refused(" names no trust domain (one URI SAN, spiffe://TRUST-DOMAIN)");
  return Authority(domain, own, *std::move(key));
}

Result<Issued> Authority::Issue(const Wanted& wanted) const {
  PrivateKey key = PrivateKey::Make();
  Certificate made = Begin(wanted.common_name, wanted.validity, key);
  X509* issuer = certificate_.native();
  Extend(made.native(), issuer, NID_basic_constraints, "critical,CA:FALSE");
  Extend(made.native(), issuer, NID_key_usage, "critical,digitalSignature");
  Extend(made.native(), issuer, NID_ext_key_usage, UsageOf(wanted).c_str());
  if (Status named = AddNames(made.native(), wanted); !named) return named.error();
  Sign(made.native(), issuer, key_);
  return Issued{std::move(made), std::move(key)};
}

}  // namespace baton::tls
