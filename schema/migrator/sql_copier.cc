#include "schema/migrator/sql_copier.h"

#include "sql/session/session.h"

namespace baton {

std::int64_t SqlCopier::CountLeft(Session& session, const std::string& checkpoint) {
  return session.Run(statement_ + "Left", {checkpoint})[0].Int();
}

CopyBatch SqlCopier::Next(Session& session, const std::string& checkpoint, int most) {
  const Rows rows = session.Run(statement_, {checkpoint, std::to_string(most)});
  CopyBatch batch;
  batch.rows = rows[0].Int("rows");
  batch.checkpoint = rows[0].Text("checkpoint");
  batch.done = batch.rows < most;
  return batch;
}

}  // namespace baton
