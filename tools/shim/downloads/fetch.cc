#include "tools/shim/downloads/fetch.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "orchestrator/model/calls/socket_address.h"
#include "tools/client/backoff.h"
#include "tools/shim/downloads/below.h"

namespace baton::shim {
namespace {

constexpr int kTriesMax = 3;
constexpr std::uint64_t kMiB = 1 << 20;

Error FetchError(const std::string& text) { return Error{ErrorKind::kUnavailable, text, std::nullopt}; }

std::string TooLarge(const FetchLimits& limits) {
  return "it is larger than the " + std::to_string(limits.bytes_max / kMiB) + " MiB that it may have";
}

// What has come so far, and whether more of it may come.
struct Target {
  int fd = -1;
  std::uint64_t room = 0;
  bool full = false;

  bool Take(const char* bytes, std::size_t size) {
    full = size > room;
    if (full) return false;
    room -= size;
    while (size > 0) {
      const ssize_t written = write(fd, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
    return true;
  }
};

std::size_t WriteToFile(const char* bytes, std::size_t size, std::size_t count, void* target) {
  // Any other number than the given one ends it with CURLE_WRITE_ERROR.
  return static_cast<Target*>(target)->Take(bytes, size * count) ? size * count : 0;
}

// A part of the URL, as curl reads it; empty: there is none, or it is no URL.
std::string PartOf(const std::string& url, CURLUPart part, unsigned flags) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> read(curl_url(), curl_url_cleanup);
  char* text = nullptr;
  if (curl_url_set(read.get(), CURLUPART_URL, url.c_str(), CURLU_GUESS_SCHEME) != CURLUE_OK ||
      curl_url_get(read.get(), part, &text, flags) != CURLUE_OK) {
    return "";
  }
  std::string found = text;
  curl_free(text);
  return found;
}

// Ours, not curl's: it must not leave the directory, whatever links are below it.
Status CopyFile(const std::string& url, int fd, const FetchLimits& limits) {
  if (limits.file_dir.empty()) return FetchError("file: URLs are refused: the cell has no --download-dir");
  const std::string path = PartOf(url, CURLUPART_PATH, CURLU_URLDECODE);
  const std::string above = limits.file_dir.ends_with('/') ? limits.file_dir : limits.file_dir + "/";
  if (!path.starts_with(above)) return FetchError("the file is not below --download-dir");
  const UniqueFd dir(open(limits.file_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Result<UniqueFd> file = OpenFileBelow(dir.get(), path.substr(above.size()));
  if (!file) return FetchError("the file is not there, or not below --download-dir");
  Target target{fd, limits.bytes_max};
  char piece[65536];
  for (;;) {
    const ssize_t count = read(file->get(), piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return FetchError("the file cannot be read");
    if (count == 0) return Done{};
    if (!target.Take(piece, static_cast<std::size_t>(count))) {
      return FetchError(target.full ? TooLarge(limits) : "it cannot be written");
    }
  }
}

// The last address that was not connected to, as the error shows it.
struct Gate {
  const FetchLimits& limits;
  std::string refused;

  // Asked for each address of each hop, after the name was looked up: what it led to before may be another one now.
  static curl_socket_t Open(void* self, curlsocktype, curl_sockaddr* to) {
    Gate& gate = *static_cast<Gate*>(self);
    const auto address = IpAddressOf(to->addr);
    if (gate.limits.proxy.empty() && (!address || !MayFetchFrom(*address, gate.limits.networks))) {
      gate.refused = address ? TextOf(*address) : "an address of no IP";
      return CURL_SOCKET_BAD;
    }
    return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
  }

  std::string Why() const {
    return "it leads to " + refused +
           ", and downloads come from no loopback, link-local, multicast or unspecified address that baton-cell run "
           "--download-allow does not name";
  }
};

struct Attempt {
  CURLcode code = CURLE_OK;
  long http_status = 0;
  std::string message;
  bool refused = false;  // by us

  bool WorthAnother() const {
    if (refused) return false;
    if (code == CURLE_HTTP_RETURNED_ERROR) return http_status >= 500 || http_status == 429;
    return code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT || code == CURLE_GOT_NOTHING ||
           code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_COULDNT_RESOLVE_HOST;
  }
};

Attempt FetchOnce(const std::string& url, int fd, const FetchLimits& limits) {
  Target target{fd, limits.bytes_max};
  Gate gate{limits, ""};
  const std::string scheme = PartOf(url, CURLUPART_SCHEME, 0);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  CURL* easy = curl.get();
  curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, scheme == "https" ? "https" : "http,https");  // never to less
  // Where the server says beforehand how large it is; what it sends is counted all the same.
  curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(limits.bytes_max));
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(easy, CURLOPT_MAXREDIRS, 10L);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &Gate::Open);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, &gate);
  // Both are said: what is left out, curl takes from the environment.
  curl_easy_setopt(easy, CURLOPT_PROXY, limits.proxy.c_str());
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, 10'000L);
  // A download that stands still for a minute is given up; one that is merely slow is not.
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, 60L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, WriteToFile);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &target);
  Attempt attempt;
  attempt.code = curl_easy_perform(easy);
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &attempt.http_status);
  attempt.message = curl_easy_strerror(attempt.code);
  if (target.full || attempt.code == CURLE_FILESIZE_EXCEEDED) attempt.message = TooLarge(limits);
  if (attempt.code == CURLE_UNSUPPORTED_PROTOCOL) {
    long redirects = 0;
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_COUNT, &redirects);
    attempt.message = redirects > 0 ? "it redirects to a scheme that is not followed" : "it is of no scheme that is known";
  }
  attempt.refused = attempt.code == CURLE_COULDNT_CONNECT && !gate.refused.empty();
  if (attempt.refused) attempt.message = gate.Why();
  if (attempt.code == CURLE_HTTP_RETURNED_ERROR) attempt.message = "HTTP " + std::to_string(attempt.http_status);
  return attempt;
}

}  // namespace

bool MayFetchFrom(const IpAddress& address, const std::vector<IpNetwork>& networks) {
  return (address.IsOfAMachine() && !address.IsLoopback()) ||
         std::ranges::any_of(networks, [&](const IpNetwork& network) { return network.Has(address); });
}

bool IsFileUrl(const std::string& url) { return PartOf(url, CURLUPART_SCHEME, 0) == "file"; }

Status FetchTo(const std::string& url, int fd, const FetchLimits& limits) {
  Backoff backoff(std::chrono::milliseconds(200), std::chrono::milliseconds(2000));
  for (int tries = 1;; ++tries) {
    if (lseek(fd, 0, SEEK_SET) < 0 || ftruncate(fd, 0) < 0) {
      return Error{ErrorKind::kInternal, "cannot begin to write", std::nullopt};
    }
    if (IsFileUrl(url)) return CopyFile(url, fd, limits);
    const Attempt attempt = FetchOnce(url, fd, limits);
    if (attempt.code == CURLE_OK) return Done{};
    if (tries == kTriesMax || !attempt.WorthAnother()) {
      return Error{ErrorKind::kUnavailable, attempt.message, std::nullopt};
    }
    std::this_thread::sleep_for(backoff.Next());  // this process does nothing else
  }
}

}  // namespace baton::shim
