// The server's side of TLS, from files that may change: new connections take up what is there then.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "orchestrator/base/result.h"
#include "tools/http/asio.h"

namespace baton::http {

using TlsContext = boost::asio::ssl::context;

class TlsFiles {
 public:
  // PEM. `client_ca` empty: clients show no certificate; else one may be shown, and one that is shown must be of it.
  TlsFiles(std::string cert, std::string key, std::string client_ca);

  // Reads them. INVALID_ARGUMENT with the file where one cannot be used.
  Status Read();
  // The same where a file has changed since; what cannot be used leaves what is there. True: something new was taken
  // up.
  bool Refresh();
  const std::shared_ptr<TlsContext>& context() const { return context_; }
  // Of the last Refresh that took nothing up though a file has changed; else empty.
  const std::string& fault() const { return fault_; }

 private:
  using Times = std::array<std::filesystem::file_time_type, 3>;
  Times TimesNow() const;

  std::string cert_;
  std::string key_;
  std::string client_ca_;
  Times times_{};
  std::shared_ptr<TlsContext> context_;
  std::string fault_;
};

}  // namespace baton::http
