#include "tools/baton/waiting/display.h"

#include <nlohmann/json.hpp>

#include "tools/baton/yaml/proto_text.h"

namespace baton::cli {
namespace {

// How it ended, and what to do about it.
void TellEnd(Io& io, const v2::Roll& roll) {
  io.out << EndLine(roll, io.now()) << "\n" << std::flush;
  if (const std::string advice = Advice(roll); !advice.empty()) io.err << "baton: " << advice << "\n";
}

class Picturing final : public Display {
 public:
  explicit Picturing(Io& io) : io_(io) {}
  void Show(const WatchedRoll& watched, const v2::WatchRollResponse&, const std::vector<v2::RollStep>&) override {
    Draw(watched, false);
  }
  void Tick(const WatchedRoll& watched, bool reconnecting) override {
    if (watched.known()) Draw(watched, reconnecting);
  }
  void End(const WatchedRoll& watched) override { TellEnd(io_, watched.roll()); }

 private:
  // Over the last picture: up to its first line, and everything from there on anew.
  void Draw(const WatchedRoll& watched, bool reconnecting) {
    const Screen screen = io_.screen();
    const auto lines = Picture(watched, io_.now(), screen, reconnecting);
    if (drawn_ > 0) io_.out << "\x1b[" << drawn_ << "A\r\x1b[J";
    io_.out << Paint(lines, screen) << std::flush;
    drawn_ = lines.size();
  }

  Io& io_;
  std::size_t drawn_ = 0;
};

class Lines final : public Display {
 public:
  explicit Lines(Io& io) : io_(io) {}
  void Show(const WatchedRoll& watched, const v2::WatchRollResponse&, const std::vector<v2::RollStep>& news) override {
    if (!std::exchange(begun_, true)) io_.out << HeadLine(watched.roll()) << "\n";
    for (const auto& step : news) io_.out << StepLine(step, watched.roll().opened_at()) << "\n";
    io_.out << std::flush;
  }
  void Tick(const WatchedRoll&, bool) override {}
  void End(const WatchedRoll& watched) override { TellEnd(io_, watched.roll()); }

 private:
  Io& io_;
  bool begun_ = false;
};

class Messages final : public Display {
 public:
  Messages(Io& io, Output output) : io_(io), output_(output) {}
  void Show(const WatchedRoll&, const v2::WatchRollResponse& answer, const std::vector<v2::RollStep>&) override {
    if (output_ == Output::kYaml) {
      io_.out << "---\n" << ToYaml(answer);
    } else {
      io_.out << nlohmann::ordered_json::parse(ToJson(answer)).dump() << "\n";
    }
    io_.out << std::flush;
  }
  void Tick(const WatchedRoll&, bool) override {}
  void End(const WatchedRoll&) override {}

 private:
  Io& io_;
  Output output_;
};

}  // namespace

std::unique_ptr<Display> MakeDisplay(Session& session) {
  const Output output = session.arguments.output;
  if (output == Output::kJson || output == Output::kYaml) return std::make_unique<Messages>(session.io, output);
  if (session.io.screen) return std::make_unique<Picturing>(session.io);
  return std::make_unique<Lines>(session.io);
}

}  // namespace baton::cli
