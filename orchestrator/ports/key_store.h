// The keys of encryption at rest as they are stored, and the work of bringing all blobs to the active one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/base/result.h"

namespace baton {

struct KeyLabel {
  std::string label;
  bool known = false;         // in the key file
  bool active = false;        // new blobs are sealed with it
  bool stored = false;        // all blobs are sealed with it, by two counts
  bool retired = false;       // none is
  std::int64_t encryptions = 0;  // that were granted; 2^32 is the end
};

struct BlobCount {
  std::string table;
  std::string column;
  std::string label;  // empty: plain; "?": no envelope
  std::int64_t blobs = 0;
};

struct QuarantinedBlob {
  std::string table;
  std::string column;
  std::string key;
  std::string reason;
  TimePoint found_at;
};

enum class RotationState {
  kDone,     // all is as the key file says, or there is nothing to do
  kWorking,
  kStuck,    // looked at everything: some blobs do not open
};

struct RotationProgress {
  RotationState state = RotationState::kDone;
  std::string target;  // label; empty: plain
  std::int64_t rows_total = 0;
  std::int64_t rows_done = 0;
  std::int64_t faults = 0;
  std::optional<TimePoint> began_at;
};

struct KeysView {
  std::vector<KeyLabel> labels;
  RotationProgress rotation;
  std::vector<QuarantinedBlob> quarantine;  // the first hundred
  std::vector<BlobCount> counts;            // where they were asked for
  bool sealed_only = false;                 // the key file says so: nothing plain is opened
};

// All of it blocks, and is called by one thread at a time.
class KeyStore {
 public:
  virtual ~KeyStore() = default;
  // Reads the key file again and takes its keys into use. FAILED_PRECONDITION, and nothing has changed, where it is no key
  // file, or not one for this database.
  virtual Status Reload() = 0;
  // Sees that the active key may be used often enough.
  virtual Status Replenish() = 0;
  // One page of rows, or one other step of the rotation. An error loses nothing: the next call goes on from what is
  // stored.
  virtual Result<RotationProgress> Step(int rows_max) = 0;
  // From kStuck: everything is looked at again.
  virtual Status BeginAgain() = 0;
  virtual Result<KeysView> Look(bool count) = 0;
};

}  // namespace baton
