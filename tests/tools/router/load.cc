#include "tests/tools/router/load.h"

#include "tests/tools/router/wait_until.h"

namespace baton::router {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kTextsMax = 10;

}  // namespace

Load::Load(int port, std::vector<LoadTarget> targets) : port_(port), targets_(std::move(targets)) {
  std::size_t n = 0;
  for (const int pause : {1, 2, 5, 20, 100, 400, 1500}) {
    threads_.emplace_back([this, pause, host = n++] { KeptAlive(milliseconds(pause), host); });
  }
  for (int i = 0; i < 2; ++i) {
    threads_.emplace_back([this, host = n++] { Fresh(host); });
  }
}

void Load::Stop() {
  stopping_ = true;
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::string Load::FirstFailures() {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const std::string& text : texts_) all += text + "\n";
  return all;
}

bool Load::Further(int requests) {
  const int until = requests_ + requests;
  return WaitUntil([&] { return requests_ >= until; });
}

void Load::KeptAlive(milliseconds pause, std::size_t first) {
  HttpClient client(port_);
  for (std::size_t n = first; !stopping_; ++n) {
    const LoadTarget& target = targets_[n % targets_.size()];
    Note("kept alive, pause " + std::to_string(pause.count()) + " ms", target, client.Get(target.host, target.path));
    // The client's own pace: it is what is to be tested, not a wait for something.
    const auto until = std::chrono::steady_clock::now() + pause;
    WaitUntil([&] { return stopping_ || std::chrono::steady_clock::now() >= until; });
  }
}

void Load::Fresh(std::size_t first) {
  for (std::size_t n = first; !stopping_; ++n) {
    const LoadTarget& target = targets_[n % targets_.size()];
    Note("new connection", target, GetOnce(port_, target.host, target.path));
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void Load::Note(const std::string& kind, const LoadTarget& target, const HttpAnswer& answer) {
  ++requests_;
  if (answer.status == 200 && answer.body.starts_with(target.answered_by)) return;
  ++failures_;
  const std::lock_guard lock(mutex_);
  if (texts_.size() >= kTextsMax) return;
  texts_.push_back(target.host + target.path + ", " + kind + ": " + std::to_string(answer.status) + " " + answer.error +
                   " " + answer.Header("x-baton-error") + " by " + answer.body);
}

}  // namespace baton::router
