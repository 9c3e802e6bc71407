#include "tests/server/test_certificates.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "orchestrator/base/check.h"

namespace baton {
namespace {

constexpr long kVersion3 = 2;

std::string Taken(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(bio);
  return text;
}

void AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  CHECK(extension && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

void AddName(GENERAL_NAMES* names, int type, const std::string& text) {
  ASN1_IA5STRING* string = ASN1_IA5STRING_new();
  CHECK(ASN1_STRING_set(string, text.data(), static_cast<int>(text.size())) == 1);
  GENERAL_NAME* name = GENERAL_NAME_new();
  GENERAL_NAME_set0_value(name, type, string);
  sk_GENERAL_NAME_push(names, name);
}

// As they are: OpenSSL's own text of such names has commas that mean something.
void AddNames(X509* certificate, const CertificateSpec& spec) {
  if (spec.uris.empty() && spec.dns.empty() && spec.ipv4.empty()) return;
  GENERAL_NAMES* names = sk_GENERAL_NAME_new_null();
  for (const std::string& uri : spec.uris) AddName(names, GEN_URI, uri);
  for (const std::string& dns : spec.dns) AddName(names, GEN_DNS, dns);
  for (const std::string& text : spec.ipv4) {
    GENERAL_NAME* name = GENERAL_NAME_new();
    GENERAL_NAME_set0_value(name, GEN_IPADD, a2i_IPADDRESS(text.c_str()));
    sk_GENERAL_NAME_push(names, name);
  }
  CHECK(X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, 0) == 1);
  sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
}

void SetSubject(X509* certificate, const std::string& common_name) {
  if (common_name.empty()) return;
  X509_NAME* name = X509_get_subject_name(certificate);
  CHECK(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1, 0) == 1);
}

}  // namespace

TestAuthority::TestAuthority()
    : certificate_(Make({.uris = {}, .common_name = "an authority of tests"}, *key_, nullptr, *key_, true)), pem_(Pem(*certificate_)) {}

KeyAndCertificate TestAuthority::Issue(const CertificateSpec& spec) const {
  const Key key = NewKey();
  return {Pem(*key), Pem(*Make(spec, *key, certificate_.get(), *key_, false))};
}

KeyAndCertificate TestAuthority::SelfSigned(const CertificateSpec& spec) {
  const Key key = NewKey();
  return {Pem(*key), Pem(*Make(spec, *key, nullptr, *key, false))};
}

TestAuthority::Key TestAuthority::NewKey() { return Key(EVP_EC_gen("P-256")); }

TestAuthority::Certificate TestAuthority::Make(const CertificateSpec& spec, EVP_PKEY& key, X509* issuer, EVP_PKEY& issuer_key,
                                               bool authority) {
  Certificate made(X509_new());
  X509* const certificate = made.get();
  CHECK(X509_set_version(certificate, kVersion3) == 1);
  std::int64_t serial = 0;
  CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1);
  ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), serial & INT64_MAX);
  X509_gmtime_adj(X509_getm_notBefore(certificate), spec.valid_from_s);
  X509_gmtime_adj(X509_getm_notAfter(certificate), spec.valid_to_s);
  SetSubject(certificate, spec.common_name);
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer ? issuer : certificate));
  X509_set_pubkey(certificate, &key);
  AddExtension(certificate, issuer ? issuer : certificate, NID_basic_constraints, authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  if (authority) {
    AddExtension(certificate, issuer ? issuer : certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
  } else {
    AddExtension(certificate, issuer ? issuer : certificate, NID_ext_key_usage, "serverAuth,clientAuth");
  }
  AddNames(certificate, spec);
  CHECK(X509_sign(certificate, &issuer_key, EVP_sha256()) > 0);
  return made;
}

std::string TestAuthority::Pem(const X509& certificate) {
  BIO* bio = BIO_new(BIO_s_mem());
  CHECK(PEM_write_bio_X509(bio, const_cast<X509*>(&certificate)) == 1);
  return Taken(bio);
}

std::string TestAuthority::Pem(EVP_PKEY& key) {
  BIO* bio = BIO_new(BIO_s_mem());
  CHECK(PEM_write_bio_PrivateKey(bio, &key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return Taken(bio);
}

}  // namespace baton
