#include "tests/e2e/runbook.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "orchestrator/base/check.h"
#include "tools/stack/program.h"
#include "tools/stack/stack.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBlockPatience{120};

std::string ReadAll(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void WriteAll(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_NE(text.find(from), text.npos) << "the page does not say " << from << " any more";
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

}  // namespace

Runbook::Runbook(std::string page, std::string dir)
    : text_(ReadAll(std::string(BATON_SOURCE_DIR) + "/" + page)), dir_(std::move(dir)) {
  CHECK(!text_.empty());
  fs::create_directories(dir_ + "/bin");
  fs::create_directories(dir_ + "/deploy");
  fs::permissions(dir_, fs::perms(0755));
  fs::copy(std::string(BATON_SOURCE_DIR) + "/deploy/backup", dir_ + "/deploy/backup");
  fs::copy(stack::OwnDirectory() + "/baton-definitions", dir_ + "/bin");
}

std::string Runbook::Lines(const std::string& block) const {
  const std::string head = "<!-- block: " + block + " -->\n```sh\n";
  const std::size_t begin = text_.find(head);
  EXPECT_NE(begin, text_.npos) << "the page has no block " << block;
  if (begin == text_.npos) return "exit 99\n";
  const std::size_t from = begin + head.size();
  return text_.substr(from, text_.find("\n```", from) + 1 - from);
}

void Runbook::SayFirst(const std::string& block, const std::string& lines) {
  ASSERT_NE(Lines(block), "exit 99\n");
  first_ += lines + "\n";
}

// The script says what it was asked for, and waits until that is done.
void Runbook::StandIn(const std::string& program, std::function<void(const std::string&)> by) {
  const std::string script = dir_ + "/bin/" + program;
  const std::string asked = dir_ + "/" + program;
  WriteAll(script, "#!/bin/sh\necho \"$*\" >" + asked + ".new && mv " + asked + ".new " + asked +
                       ".asked\nwhile [ -e " + asked + ".asked ]; do sleep 0.02; done\n");
  fs::permissions(script, fs::perms(0755));
  stand_ins_[program] = std::move(by);
}

void Runbook::ServeStandIns() {
  for (const auto& [program, by] : stand_ins_) {
    const std::string asked = dir_ + "/" + program + ".asked";
    if (!fs::exists(asked)) continue;
    std::string arguments = ReadAll(asked);
    if (!arguments.empty()) arguments.pop_back();
    by(arguments);
    fs::remove(asked);
  }
}

Runbook::Outcome Runbook::Run(const std::string& block, const std::map<std::string, std::string>& replaced) {
  std::string lines = Lines(block);
  for (const auto& [from, to] : replaced) ReplaceAll(lines, from, to);
  const std::string script = dir_ + "/" + block + ".sh";
  const std::string log = dir_ + "/" + block + ".log";
  WriteAll(script, "set -euo pipefail\ncd " + dir_ + "\nPATH=" + dir_ + "/bin:" + stack::OwnDirectory() + ":$PATH\n" +
                       first_ + lines);
  fs::remove(log);
  std::vector<std::string> environment;
  for (const auto& [name, value] : environment_) environment.push_back(name + "=" + value);
  stack::Program bash({.name = block, .command = {"/bin/bash", script}, .log = log, .environment = environment});
  EXPECT_TRUE(stack::WaitFor(kBlockPatience, {}, [&] {
    ServeStandIns();
    return !bash.Running();
  })) << block;
  if (bash.Running()) bash.Kill();
  return {.exit_status = bash.exit_status().value_or(-1), .output = ReadAll(log)};
}

}  // namespace baton
