#include "tools/tls/certificate.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <boost/algorithm/hex.hpp>
#include <ctime>
#include <iterator>

#include "tools/tls/openssl.h"

namespace baton::tls {
namespace {

std::string Hex(const unsigned char* bytes, std::size_t count) {
  std::string text;
  boost::algorithm::hex_lower(bytes, bytes + count, std::back_inserter(text));
  return text;
}

Instant InstantOf(const ASN1_TIME* time) {
  std::tm parts{};
  ASN1_TIME_to_tm(time, &parts);
  return std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::from_time_t(timegm(&parts)));
}

// RFC 2253, what is not ASCII escaped: it is printed to terminals.
std::string NameOf(const X509_NAME* name) {
  const Owned<BIO, BIO_free_all> out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253);
  return TextOf(out.get());
}

std::string StringOf(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)), static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string AddressOf(const ASN1_STRING* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int length = ASN1_STRING_length(bytes);
  if (length != 4 && length != 16) return "?";
  inet_ntop(length == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(bytes), text.data(), text.size());
  return text.data();
}

bool HasUsage(X509* certificate, std::uint32_t usage) {
  const std::uint32_t usages = X509_get_extended_key_usage(certificate);  // all bits, where there is no extension
  return (usages & usage) != 0;
}

}  // namespace

std::string Show(Instant instant) {
  const std::time_t time = std::chrono::system_clock::to_time_t(instant);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return text.data();
}

Certificate::Certificate(X509* certificate) : certificate_(certificate, X509_free) {}

Result<std::vector<Certificate>> Certificate::ParseAll(const std::string& pem, const std::string& file) {
  if (pem.empty()) return FailedPrecondition(file + " is empty");
  const Owned<BIO, BIO_free_all> in(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::vector<Certificate> all;
  ERR_clear_error();
  while (X509* one = PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr)) all.emplace_back(one);
  // The end of the file is the one fault that is none.
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (at_end && !all.empty()) return all;
  return FailedPrecondition(file + (at_end ? " holds no certificate in PEM (-----BEGIN CERTIFICATE-----)"
                                           : " holds a certificate that is broken or cut off"));
}

std::vector<std::string> Certificate::Names(int kind) const {
  const Owned<GENERAL_NAMES, GENERAL_NAMES_free> names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate_.get(), NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> found;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == kind) found.push_back(kind == GEN_IPADD ? AddressOf(name->d.iPAddress) : StringOf(name->d.ia5));
  }
  return found;
}

std::vector<std::string> Certificate::uris() const { return Names(GEN_URI); }
std::vector<std::string> Certificate::dns_names() const { return Names(GEN_DNS); }
std::vector<std::string> Certificate::ip_addresses() const { return Names(GEN_IPADD); }
Instant Certificate::not_before() const { return InstantOf(X509_get0_notBefore(certificate_.get())); }
Instant Certificate::not_after() const { return InstantOf(X509_get0_notAfter(certificate_.get())); }
bool Certificate::is_authority() const { return X509_check_ca(certificate_.get()) == 1; }
bool Certificate::serves() const { return HasUsage(certificate_.get(), XKU_SSL_SERVER); }
bool Certificate::calls() const { return HasUsage(certificate_.get(), XKU_SSL_CLIENT); }
std::string Certificate::subject() const { return NameOf(X509_get_subject_name(certificate_.get())); }
std::string Certificate::issuer() const { return NameOf(X509_get_issuer_name(certificate_.get())); }

std::string Certificate::serial() const {
  const ASN1_INTEGER* number = X509_get0_serialNumber(certificate_.get());
  return Hex(ASN1_STRING_get0_data(number), static_cast<std::size_t>(ASN1_STRING_length(number)));
}

std::string Certificate::fingerprint() const {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  X509_digest(certificate_.get(), EVP_sha256(), digest.data(), &length);
  return Hex(digest.data(), length);
}

std::string Certificate::pem() const {
  const Owned<BIO, BIO_free_all> out(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(out.get(), certificate_.get());
  return TextOf(out.get());
}

Status CheckChain(const std::vector<Certificate>& chain, const std::vector<Certificate>& roots, bool as_server, Instant now) {
  const Owned<X509_STORE, X509_STORE_free> store(X509_STORE_new());
  for (const Certificate& root : roots) X509_STORE_add_cert(store.get(), root.native());
  const Owned<STACK_OF(X509), FreeStack> between(sk_X509_new_null());
  for (std::size_t i = 1; i < chain.size(); ++i) sk_X509_push(between.get(), chain[i].native());
  const Owned<X509_STORE_CTX, X509_STORE_CTX_free> look(X509_STORE_CTX_new());
  X509_STORE_CTX_init(look.get(), store.get(), chain.front().native(), between.get());
  X509_STORE_CTX_set_purpose(look.get(), as_server ? X509_PURPOSE_SSL_SERVER : X509_PURPOSE_SSL_CLIENT);
  X509_STORE_CTX_set_time(look.get(), 0, std::chrono::system_clock::to_time_t(now));
  const bool good = X509_verify_cert(look.get()) == 1;
  const int why = X509_STORE_CTX_get_error(look.get());
  ERR_clear_error();
  if (good) return Done{};
  return FailedPrecondition(X509_verify_cert_error_string(why));
}

}  // namespace baton::tls
