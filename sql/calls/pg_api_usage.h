// Counts of API calls, written to PostgreSQL by the leader.
#pragma once

#include <mutex>
#include <string>

#include "orchestrator/ports/api_usage_store.h"
#include "sql/session/kept_session.h"
#include "sql/store/fence.h"

namespace baton {

class PgApiUsage final : public ApiUsageStore {
 public:
  static constexpr std::int64_t kCallersMax = 1000;  // by name; those that called least lately are counted together

  explicit PgApiUsage(std::string url) : session_(std::move(url), PlainCipher()) {}

  void Lead(const Leadership& leadership);

  Result<bool> Add(const std::vector<ApiCalls>& calls) override;
  Result<std::vector<ApiUse>> Read() override;

 private:
  std::mutex mutex_;
  Leadership leadership_;
  KeptSession session_;
};

}  // namespace baton
