// Refused writes, written to PostgreSQL by the leader.
#pragma once

#include <mutex>
#include <string>

#include "orchestrator/ports/audit_store.h"
#include "sql/session/kept_session.h"
#include "sql/store/fence.h"

namespace baton {

class PgAudit final : public AuditStore {
 public:
  explicit PgAudit(std::string url) : session_(std::move(url), PlainCipher()) {}

  void Lead(const Leadership& leadership);

  Status Append(const std::vector<RefusedWrite>& refused) override;

 private:
  std::mutex mutex_;
  Leadership leadership_;
  KeptSession session_;
};

}  // namespace baton
