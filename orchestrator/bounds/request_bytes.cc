#include "orchestrator/bounds/request_bytes.h"

#include <map>
#include <mutex>

namespace baton::bounds {
namespace {

struct Account {
  std::mutex mutex;
  std::size_t callers_max = kCallersBytesMax;
  std::size_t taken = 0;
  std::map<std::string, std::size_t> of;  // by caller, of callers with an identity
};

// Requests may outlive whatever else is static.
Account& TheAccount() {
  static auto* const account = new Account;
  return *account;
}

}  // namespace

RequestBytes::~RequestBytes() {
  if (bytes_ == 0) return;
  Account& account = TheAccount();
  const std::lock_guard lock(account.mutex);
  account.taken -= bytes_;
  const auto own = account.of.find(who_);
  if (own != account.of.end() && (own->second -= bytes_) == 0) account.of.erase(own);
}

RequestBytes::Room RequestBytes::Take(std::size_t bytes, const std::string& who) {
  if (bytes <= kSmallRequestBytes) return {RequestBytes()};
  Account& account = TheAccount();
  const std::lock_guard lock(account.mutex);
  if (account.taken + bytes > kRequestsBytesMax) return {};
  if (!who.empty()) {
    std::size_t& own = account.of[who];
    if (own + bytes > account.callers_max) {
      if (own == 0) account.of.erase(who);
      return {.taken = std::nullopt, .of_caller = true};
    }
    own += bytes;
  }
  account.taken += bytes;
  return {RequestBytes(bytes, who)};
}

std::size_t RequestBytes::Taken() {
  const std::lock_guard lock(TheAccount().mutex);
  return TheAccount().taken;
}

void RequestBytes::LimitCallers(std::size_t most) {
  const std::lock_guard lock(TheAccount().mutex);
  TheAccount().callers_max = most;
}

std::size_t RequestBytes::CallersMost() {
  const std::lock_guard lock(TheAccount().mutex);
  return TheAccount().callers_max;
}

}  // namespace baton::bounds
