// The collector over PostgreSQL: definitions are deleted in a savepoint, and a broken foreign key means "in use". It
// locks their apps as each batch does, and leaves those that one is writing to the next pass.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "orchestrator/ports/collector.h"
#include "sql/store/fence.h"

namespace baton {

class PgCollector final : public Collector {
 public:
  PgCollector(std::string url, Log& log, const Cipher& cipher = PlainCipher())
      : url_(std::move(url)), log_(log), cipher_(cipher) {}

  void Lead(const Leadership& leadership);
  Result<int> DeleteDefinitions(const std::vector<Unneeded>& definitions) override;
  // Told after each commit that wrote an event; before the first call.
  void OnEvent(std::function<void()> told) { wrote_ = std::move(told); }
  Status DeleteOld() override;
  Result<int> DeleteAudit(Duration age, int most) override;

 private:
  Status Write(const std::function<void(Session&)>& body);

  std::function<void()> wrote_;
  std::string url_;
  Log& log_;
  const Cipher& cipher_;
  std::mutex mutex_;
  Leadership leadership_;
  std::unique_ptr<Session> session_;
};

}  // namespace baton
