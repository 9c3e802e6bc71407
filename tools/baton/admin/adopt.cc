// `baton admin adopt`: the one command that speaks with no batond; it opens both databases itself.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/adopt/adoption.h"
#include "tools/adopt/report.h"
#include "tools/baton/failure.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/command_line/passwords.h"
#include "tools/definitions/database.h"

namespace baton::cli {
namespace {

std::unique_ptr<::baton::Session> Open(const std::string& url, const char* option) {
  auto session = ::baton::Session::Open(url);
  if (session) return *std::move(session);
  throw Failure(kUnreachable,
                std::string(option) + ": " + definitions::Database::Trouble(session.error().message, url, option));
}

[[noreturn]] void Fail(const Error& error) {
  const int exit_status = error.kind == ErrorKind::kUnavailable       ? kUnreachable
                          : error.kind == ErrorKind::kInvalidArgument ? kUsage
                                                                      : kFailed;
  throw Failure(exit_status, error.message);
}

void CheckUsage(const Arguments& a) {
  if (HasPassword(a.from) || HasPassword(a.into)) {
    throw Failure(kUsage, "there is a password in --from or --into, and everybody who lists this machine's processes reads it: "
                          "keep it in a passfile of mode 0600 (passfile=FILE in place of password=, or PGPASSFILE)");
  }
  if (a.drop_source && !a.yes) {
    throw Failure(kUsage, "--drop-source deletes Diego's tables for good; say --yes as well");
  }
  if (!a.drop_source && a.source_keys.empty()) throw Failure(kUsage, "--source-keys is required");
}

// Prints a progress line after this many instances.
class AdoptionProgress {
 public:
  explicit AdoptionProgress(std::ostream& err) : err_(err) {}
  void operator()(std::int64_t apps, std::int64_t instances) {
    constexpr std::int64_t kStep = 50'000;
    if (apps + instances < told_ + kStep) return;
    told_ = apps + instances;
    err_ << apps << " apps with " << instances << " instances are taken over so far\n" << std::flush;
  }

 private:
  std::ostream& err_;
  std::int64_t told_ = 0;
};

void WriteFile(const std::string& path, const adopt::Summary& summary, ::baton::Session& into) {
  std::ofstream file(path);
  const Status status = adopt::WriteJson(file, summary, into);
  if (!status) Fail(status.error());
  file.flush();
  if (!file) throw Failure(kFailed, "--report " + path + " cannot be written; the adoption itself is done");
}

}  // namespace

int AdminAdopt(Session& session) {
  const Arguments& a = session.arguments;
  CheckUsage(a);
  const auto from = Open(a.from, "--from");
  const auto into = Open(a.into, "--into");
  if (a.drop_source) {
    const auto dropped = adopt::DropSource(*from, *into);
    if (!dropped) Fail(dropped.error());
    session.io.out << "Diego's tables are dropped: " << dropped->apps << " apps with " << dropped->instances
                   << " instances live in Baton, " << dropped->tasks << " tasks are gone\n";
    return kDone;
  }
  const auto keys = adopt::SourceKeys::Read(a.source_keys);
  if (!keys) Fail(keys.error());
  const auto summary =
      adopt::Adopt({.from = *from, .into = *into, .keys = *keys, .progress = AdoptionProgress(session.io.err)});
  if (!summary) Fail(summary.error());
  if (!a.report.empty()) WriteFile(a.report, *summary, *into);
  const bool json = a.output == Output::kJson || a.output == Output::kYaml;
  const Status written =
      json ? adopt::WriteJson(session.io.out, *summary, *into) : adopt::WriteText(session.io.out, *summary, *into);
  if (!written) Fail(written.error());
  return summary->complete() ? kDone : kFailed;
}

}  // namespace baton::cli
