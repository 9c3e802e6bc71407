#include "tools/shim/fetch.h"

#include <curl/curl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>

#include "tools/client/backoff.h"

namespace baton {
namespace {

constexpr int kTriesMax = 3;

std::size_t WriteToFile(const char* bytes, std::size_t size, std::size_t count, void* fd) {
  std::size_t written = 0;
  while (written < size * count) {
    const ssize_t more = write(*static_cast<int*>(fd), bytes + written, size * count - written);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return 0;  // curl ends with CURLE_WRITE_ERROR
    written += static_cast<std::size_t>(more);
  }
  return written;
}

struct Attempt {
  CURLcode code = CURLE_OK;
  long http_status = 0;
  std::string message;

  bool WorthAnother() const {
    if (code == CURLE_HTTP_RETURNED_ERROR) return http_status >= 500 || http_status == 429;
    return code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT || code == CURLE_GOT_NOTHING ||
           code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_COULDNT_RESOLVE_HOST;
  }
};

Attempt FetchOnce(const std::string& url, int fd) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  CURL* easy = curl.get();
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https,file");
  curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 10L);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10'000L);
  // A download that stands still for a minute is given up; one that is merely slow is not.
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, 60L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, WriteToFile);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &fd);
  Attempt attempt;
  attempt.code = curl_easy_perform(easy);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &attempt.http_status);
  attempt.message = curl_easy_strerror(attempt.code);
  if (attempt.code == CURLE_HTTP_RETURNED_ERROR) attempt.message = "HTTP " + std::to_string(attempt.http_status);
  return attempt;
}

}  // namespace

Status FetchTo(const std::string& url, int fd) {
  Backoff backoff(std::chrono::milliseconds(200), std::chrono::milliseconds(2000));
  for (int tries = 1;; ++tries) {
    if (lseek(fd, 0, SEEK_SET) < 0 || ftruncate(fd, 0) < 0) {
      return Error{ErrorKind::kInternal, "cannot begin to write", std::nullopt};
    }
    const Attempt attempt = FetchOnce(url, fd);
    if (attempt.code == CURLE_OK) return Done{};
    if (tries == kTriesMax || !attempt.WorthAnother()) {
      return Error{ErrorKind::kUnavailable, attempt.message, std::nullopt};
    }
    std::this_thread::sleep_for(backoff.Next());  // this process does nothing else
  }
}

}  // namespace baton
