#include "tests/bench/calls.h"

namespace baton::bench {
namespace {

using Steady = std::chrono::steady_clock;

// Kept alive by the callers: the last one may still be in it when its maker goes on.
struct ClosedLoop : std::enable_shared_from_this<ClosedLoop> {
  ClosedLoop(int c, Calls::Start s) : count(c), start(std::move(s)) { took.reserve(static_cast<std::size_t>(count)); }

  void Next() {
    int number = 0;
    {
      const std::lock_guard lock(mutex);
      if (next == count) return;
      number = next++;
    }
    start(number, [self = shared_from_this(), began = Steady::now()](bool ok) {
      CHECK(ok);
      const double ms = std::chrono::duration<double, std::milli>(Steady::now() - began).count();
      {
        const std::lock_guard lock(self->mutex);
        self->took.push_back(ms);
        if (static_cast<int>(self->took.size()) == self->count) return self->ended.notify_all();
      }
      self->Next();
    });
  }

  const int count;
  const Calls::Start start;
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<double> took;
  int next = 0;
};

}  // namespace

std::vector<double> Calls::Took(int count, int callers, const Start& start) {
  const auto loop = std::make_shared<ClosedLoop>(count, start);
  for (int i = 0; i < callers; ++i) loop->Next();
  std::unique_lock lock(loop->mutex);
  loop->ended.wait(lock, [&] { return static_cast<int>(loop->took.size()) == count; });
  return std::move(loop->took);
}

Figure Calls::Run(Rig& rig, const std::string& row, int count, int callers, const Start& start) {
  const Usage usage(rig, row);
  std::vector<double> took = Took(count, callers, start);
  Figure figure(count / usage.wall_seconds());
  figure.unit = "1/s";
  figure.p50 = Quantile(took, 0.5);
  figure.p99 = Quantile(took, 0.99);
  usage.Put(figure, count);
  return figure;
}

}  // namespace baton::bench
