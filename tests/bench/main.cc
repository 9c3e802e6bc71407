// baton-bench: measures Baton as it is shipped, and says what of it reaches what is asked. See docs/guide/03-speed.md.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>

#include "tests/bench/bench.h"
#include "tests/bench/durable_postgres.h"
#include "tests/bench/profile.h"
#include "tests/bench/report.h"
#include "tests/bench/rig.h"

namespace {

using baton::bench::BenchSize;
using baton::bench::Figures;

struct Part {
  const char* name;
  bool quick;  // also in a quick run
  std::function<Figures(const BenchSize&)> measure;
};

const std::vector<Part>& Parts() {
  static const std::vector<Part> kParts = {
      {"requests", true, baton::bench::BenchRequests},
      {"reports", true, baton::bench::BenchReports},
      {"lists", true, baton::bench::BenchLists},
      {"rolls", true, baton::bench::BenchRolls},
      {"one_app", true, baton::bench::BenchLargeApp},
      {"events", true, baton::bench::BenchEvents},
      {"idle", true, baton::bench::BenchIdle},
      {"fairness", false, [](const auto&) { return baton::bench::BenchFairness(); }},
      {"rejected", false, [](const auto&) { return baton::bench::BenchBesideRejected(); }},
      {"planner", true, [](const auto&) { return baton::bench::BenchPlanner(); }},
      {"store", true, [](const auto&) { return baton::bench::BenchStore(); }},
      {"leader", false, baton::bench::BenchLeader},
      {"recovery", false, [](const auto&) { return baton::bench::BenchRecovery(); }},
      {"rotation", false, [](const auto&) { return baton::bench::BenchRotation(); }},
      {"convergence", false, baton::bench::BenchConvergence},
      {"migration", false, [](const auto&) { return baton::bench::BenchMigration(); }},
      {"upgrade", false, [](const auto&) { return baton::bench::BenchUpgrade(); }},
      {"v1", true, [](const auto&) { return baton::bench::BenchOldApi(); }},
      {"web", true, baton::bench::BenchWeb},
      {"tls", true, baton::bench::BenchTls},
  };
  return kParts;
}

std::string Names() {
  std::string names;
  for (const Part& part : Parts()) names += std::string(names.empty() ? "" : ", ") + part.name;
  return names;
}

// On a terminal one line that is written over; in a log one line a part.
void Say(std::size_t at, std::size_t of, const char* name, std::chrono::seconds so_far) {
  constexpr std::size_t kWidth = 30;
  const std::size_t done = at * kWidth / of;
  if (!isatty(2)) return void(std::fprintf(stderr, "%zu of %zu: %s (after %lld s)\n", at + 1, of, name, static_cast<long long>(so_far.count())));
  std::fprintf(stderr, "\r\033[K[%s%s] %zu of %zu: %s (after %lld s)", std::string(done, '#').c_str(),
               std::string(kWidth - done, '.').c_str(), at + 1, of, name, static_cast<long long>(so_far.count()));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures Baton as it is shipped: throughput, latency, CPU an operation, memory; and what reaches what is asked");
  BenchSize size;
  std::vector<std::string> only;
  std::string json;
  std::string batond;
  app.add_option("--json", json, "Also write the figures to this file, one JSON object a line");
  app.add_option("--only", only, "These parts: " + Names())->delimiter(',')->check(CLI::IsMember([] {
    std::vector<std::string> names;
    for (const Part& part : Parts()) names.emplace_back(part.name);
    return names;
  }()));
  app.add_flag("--quick", size.quick, "A look in less than three minutes: fewer apps, and not all parts");
  app.add_flag("--large", size.large, "Also a million apps");
  app.add_flag("--arena", size.arena, "Whoever reads a list decodes its pages on an arena");
  app.add_option("--batond", batond, "Measure this batond instead of the one beside this program")->check(CLI::ExistingFile);
  std::vector<std::string> settings;
  app.add_option("--postgres", settings,
                 "More of PostgreSQL's settings, NAME=VALUE: to see what one is worth; "
                 "shared_preload_libraries=pg_stat_statements also counts the statements a call");
  std::string database;
  app.add_option("--database", database,
                 "Measure on this server, in databases of the bench's own on it that are gone afterwards: beside "
                 "another system. "
                 "What libpq takes, of a superuser; its CPU counts all that it does")
      ->envname("BATON_BENCH_DATABASE")
      ->excludes("--postgres");
  std::string profiles;
  app.add_option("--profile", profiles, "Write where batond's CPU goes, row by row, into this folder (needs perf)");
  CLI11_PARSE(app, argc, argv);
  baton::bench::Rig::SetBatond(batond);
  baton::bench::Profile::Into(profiles);
  baton::bench::DurablePostgres::SetSettings(settings);
  baton::bench::DurablePostgres::SetServer(database);

  std::vector<const Part*> wanted;
  for (const Part& part : Parts()) {
    if (only.empty() ? !size.quick || part.quick : std::ranges::count(only, part.name) > 0) wanted.push_back(&part);
  }
  const std::string run = baton::bench::RunDescription();
  Figures figures;
  const auto began = std::chrono::steady_clock::now();
  const auto so_far = [&] { return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began); };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Say(i, wanted.size(), wanted[i]->name, so_far());
    figures.merge(wanted[i]->measure(size));
    if (json.empty()) continue;
    std::ofstream out(json);  // anew with each part: one that fails does not take the others' figures with it
    baton::bench::WriteJsonLines(out, figures, run);
    if (!out.flush()) return std::fprintf(stderr, "cannot write %s\n", json.c_str()), 1;
  }
  if (isatty(2)) std::fprintf(stderr, "\r\033[K");
  std::printf("%s\n\n", run.c_str());
  baton::bench::PrintTable(stdout, figures);
  if (only.empty()) baton::bench::PrintUnanswered(stdout, figures);
  std::printf("\n%zu parts in %lld s. CPU is what the operating system counts: of batond, of PostgreSQL with all its "
              "backends, and of what made the load.\n", wanted.size(), static_cast<long long>(so_far().count()));
}
