#include "tests/adopt/diego.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "schema/layouts.h"
#include "schema/legacy/copier.h"
#include "tests/fakes/pg_fixture.h"
#include "tests/schema/pg_tools.h"
#include "tools/adopt/report.h"
#include "tools/embedded_postgres/command.h"

namespace baton::testing {
namespace {

// Debian's own, which has its cryptography.
CommandResult Python(const std::string& script, std::vector<std::string> options) {
  options.insert(options.begin(), {"/usr/bin/python3", "-B", BATON_SOURCE_DIR "/tests/adopt/" + script});
  auto result = RunCommand(options, std::nullopt);
  if (!result) return {127, result.error().message};
  return *std::move(result);
}

}  // namespace

Diego::Diego(const std::vector<std::string>& options, std::string url)
    : url_(url.empty() ? FreshDatabase() : std::move(url)) {
  char path[] = "/tmp/baton-diego-XXXXXX";
  dir_ = mkdtemp(path);
  keys_file_ = dir_ + "/keys.json";
  std::vector<std::string> words{"--url", url_, "--keys", keys_file_, "--manifest", dir_ + "/manifest.json"};
  words.insert(words.end(), options.begin(), options.end());
  const CommandResult made = Python("make_diego.py", words);
  EXPECT_EQ(made.exit_status, 0) << made.output;
  manifest_ = nlohmann::json::parse(std::ifstream(dir_ + "/manifest.json"));
}

Diego::~Diego() { std::filesystem::remove_all(dir_); }

adopt::SourceKeys Diego::keys() const { return *adopt::SourceKeys::Read(keys_file_); }

std::string Diego::Dump() const { return PgDump(url_, {}); }

Result<adopt::Summary> AdoptInto(const Diego& diego, const std::string& into, int batch_apps) {
  const auto from_session = OpenSession(diego.url());
  const auto into_session = OpenSession(into);
  const adopt::SourceKeys keys = diego.keys();
  return adopt::Adopt({.from = *from_session, .into = *into_session, .keys = keys, .batch_apps = batch_apps});
}

nlohmann::json ReportOf(const adopt::Summary& summary, const std::string& into) {
  std::ostringstream out;
  const Status status = adopt::WriteJson(out, summary, *OpenSession(into));
  EXPECT_TRUE(status.ok());
  return nlohmann::json::parse(out.str());
}

std::vector<std::string> CopyToTarget(const std::string& url, int most) {
  const auto session = OpenSession(url);
  const auto within = [&](const std::function<void(Session&)>& body) {
    const SessionError error = session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) {
      body(s);
      return true;
    });
    EXPECT_TRUE(error.ok()) << error.detail;
    return error.ok();
  };
  LegacyCopier copier;
  std::vector<std::string> faults;
  CopyBatch batch;
  bool well = within([](Session& s) { MakeTargetShape(s); });
  while (well && !batch.done) {
    well = within([&](Session& s) { batch = copier.Next(s, batch.checkpoint, most); });
    faults.insert(faults.end(), batch.faults.begin(), batch.faults.end());
  }
  return faults;
}

std::string Compared(const Diego& diego, const std::string& into, const nlohmann::json& report) {
  const std::string path = diego.keys_file() + ".report";
  std::ofstream(path) << report;
  const CommandResult result = Python(
      "compare_adopted.py", {"--source", diego.url(), "--keys", diego.keys_file(), "--target", into, "--report", path});
  return result.exit_status == 0 ? "" : result.output;
}

}  // namespace baton::testing
