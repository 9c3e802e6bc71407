// Lists of everything that there is, read as streams and decoded by the reader.
#include <google/protobuf/arena.h>

#include <chrono>

#include "baton/v2/actual_lrps_service.grpc.pb.h"
#include "baton/v2/desired_lrps_service.grpc.pb.h"
#include "orchestrator/base/check.h"
#include "tests/bench/bench.h"
#include "tests/bench/many_apps.h"
#include "tests/bench/memory_meter.h"
#include "tests/bench/rig.h"
#include "tests/bench/shapes.h"

namespace baton::bench {
namespace {

constexpr int kListsRounds = 5;

class Lists {
 public:
  explicit Lists(bool arena) : arena_(arena) { MakeTemplate(rig_.postgres().url(), LightApp("template")); }

  // With so many apps of one instance each, beside the template.
  void Measure(int apps, const std::string& size, Figures& figures) {
    Clone(rig_.postgres().url(), apps_, apps);
    apps_ = apps;
    rig_.StartBatond({"--cell-lease-ms", "3600000"});
    rig_.AwaitQuiet();
    const auto desired = v2::DesiredLRPs::NewStub(rig_.channel());
    const auto lrps = v2::ActualLRPs::NewStub(rig_.channel());
    Take("list.scheduling." + size, "desired_lrps", figures, [&] {
      grpc::ClientContext context;
      return Count<v2::ListSchedulingInfosResponse>(*desired->ListSchedulingInfos(&context, {}),
                                                    [](const auto& page) { return page.scheduling_infos_size(); });
    });
    Take("list.desired." + size, "desired_lrps", figures, [&] {
      grpc::ClientContext context;
      return Count<v2::ListDesiredLRPsResponse>(*desired->ListDesiredLRPs(&context, {}),
                                                [](const auto& page) { return page.desired_lrps_size(); });
    });
    Take("list.actual." + size, "actual_lrps", figures, [&] {
      grpc::ClientContext context;
      return Count<v2::ListActualLRPsResponse>(*lrps->ListActualLRPs(&context, {}),
                                               [](const auto& page) { return page.actual_lrps_size(); });
    });
    rig_.StopBatond();
  }

 private:
  // Into one page again and again; or each into an arena, where its rows' parts cost no malloc.
  template <class Page, class Reader, class Rows>
  int Count(Reader& reader, Rows rows) const {
    int count = 0;
    google::protobuf::Arena arena;
    Page page;
    for (;;) {
      Page* const next = arena_ ? google::protobuf::Arena::CreateMessage<Page>(&arena) : &page;
      if (!reader.Read(next)) break;
      count += rows(*next);
      arena.Reset();
    }
    CHECK(reader.Finish().ok());
    return count;
  }

  // The first reading, of nothing known; five of which nothing was written since the one before; and three where one
  // row in a hundred was, here and there.
  template <class List>
  void Take(const std::string& name, const std::string& table, Figures& figures, List list) {
    figures[name + ".first_ms"] = ReadMs(list);
    const double before = MemoryMb(rig_.batond_pid());
    const Usage usage(rig_, name);
    std::vector<double> took;
    for (int i = 0; i < kListsRounds; ++i) took.push_back(ReadMs(list));
    Figure figure = MedianOf(took, "ms");
    usage.Put(figure, kListsRounds);
    figures[name] = figure;
    figures[name + ".more_memory_mb"] = *figure.rss_mb - before;
    took.clear();
    for (const char* const of : {"07", "38", "91"}) {
      rig_.postgres().Sql("UPDATE " + table + " SET domain = domain WHERE right(process_guid, 2) = '" + of + "'");
      took.push_back(ReadMs(list));
    }
    figures[name + ".written_ms"] = MedianOf(took);
  }
  template <class List>
  double ReadMs(List list) const {
    const auto began = std::chrono::steady_clock::now();
    CHECK(list() == apps_ + 1);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  }

  const bool arena_;
  int apps_ = 0;
  Rig rig_;
};

}  // namespace

Figures BenchLists(const BenchSize& size) {
  Figures figures;
  Lists lists(size.arena);
  lists.Measure(25'000, "25k", figures);
  if (size.quick) return figures;
  lists.Measure(100'000, "100k", figures);
  for (const std::string list : {"scheduling", "desired", "actual"})
    PutGrowth(figures, "list." + list, "25k", "100k", 4);
  return figures;
}

}  // namespace baton::bench
