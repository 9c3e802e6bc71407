#include "tools/shim/steps/combining_steps.h"

#include <utility>

namespace baton::shim {
namespace {

class SerialStep final : public Step {
 public:
  explicit SerialStep(std::vector<std::unique_ptr<Step>> steps) : steps_(std::move(steps)) {}

  void Start(Done done) override {
    done_ = std::move(done);
    Next({});
  }
  void Stop(StepGrace grace) override {
    stopped_ = true;
    if (begun_ > 0 && !ended_) steps_[begun_ - 1]->Stop(grace);
  }

 private:
  void Next(Outcome last) {
    if (last.ok && stopped_ && begun_ < steps_.size()) {
      last = {false, last.exit_status, "stopped before all of it had run", ""};
    }
    if (!last.ok || begun_ == steps_.size()) {
      ended_ = true;
      return done_(std::move(last));
    }
    Step& next = *steps_[begun_++];
    next.Start([this](Outcome outcome) { Next(std::move(outcome)); });
  }

  std::vector<std::unique_ptr<Step>> steps_;
  Done done_;
  std::size_t begun_ = 0;
  bool stopped_ = false;
  bool ended_ = false;
};

// Parallel: all are waited for, the first failure is the outcome. Codependent: the first end stops the others.
class SideBySideStep final : public Step {
 public:
  explicit SideBySideStep(std::vector<std::unique_ptr<Step>> steps) : steps_(std::move(steps)) {}
  SideBySideStep(std::vector<std::unique_ptr<Step>> steps, std::string where, StepGrace grace)
      : steps_(std::move(steps)), bound_(true), where_(std::move(where)), grace_(grace) {}

  void Start(Done done) override {
    done_ = std::move(done);
    left_ = steps_.size();
    if (left_ == 0) return done_({});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      steps_[i]->Start([this, i](Outcome outcome) { Ended(i, std::move(outcome)); });
    }
  }
  void Stop(StepGrace grace) override {
    // Steps that have not started are stopped too: they then end as soon as they start.
    for (const auto& step : steps_) step->Stop(grace);
  }

 private:
  void Ended(std::size_t which, Outcome outcome) {
    const bool first = left_ == steps_.size();
    if (bound_ && first) {
      result_ = std::move(outcome);
      if (result_.ok) {
        const std::string how = result_.exit_status ? DescribeExit(*result_.exit_status) : "ended";
        result_ = {false, result_.exit_status, where_ + ' ' + how, where_};
      }
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (i != which) steps_[i]->Stop(grace_);
      }
    } else if (!bound_ && result_.ok) {
      result_ = std::move(outcome);
    }
    if (--left_ == 0) done_(std::move(result_));
  }

  std::vector<std::unique_ptr<Step>> steps_;
  bool bound_ = false;
  std::string where_;
  StepGrace grace_{};
  Done done_;
  std::size_t left_ = 0;
  Outcome result_;
};

class TimeoutStep final : public Step {
 public:
  TimeoutStep(std::unique_ptr<Step> step, std::chrono::milliseconds limit, StepGrace grace, EventLoop& loop)
      : step_(std::move(step)), limit_(limit), grace_(grace), loop_(loop) {}
  ~TimeoutStep() override { loop_.Cancel(timer_); }

  void Start(Done done) override {
    done_ = std::move(done);
    timer_ = loop_.After(limit_, [this] {
      late_ = true;
      step_->Stop(grace_);
    });
    step_->Start([this](Outcome outcome) { Ended(std::move(outcome)); });
  }
  void Stop(StepGrace grace) override { step_->Stop(grace); }

 private:
  void Ended(Outcome outcome) {
    loop_.Cancel(timer_);
    if (late_) {
      outcome.ok = false;
      outcome.reason = "timeout: not done within " + std::to_string(limit_.count()) + " ms";
    }
    done_(std::move(outcome));
  }

  std::unique_ptr<Step> step_;
  std::chrono::milliseconds limit_;
  StepGrace grace_;
  EventLoop& loop_;
  Done done_;
  EventLoop::TimerId timer_ = 0;
  bool late_ = false;
};

class TryStep final : public Step {
 public:
  explicit TryStep(std::unique_ptr<Step> step) : step_(std::move(step)) {}
  void Start(Done done) override {
    step_->Start([done = std::move(done)](Outcome outcome) { done({true, outcome.exit_status, "", ""}); });
  }
  void Stop(StepGrace grace) override { step_->Stop(grace); }

 private:
  std::unique_ptr<Step> step_;
};

class EmitProgressStep final : public Step {
 public:
  EmitProgressStep(std::unique_ptr<Step> step, ProgressMessages messages, OutputLog& log)
      : step_(std::move(step)), messages_(std::move(messages)), log_(log) {}

  void Start(Done done) override {
    if (!messages_.start.empty()) log_.Append(messages_.start);
    step_->Start([this, done = std::move(done)](Outcome outcome) {
      if (outcome.ok && !messages_.success.empty()) log_.Append(messages_.success);
      if (!outcome.ok && !messages_.failure_prefix.empty())
        log_.Append(messages_.failure_prefix + ": " + outcome.reason);
      done(std::move(outcome));
    });
  }
  void Stop(StepGrace grace) override { step_->Stop(grace); }

 private:
  std::unique_ptr<Step> step_;
  ProgressMessages messages_;
  OutputLog& log_;
};

}  // namespace

std::unique_ptr<Step> MakeSerial(std::vector<std::unique_ptr<Step>> steps) {
  return std::make_unique<SerialStep>(std::move(steps));
}

std::unique_ptr<Step> MakeParallel(std::vector<std::unique_ptr<Step>> steps) {
  return std::make_unique<SideBySideStep>(std::move(steps));
}

std::unique_ptr<Step> MakeCodependent(std::vector<std::unique_ptr<Step>> steps, const std::string& where,
                                      StepGrace grace) {
  return std::make_unique<SideBySideStep>(std::move(steps), where, grace);
}

std::unique_ptr<Step> MakeTimeout(std::unique_ptr<Step> step, std::chrono::milliseconds limit, StepGrace grace,
                                  EventLoop& loop) {
  return std::make_unique<TimeoutStep>(std::move(step), limit, grace, loop);
}

std::unique_ptr<Step> MakeTry(std::unique_ptr<Step> step) { return std::make_unique<TryStep>(std::move(step)); }

std::unique_ptr<Step> MakeEmitProgress(std::unique_ptr<Step> step, ProgressMessages messages, OutputLog& log) {
  return std::make_unique<EmitProgressStep>(std::move(step), std::move(messages), log);
}

}  // namespace baton::shim
