#include "orchestrator/crypto/encrypted_columns.h"

namespace baton {

std::span<const EncryptedTable> EncryptedTables() {
  static const std::vector<EncryptedTable> kTables = {
      {"definitions",
       {{"process_guid"}, {"incarnation", true}, {"definition_identifier"}},
       {},
       {"run_info"},
       "environment variables, commands and mounts"},
      {"desired_lrps",
       {{"process_guid"}},
       {},
       {"routes", "annotation", "metric_tags", "credentials", "strategy"},
       "the image password; annotations and tags are anybody's text; a strategy has URLs, which may hold a token"},
      {"actual_lrps",
       {{"actual_id"}},
       {},
       {"net_info", "crash_reason", "placement_error"},
       "addresses; the last words of a process that crashed"},
      {"rolls",
       {{"process_guid"}, {"incarnation", true}},
       {},
       {"reason", "verdict", "condemned", "strategy"},
       "why it goes back repeats what a crashed process said, or somebody outside"},
      {"roll_history", {{"roll_id"}}, {}, {"reason"}, "the same, of finished rolls"},
      {"roll_steps", {{"roll_id"}, {"sequence", true}}, {}, {"text"}, "the same, step by step"},
      // Bound to what is known before the INSERT gives out the sequence: the payload cannot be shown as another app's
      // or as of another kind. Nothing prevents an exchange of two events of one app and kind: a writer who can do that
      // can also change their sequences, which no blob is bound to.
      {"events",
       {{"sequence", true}},
       {"kind", "process_guid", "incarnation"},
       {"payload"},
       "rows as they were before and after"},
      {"idempotency_keys", {{"idempotency_key"}}, {}, {"answer"}, "answers repeat what was asked"},
  };
  return kTables;
}

std::span<const ClearColumns> ColumnsInTheClear() {
  static const std::vector<ClearColumns> kColumns = {
      {"leases", {"name", "holder", "address"}, "who leads and where: needed by those who have no key"},
      {"versions", {"current_semver"}, "our own"},
      {"migrations", {"name", "checksum"}, "our own"},
      {"migration_steps", {"kind", "name", "checkpoint"}, "our own; a checkpoint is a row's key"},
      {"store", {"store_id"}, "made by chance, and told to operators"},
      {"accepted_stores", {"store_id"}, "made by chance, and told to operators"},
      {"members", {"id", "address", "semver", "app_version", "state", "why"}, "who is there: told to operators"},
      {"definitions",
       {"process_guid", "definition_identifier", "root_fs", "placement_tags", "needs"},
       "names, and what placement goes by"},
      {"definitions", {"content_hash"}, "tells whether two are the same; a secret is guessed from it only with all else"},
      {"desired_lrps",
       {"process_guid", "domain", "log_guid", "active_definition", "healthy_definition", "modification_tag_epoch"},
       "names"},
      {"actual_lrps",
       {"actual_id", "process_guid", "definition_identifier", "roll_id", "instance_guid", "cell_id", "zone", "applied_by",
        "drained_by", "modification_tag_epoch", "domain"},
       "names"},
      {"actual_lrps", {"presence", "state"}, "words of our own, that indexes go by"},
      {"rolls", {"process_guid", "roll_id", "source_definition", "target_definition", "actor"}, "names"},
      {"rolls", {"state"}, "words of our own"},
      {"roll_history", {"roll_id", "process_guid", "source_definition", "target_definition", "actor"}, "names"},
      {"roll_history", {"state"}, "words of our own"},
      {"roll_steps", {"roll_id", "actual_id", "definition_identifier", "actor"}, "names"},
      {"roll_steps", {"kind"}, "words of our own"},
      {"events", {"kind", "process_guid"}, "names, which readers filter by"},
      {"cells",
       {"cell_id", "zone", "address", "stacks", "placement_tags", "abilities", "enforces", "version"},
       "the machines, no app's"},
      {"route_consumers", {"consumer_id", "version"}, "names"},
      {"domains", {"domain"}, "names"},
      {"domain_egress", {"domain", "unenforced"}, "names, and words of our own"},
      {"idempotency_keys", {"idempotency_key", "method"}, "names"},
      {"idempotency_keys", {"request_hash"}, "tells whether two are the same"},
      {"upgrade_shards", {"state", "phase", "reason"}, "our own; a reason names rows, and not what is in them"},
      {"upgrade", {"source_semver", "target_semver", "state"}, "versions, and words of our own"},
      {"key_labels", {"label"}, "names"},
      {"key_labels", {"check_value"}, "sealed by its own key for good: it tells whether a key is the one it was"},
      {"key_rotation", {"table_name", "target", "checkpoint"}, "names"},
      {"key_quarantine", {"table_name", "column_name", "row_key", "reason"}, "names rows, and not what is in them"},
      {"api_usage", {"api_version", "method", "caller"}, "names, and what callers call themselves"},
      {"audit", {"actor", "method", "process_guid", "request_id", "outcome"}, "names, and words of our own"},
  };
  return kColumns;
}

}  // namespace baton
