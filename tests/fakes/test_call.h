// A command that a test puts together: what is not set does nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "orchestrator/ports/app_command.h"

namespace baton {

struct TestCall : CommandHeader {
  std::function<Status(AppEdit&)> decide;
  std::function<bool()> abandoned;
  std::function<std::string()> encode;
  std::function<bool(const std::string&)> replay;
  std::function<void(const Status&)> done;

  // To be submitted.
  operator std::unique_ptr<AppCommand>() &&;
};

class TestCommand final : public AppCommand {
 public:
  explicit TestCommand(TestCall call) : AppCommand(call), call_(std::move(call)) {}
  bool Abandoned() const override { return call_.abandoned && call_.abandoned(); }
  bool Replay(const std::string& answer) override { return call_.replay(answer); }
  Status Decide(AppEdit& edit) override { return call_.decide ? call_.decide(edit) : Status(Done{}); }
  std::string Encode() override { return call_.encode(); }
  void End(const Status& status) override {
    if (call_.done) call_.done(status);
  }

 private:
  const TestCall call_;
};

inline TestCall::operator std::unique_ptr<AppCommand>() && { return std::make_unique<TestCommand>(std::move(*this)); }

}  // namespace baton
