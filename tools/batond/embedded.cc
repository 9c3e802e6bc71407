#include "tools/batond/embedded.h"

namespace baton::batond {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(500);

}  // namespace

Result<std::unique_ptr<WatchedPostgres>> WatchedPostgres::Start(const std::string& dir, Log& log) {
  auto postgres = EmbeddedPostgres::Start({.dir = dir});
  if (!postgres) return postgres.error();
  log.Info("postgres_up", {{"dir", dir}, {"taken_up", (*postgres)->taken_up()}});
  return std::unique_ptr<WatchedPostgres>(new WatchedPostgres(*std::move(postgres), log));
}

WatchedPostgres::WatchedPostgres(std::unique_ptr<EmbeddedPostgres> postgres, Log& log)
    : postgres_(std::move(postgres)), log_(log), ticker_(kPollInterval, [this] { return Look(); }) {}

WatchedPostgres::~WatchedPostgres() {
  ticker_.Stop();
  const Status stopped = postgres_->Stop();
  if (!stopped) log_.Warn("postgres_not_stopped", {{"error", stopped.error().message}});
}

Ticker::Wait WatchedPostgres::Look() {
  postgres_->ShortenLog();
  if (postgres_->Runs()) return kPollInterval;
  log_.Error("postgres_died", {});
  const Status up = postgres_->StartAgain();
  if (up) {
    log_.Info("postgres_up", {{"again", true}});
  } else {
    log_.Error("postgres_not_started", {{"error", up.error().message}});
  }
  return kPollInterval;
}

}  // namespace baton::batond
