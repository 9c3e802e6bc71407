#include "tools/tls/notes.h"

#include <mutex>

namespace baton {
namespace {

using std::chrono::steady_clock;

constexpr int kAgesAtPercent = 20;  // of its life
constexpr std::chrono::hours kWarnInterval{1};
constexpr int kRefusalsASecond = 10;  // anybody on the network can bring them about

// Calls of one thread each, but refusals come of many.
class Notes {
 public:
  Notes(Log& log, Metrics* metrics) : log_(log), metrics_(metrics) {}

  void Changed(const Result<tls::Material>& now) {
    if (!now) return log_.Warn("tls_files_refused", {{"error", now.error().message}});
    warned_ = {};
    log_.Info("tls_files_taken", {{"identity", Show(now->self)}, {"expires", tls::Show(now->not_after)}});
  }

  void Looked(const tls::Material& used) {
    const std::chrono::seconds left = used.not_after - tls::Now();
    if (metrics_) metrics_->Set("baton_tls_certificate_expires_seconds", static_cast<double>(left.count()));
    if (left * 100 > (used.not_after - used.not_before) * kAgesAtPercent) return;
    const auto now = steady_clock::now();
    if (warned_ != steady_clock::time_point() && now - warned_ < kWarnInterval) return;
    warned_ = now;
    log_.Warn("tls_certificate_ages", {{"expires", tls::Show(used.not_after)}, {"left_s", left.count()}, {"file", used.files.at.chain}});
  }

  void Refused(const std::string& why) {
    {
      const std::lock_guard lock(mutex_);
      const auto now = steady_clock::now();
      if (now - second_ >= std::chrono::seconds(1)) {
        second_ = now;
        refused_ = 0;
      }
      if (++refused_ > kRefusalsASecond) return;
    }
    log_.Warn("peer_refused", {{"error", why}});
  }

 private:
  Log& log_;
  Metrics* metrics_;
  steady_clock::time_point warned_;
  std::mutex mutex_;
  steady_clock::time_point second_;
  int refused_ = 0;
};

}  // namespace

Tls::Options NotedTls(const std::string& dir, Role role, Log& log, Metrics* metrics) {
  const auto notes = std::make_shared<Notes>(log, metrics);
  return {.dir = dir,
          .roles = {role},
          .changed = [notes](const auto& now) { notes->Changed(now); },
          .looked = [notes](const tls::Material& used) { notes->Looked(used); },
          .refused = [notes](const std::string& why) { notes->Refused(why); }};
}

Result<std::shared_ptr<Tls>> OpenTlsAs(const Identity& identity, const std::string& dir, Log& log, Metrics& metrics) {
  const auto refused = [](const std::string& why) { return Error{ErrorKind::kFailedPrecondition, "--tls: " + why, {}}; };
  auto opened = Tls::Open(NotedTls(dir, identity.role, log, &metrics));
  if (!opened) return refused(opened.error().message);
  if ((*opened)->self() == identity) return opened;
  return refused(dir + "/" + tls::kChainFile + " is of " + Show((*opened)->self()) + ", and --id makes this " + Show(identity) +
                 ": batond lets each speak for itself alone");
}

}  // namespace baton
