// The whole command line against a real service on a real database; the cell is played by the test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_cell.h"
#include "tools/baton/baton.h"
#include "tools/baton/outcome.h"

namespace baton::cli {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Program : public ::testing::Test {
 protected:
  Program() {
    service.WaitForLead();
    cell.emplace(service, "cell-1");
    cell->Hello();
  }

  static std::int64_t Now() {
    return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  }

  // The exit status; what was said is in `out` and `err`.
  int Do(std::vector<std::string> words, const std::string& in = "") {
    std::istringstream input(in);
    std::ostringstream output, errors;
    Io io{input, output, errors, nullptr, Now};
    words.insert(words.begin(), {"--batond", service.address(), "--actor", "tester"});
    const int exit_status = cli::Run(words, io);
    out = output.str(), err = WithoutWarning(errors.str());
    return exit_status;
  }

  // What each answer of a batond without TLS is told with, once a call.
  std::string WithoutWarning(std::string text) const {
    const std::string warning = "baton: warning: batond at " + service.address() + " is --insecure: whoever reaches it is admin\n";
    if (const std::size_t at = text.find(warning); at != std::string::npos) text.erase(at, warning.size());
    return text;
  }

  static std::string App(const std::string& version, const std::string& more = "") {
    return "guid: shop\ndomain: demo\nstrategy: {min_healthy_time: 0s}\n" + more +
           "definition:\n  identifier: " + version +
           "\n  root_fs: 'host:'\n  env: {TOKEN: s3cr3t}\n  ports: [8080]\n  action: {command: [/bin/" + version + "]}\n";
  }
  int Apply(const std::string& version, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"apply", "-f", "-"};
    words.insert(words.end(), more.begin(), more.end());
    return Do(words, App(version));
  }
  // What is ordered next, up and ready.
  std::string RunNext() {
    const std::string id = cell->NextRun().actual_id();
    cell->Report(ScriptedCell::Claimed(id));
    cell->Report(ScriptedCell::Started(id));
    return id;
  }
  bool StateBecomes(const std::string& state) {
    return Eventually([&] {
      Do({"rollout", "status", "shop"});
      return out.find("\n" + state) != std::string::npos;
    });
  }
  // Its old instance has to be gone before another one may come: it counts against max_surge.
  void StopWhatIsToldTo(const std::string& id) {
    ASSERT_TRUE(Eventually([&] { return cell->WasToldToStop(id); }));
    v2::CellReport report = ScriptedCell::Claimed(id);
    report.mutable_stopped();
    cell->Report(report);
  }
  void RunVersion1() {
    ASSERT_EQ(Apply("v1"), kDone) << err;
    first = RunNext();
    ASSERT_TRUE(StateBecomes("COMPLETED")) << out;
  }

  RunningService service;
  std::optional<ScriptedCell> cell;
  std::string first;  // actual id of version 1's instance
  std::string out;
  std::string err;
};

}  // namespace baton::cli
