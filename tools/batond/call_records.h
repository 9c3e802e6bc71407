// What the leader records of calls beside those that write it themselves: how many each caller makes, which writes were
// refused, and who was shown secrets.
#pragma once

#include <string>

#include "orchestrator/app/calls/api_usage.h"
#include "orchestrator/app/calls/refused_writes.h"
#include "orchestrator/ports/log.h"
#include "orchestrator/ports/metrics.h"
#include "sql/calls/pg_api_usage.h"
#include "sql/calls/pg_audit.h"

namespace baton::batond {

class CallRecords {
 public:
  CallRecords(const std::string& url, Log& log, Metrics& metrics);

  ApiUsage& usage() { return usage_; }
  RefusedWrites& refused() { return refused_; }

  void Lead(const Leadership& leadership);
  void Follow();
  // What is in memory is written, if that can be done within `timeout`. While this process still leads: afterwards the
  // database takes nothing from it, and Follow() forgets it.
  void Settle(Duration timeout);
  void Stop();

 private:
  PgApiUsage uses_;
  PgAudit audit_;
  ApiUsage usage_;
  RefusedWrites refused_;
};

}  // namespace baton::batond
