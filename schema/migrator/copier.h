// The copy of a migration: what a migration makes of each row that was there before it, in batches. A batch is one
// transaction, and ends with the checkpoint that it leaves; killed anywhere, the next one goes on from there. It
// overwrites whatever it finds in its target shape.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace baton {

class Session;

struct CopyBatch {
  std::int64_t rows = 0;     // that were read
  std::string checkpoint;    // where the next batch begins
  bool done = false;         // nothing is left
  // Rows that could not be taken over, by name and with the fault: they are left as they are, and the migration does not
  // end while there are any.
  std::vector<std::string> faults;
};

class Copier {
 public:
  virtual ~Copier() = default;
  // For progress: rows from `checkpoint` on.
  virtual std::int64_t CountLeft(Session& session, const std::string& checkpoint) = 0;
  // Within a transaction. `checkpoint` is empty at first. At most `most` rows, at least one if there is one.
  virtual CopyBatch Next(Session& session, const std::string& checkpoint, int most) = 0;
};

}  // namespace baton
