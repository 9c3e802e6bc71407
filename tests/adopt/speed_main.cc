// How fast the step from 1.1 to 2.x is: adopt-speed URL [ROWS_A_BATCH]. The database is one that was adopted; what it
// has of the target shape is made anew.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "schema/layouts.h"
#include "schema/legacy/copier.h"
#include "sql/session.h"

namespace baton {
namespace {

int Main(const std::string& url, int most) {
  const auto session = Session::Open(url);
  if (!session) return std::fprintf(stderr, "%s\n", session.error().message.c_str()), 1;
  const auto within = [&](const std::function<void(Session&)>& body) {
    const SessionError error = (*session)->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      body(s);
      return true;
    });
    if (!error.ok()) std::fprintf(stderr, "%s\n", error.detail.c_str());
    return error.ok();
  };
  LegacyCopier copier;
  CopyBatch batch;
  std::int64_t rows = 0;
  if (!within(MakeTargetShape)) return 1;
  const auto begin = std::chrono::steady_clock::now();
  while (!batch.done) {
    if (!within([&](Session& s) { batch = copier.Next(s, batch.checkpoint, most); })) return 1;
    rows += batch.rows;
  }
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%lld rows in %.2f s: %.0f rows/s, %.1f ms per 1,000; client CPU %.2f s, memory %ld MiB\n",
              static_cast<long long>(rows), took, static_cast<double>(rows) / took,
              took * 1e6 / static_cast<double>(rows),
              static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) / 1e6,
              usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace
}  // namespace baton

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "adopt-speed URL [ROWS_A_BATCH]\n"), 2;
  return baton::Main(argv[1], argc > 2 ? std::atoi(argv[2]) : 1000);
}
