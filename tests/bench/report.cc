#include "tests/bench/report.h"

#include <sys/utsname.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "orchestrator/base/check.h"
#include "orchestrator/model/version.h"
#include "tests/bench/target.h"

namespace baton::bench {
namespace {

// The number with as many digits as say something.
std::string Number(double value) {
  char text[32];
  const double size = std::fabs(value);
  std::snprintf(text, sizeof text, size >= 1000 || value == std::floor(value) ? "%.0f" : size >= 10 ? "%.1f" : "%.3g", value);
  return text;
}

std::string Number(const std::optional<double>& value) { return value ? Number(*value) : "-"; }

const char* WhatOf(Target::Of of) {
  switch (of) {
    case Target::Of::kValue: return "";
    case Target::Of::kP99: return "p99 ";
    case Target::Of::kMemory: return "RSS ";
  }
  return "";
}

std::string Words(const std::vector<Verdict>& verdicts) {
  std::string words;
  for (const Verdict& verdict : verdicts) {
    char text[96];
    std::snprintf(text, sizeof text, "%s%s %.2fx (%s%s %s)", words.empty() ? "" : ", ",
                  verdict.reach ? "reach" : "SHORT", verdict.ratio, WhatOf(verdict.target->of),
                  verdict.target->way == Target::Way::kAtMin ? ">=" : "<=", Number(verdict.target->asked).c_str());
    words += text;
    if (*verdict.target->bbs) words += std::string(" BBS ") + verdict.target->bbs;
  }
  return words;
}

// "model name  : AMD EPYC" of /proc/cpuinfo.
std::string FileField(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string::npos) continue;
    return line.substr(line.find_first_not_of(" \t", colon + 1));
  }
  return "0";
}

std::string PostgresVersion() {
  char line[128] = "PostgreSQL";
  FILE* out = popen("pg_config --version 2>/dev/null", "r");
  if (out && std::fgets(line, sizeof line, out)) line[std::strcspn(line, "(\n")] = 0;
  if (out) pclose(out);
  return line;
}

nlohmann::json OrNull(const std::optional<double>& value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

}  // namespace

std::string UnitOf(const std::string& name, const Figure& figure) {
  if (!figure.unit.empty()) return figure.unit;
  constexpr std::pair<const char*, const char*> kEndings[] = {{"_per_s", "1/s"}, {"_ms", "ms"},       {"_us", "us"},
                                                               {"_mb", "MB"},     {"_kb", "kB"},       {"_ratio", "x"},
                                                               {"_percent", "%"}, {"_per_1000", "ms"}};
  for (const auto& [ending, unit] : kEndings) {
    if (name.ends_with(ending)) return unit;
  }
  return "";
}

std::string RunDescription() {
  utsname kernel{};
  CHECK(uname(&kernel) == 0);
  double load[3] = {0, 0, 0};
  (void)getloadavg(load, 3);
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  char text[512];
  std::snprintf(text, sizeof text, "%s; %u x %s, %.0f GB; Linux %s; %s; Baton %s; load %.1f before it began", date,
                std::thread::hardware_concurrency(), FileField("/proc/cpuinfo", "model name").c_str(),
                std::stod(FileField("/proc/meminfo", "MemTotal")) / (1 << 20), kernel.release, PostgresVersion().c_str(),
                kAppVersion, load[0]);
  return text;
}

void PrintTable(std::FILE* out, const Figures& figures) {
  std::fprintf(out, "%-36s %10s %-4s %8s %8s %8s  %8s %8s %8s %7s %7s %6s\n", "", "value", "", "n", "p50 ms", "p99 ms", "service",
               "postgres", "load", "RSS", "calls", "stmts");
  std::fprintf(out, "%-36s %10s %-4s %8s %8s %8s  %26s %7s %7s %6s\n", "", "", "", "", "", "", "CPU, ms an operation", "MB", "/commit", "/call");
  for (const auto& [name, figure] : figures) {
    std::fprintf(out, "%-36s %10s %-4s %8s %8s %8s  %8s %8s %8s %7s %7s %6s  %s\n", name.c_str(), Number(figure.value).c_str(),
                 UnitOf(name, figure).c_str(), figure.n ? std::to_string(figure.n).c_str() : "-",
                 Number(figure.p50).c_str(), Number(figure.p99).c_str(), Number(figure.cpu_service).c_str(),
                 Number(figure.cpu_postgres).c_str(), Number(figure.cpu_client).c_str(), Number(figure.rss_mb).c_str(),
                 Number(figure.calls_per_commit).c_str(), Number(figure.statements_per_call).c_str(), Words(Judge(name, figure)).c_str());
  }
}

void PrintUnanswered(std::FILE* out, const Figures& figures) {
  for (const Target& target : Targets()) {
    const auto figure = figures.find(target.name);
    if (figure == figures.end() || Judge(target.name, figure->second).empty()) {
      std::fprintf(out, "%-36s not measured in this run\n", target.name);
    }
  }
}

void WriteJsonLines(std::ostream& out, const Figures& figures, const std::string& run) {
  out << nlohmann::ordered_json{{"name", "run"}, {"value", std::time(nullptr)}, {"unit", "s"}, {"description", run}}.dump() << '\n';
  for (const auto& [name, figure] : figures) {
    nlohmann::ordered_json line = {{"name", name},
                                   {"value", figure.value},
                                   {"unit", UnitOf(name, figure)},
                                   {"n", figure.n},
                                   {"p50", OrNull(figure.p50)},
                                   {"p99", OrNull(figure.p99)},
                                   {"cpu_service_ms_per_op", OrNull(figure.cpu_service)},
                                   {"cpu_postgres_ms_per_op", OrNull(figure.cpu_postgres)},
                                   {"cpu_client_ms_per_op", OrNull(figure.cpu_client)},
                                   {"rss_mb", OrNull(figure.rss_mb)},
                                   {"calls_per_commit", OrNull(figure.calls_per_commit)},
                                   {"statements_per_call", OrNull(figure.statements_per_call)}};
    for (const Verdict& verdict : Judge(name, figure)) {
      const std::string of = verdict.target->of == Target::Of::kP99 ? "_p99" : verdict.target->of == Target::Of::kMemory ? "_rss" : "";
      line["asked" + of] = verdict.target->asked;
      line["reach" + of] = verdict.reach;
    }
    out << line.dump() << '\n';
  }
}

}  // namespace baton::bench
