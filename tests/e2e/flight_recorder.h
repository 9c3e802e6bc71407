// Who committed what, in the order of commits, from PostgreSQL's own write-ahead log and its log of statements: told
// without asking any program of ours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace baton {

struct FlightReport {
  int commits = 0;          // that changed a row of the product's tables
  int elections = 0;
  std::vector<std::int64_t> epochs;   // in the order in which they began
  std::vector<std::string> breaches;  // a commit of somebody who did not lead then
};

class FlightRecorder {
 public:
  // Of a PostgreSQL with wal_level=logical, log_statement=all and log_line_prefix='%a %x ', whose clients name
  // themselves by application_name as in the lease's holder.
  static std::vector<std::string> Settings();
  FlightRecorder(std::string url, std::string log);
  ~FlightRecorder();

  // Everything since the last call.
  FlightReport Read();

 private:

  std::string url_;
  std::string log_;
  std::string leader_;
  std::int64_t epoch_ = 0;
};

}  // namespace baton
