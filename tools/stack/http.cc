#include "tools/stack/http.h"

#include <curl/curl.h>

#include <memory>

namespace baton::stack {
namespace {

std::size_t Append(const char* bytes, std::size_t size, std::size_t count, void* text) {
  static_cast<std::string*>(text)->append(bytes, size * count);
  return size * count;
}

}  // namespace

HttpAnswer HttpGet(const std::string& address, const std::string& host, const std::string& path,
                   std::chrono::milliseconds timeout) {
  const std::unique_ptr<CURL, void (*)(CURL*)> easy(curl_easy_init(), curl_easy_cleanup);
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(
      curl_slist_append(nullptr, ("Host: " + host).c_str()), curl_slist_free_all);
  HttpAnswer answer;
  curl_easy_setopt(easy.get(), CURLOPT_URL, ("http://" + address + path).c_str());
  curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_NOPROXY, "*");
  curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(easy.get(), CURLOPT_WRITEFUNCTION, Append);
  curl_easy_setopt(easy.get(), CURLOPT_WRITEDATA, &answer.body);
  if (curl_easy_perform(easy.get()) != CURLE_OK) return {};
  long status = 0;
  curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  return answer;
}

bool Listens(const std::string& address, std::chrono::milliseconds timeout) {
  const std::unique_ptr<CURL, void (*)(CURL*)> easy(curl_easy_init(), curl_easy_cleanup);
  curl_easy_setopt(easy.get(), CURLOPT_URL, ("http://" + address).c_str());
  curl_easy_setopt(easy.get(), CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_NOPROXY, "*");
  curl_easy_setopt(easy.get(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(timeout.count()));
  return curl_easy_perform(easy.get()) == CURLE_OK;
}

}  // namespace baton::stack
