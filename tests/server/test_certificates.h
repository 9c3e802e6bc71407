// Certificates of any kind, made in memory: good ones, and such as must be refused.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <vector>

namespace baton {

// As gRPC takes them, PEM.
struct KeyAndCertificate {
  std::string key;
  std::string certificate;
};

struct CertificateSpec {
  std::vector<std::string> uris;
  std::string common_name = {};
  std::vector<std::string> dns = {};
  std::vector<std::string> ipv4 = {};
  int valid_from_s = -3600;  // from now on
  int valid_to_s = 3600;
};

class TestAuthority {
 public:
  TestAuthority();

  KeyAndCertificate Issue(const CertificateSpec& spec) const;
  // By its own key, and not by the authority's.
  static KeyAndCertificate SelfSigned(const CertificateSpec& spec);
  // Its own, PEM.
  const std::string& certificate() const { return pem_; }

 private:
  struct Free {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(X509* certificate) const { X509_free(certificate); }
  };
  using Key = std::unique_ptr<EVP_PKEY, Free>;
  using Certificate = std::unique_ptr<X509, Free>;

  static Key NewKey();
  // `issuer` null: itself.
  static Certificate Make(const CertificateSpec& spec, EVP_PKEY& key, X509* issuer, EVP_PKEY& issuer_key, bool authority);
  static std::string Pem(const X509& certificate);
  static std::string Pem(EVP_PKEY& key);

  Key key_ = NewKey();
  Certificate certificate_;
  std::string pem_;
};

}  // namespace baton
