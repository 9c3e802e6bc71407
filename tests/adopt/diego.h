// Diego databases for tests: made and compared by scripts that share no code with what reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sql/session/session.h"
#include "tools/adopt/adoption.h"

namespace baton::testing {

class Diego {
 public:
  // Options of make_diego.py; an empty database, or nothing.
  explicit Diego(const std::vector<std::string>& options = {}, std::string url = {});
  ~Diego();

  const std::string& url() const { return url_; }
  const std::string& keys_file() const { return keys_file_; }
  adopt::SourceKeys keys() const;
  const nlohmann::json& manifest() const { return manifest_; }
  std::string Dump() const;

 private:
  std::string dir_;
  std::string url_;
  std::string keys_file_;
  nlohmann::json manifest_;
};

// In sessions of its own.
Result<adopt::Summary> AdoptInto(const Diego& diego, const std::string& into, int batch_apps = 7);
nlohmann::json ReportOf(const adopt::Summary& summary, const std::string& into);

// From 1.1 to the target shape, batch by batch, as a migrator does it; the faults of all batches.
std::vector<std::string> CopyToTarget(const std::string& url, int most = 50);

// compare_adopted.py's word on it; empty: it found no difference.
std::string Compared(const Diego& diego, const std::string& into, const nlohmann::json& report);

}  // namespace baton::testing
