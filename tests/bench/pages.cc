#include "tests/bench/pages.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "orchestrator/base/check.h"
#include "tests/tools/http/raw_http.h"

namespace baton::bench {
namespace {

constexpr char kLook[] = R"({"view": "apps", "sort": "guid", "offset": 0, "limit": 200})";

// "data: {"stream":ID}" of the event that a stream begins with.
std::string IdIn(const std::string& text) {
  const std::string name = "\"stream\":\"";
  const std::size_t at = text.find(name);
  CHECK(at != std::string::npos);
  return text.substr(at + name.size(), text.find('"', at + name.size()) - at - name.size());
}

}  // namespace

Pages::Pages(int port, int count) : stop_(eventfd(0, EFD_CLOEXEC)) {
  for (int i = 0; i < count; ++i) {
    RawHttp stream(port);
    CHECK(stream.Send(GetText("/live")));
    const std::string id = IdIn(stream.ReadUntil("}\n"));
    RawHttp said(port);
    CHECK(said.Send(PostText("/live/" + id, kLook)));
    CHECK(said.Read().status == 200);
    pages_.push_back({.fd = UniqueFd(stream.Release()), .rest = {}, .event = {}});
  }
  thread_ = std::thread([this] { Read(); });
  Await("window", count);
}

Pages::~Pages() {
  const std::uint64_t one = 1;
  CHECK(write(stop_.get(), &one, sizeof one) == sizeof one);
  thread_.join();
}

void Pages::Read() {
  std::vector<pollfd> waited{{stop_.get(), POLLIN, 0}};
  for (const Page& page : pages_) waited.push_back({page.fd.get(), POLLIN, 0});
  std::array<char, 1 << 16> bytes;
  while (poll(waited.data(), waited.size(), -1) >= 0 && waited[0].revents == 0) {
    for (std::size_t i = 1; i < waited.size(); ++i) {
      if (waited[i].revents == 0) continue;
      const ssize_t n = read(waited[i].fd, bytes.data(), bytes.size());
      CHECK(n > 0);  // a page's stream does not end while it is looked at
      Page& page = pages_[i - 1];
      std::string& rest = page.rest;
      rest.append(bytes.data(), static_cast<std::size_t>(n));
      for (std::size_t end; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1))
        Take(page, rest.substr(0, end));
    }
  }
}

// An event has come when its data has.
void Pages::Take(Page& page, const std::string& line) {
  const std::string event = "event: ";
  if (line.starts_with(event)) page.event = line.substr(event.size());
  if (!line.starts_with("data: ")) return;
  const std::string total = "\"total\":";
  const std::size_t at = line.find(total);
  const std::lock_guard lock(mutex_);
  if (page.event == "window" && at != std::string::npos) total_ = std::atoll(line.c_str() + at + total.size());
  auto& [count, when] = seen_[page.event];
  ++count;
  when = std::chrono::steady_clock::now();
  changed_.notify_all();
}

std::int64_t Pages::Count(const std::string& event) {
  const std::lock_guard lock(mutex_);
  return seen_[event].first;
}

std::int64_t Pages::total() {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::chrono::steady_clock::time_point Pages::Await(const std::string& event, std::int64_t count,
                                                   std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  CHECK(changed_.wait_for(lock, timeout, [&] { return seen_[event].first >= count; }));
  return seen_[event].second;
}

}  // namespace baton::bench
