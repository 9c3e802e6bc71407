#include "tools/http/tls_files.h"

namespace baton::http {

namespace ssl = boost::asio::ssl;

TlsFiles::TlsFiles(std::string cert, std::string key, std::string client_ca)
    : cert_(std::move(cert)), key_(std::move(key)), client_ca_(std::move(client_ca)) {}

Status TlsFiles::Read() {
  times_ = TimesNow();
  auto made = std::make_shared<TlsContext>(ssl::context::tls_server);
  made->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 | ssl::context::no_sslv3 |
                    ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 | ssl::context::no_compression);
  // A session that is resumed would not show its certificate again.
  SSL_CTX_set_session_cache_mode(made->native_handle(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(made->native_handle(), SSL_OP_NO_TICKET);
  boost::system::error_code fault;
  made->use_certificate_chain_file(cert_, fault);
  if (fault) return InvalidArgument("the certificate " + cert_ + " cannot be used: " + fault.message());
  made->use_private_key_file(key_, ssl::context::pem, fault);
  if (fault)
    return InvalidArgument("the key " + key_ + " cannot be used, or is not of " + cert_ + ": " + fault.message());
  if (!client_ca_.empty()) {
    made->load_verify_file(client_ca_, fault);
    if (fault) return InvalidArgument("the clients' authority " + client_ca_ + " cannot be used: " + fault.message());
    made->set_verify_mode(ssl::verify_peer);
  }
  context_ = std::move(made);
  return Done{};
}

bool TlsFiles::Refresh() {
  if (TimesNow() == times_) return false;
  fault_.clear();
  const Status read = Read();
  if (!read) fault_ = read.error().message;
  return read.ok();
}

TlsFiles::Times TlsFiles::TimesNow() const {
  Times times{};
  std::size_t i = 0;
  for (const std::string* file : {&cert_, &key_, &client_ca_}) {
    std::error_code ignored;
    times[i++] = std::filesystem::last_write_time(*file, ignored);
  }
  return times;
}

}  // namespace baton::http
