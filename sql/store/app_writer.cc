#include "sql/store/app_writer.h"

#include <algorithm>
#include <utility>

#include "orchestrator/model/names.h"
#include "orchestrator/wire/stored/stored.h"
#include "sql/session/columns.h"

namespace baton {
namespace {

template <class Texts>
ArrayParam TextArray(const Texts& texts) {
  ArrayParam array;
  for (const auto& text : texts) array.Text(text);
  return array;
}

ArrayParam ConsumerArray(const std::set<ConsumerId>& consumers) {
  ArrayParam array;
  for (const ConsumerId& consumer : consumers) array.Text(consumer.str());
  return array;
}

// What may change of a definition, in the order of both statements.
void FillChangeable(BinaryColumns::RowFiller& row, const Definition& d) {
  ArrayParam aliases;
  for (const auto& [route_port, own_port] : d.port_aliases) aliases.Int(route_port), aliases.Int(own_port);
  row.Time(d.proven_at).Bool(d.pinned).Nested(aliases);
}

void WriteDefinitions(Session& session, const BatchChanges& batch) {
  BinaryColumns inserts = BinaryColumns::Of("definitions");
  BinaryColumns updates = BinaryColumns::OfChanged("definitions");
  for (const auto& [guid, one] : batch.apps) {
    for (const auto& [key, run_info] : one.changes.new_definitions) {
      const Definition& d = one.after->definitions.at(key);
      ArrayParam ports;
      for (const auto port : d.ports) ports.Int(port);
      const std::string row_key = guid.str() + "/" + std::to_string(key.incarnation) + "/" + d.id.str();
      auto row = inserts.Row();
      row.Text(guid.str())
          .Int(key.incarnation)
          .Text(d.id.str())
          .Text(d.content_hash)
          .Int(d.resources.memory_mb)
          .Int(d.resources.disk_mb)
          .Int(d.resources.pids)
          .Text(d.root_fs)
          .Nested(ports)
          .Nested(TextArray(d.placement_tags))
          .Nested(TextArray(d.needs))
          .Int(Millis(d.start_timeout))
          .Bytes(session.Seal({"definitions", "run_info", row_key}, run_info))
          .Time(d.created_at);
      FillChangeable(row, d);  // proven in the commit that made it: what comes from 1.x is
    }
    for (const DefinitionKey& key : one.changes.changed_definitions) {
      auto row = updates.Row();
      row.Text(guid.str()).Int(key.incarnation).Text(key.id.str());
      FillChangeable(row, one.after->definitions.at(key));
    }
  }
  inserts.WriteIfAny(session, "InsertDefinitions");
  updates.WriteIfAny(session, "UpdateDefinitions");
}

void WriteDesired(Session& session, const BatchChanges& batch) {
  BinaryColumns upserts = BinaryColumns::Of("desired_lrps");
  BinaryColumns deletes(1);
  for (const auto& [guid, one] : batch.apps) {
    if (!one.changes.desired) continue;
    if (!one.after->desired) {
      deletes.Row().Text(guid.str());
      continue;
    }
    const DesiredLrp& d = *one.after->desired;
    const auto seal = [&](const char* column, const std::string& bytes) {
      return session.Seal({"desired_lrps", column, guid.str()}, bytes);
    };
    upserts.Row()
        .Text(guid.str())
        .Int(d.incarnation)
        .Text(d.domain)
        .Text(d.log_guid)
        .Int(d.instances)
        .Bytes(seal("routes", wire::Encode(d.routes)))
        .Bytes(seal("annotation", d.annotation))
        .Bytes(seal("metric_tags", d.metric_tags))
        .Bytes(seal("credentials", wire::Encode(wire::Credentials{d.image_username, d.image_password})))
        .Bytes(seal("strategy", wire::Encode(d.strategy)))
        .Text(d.active.str())
        .TextOrNull(d.healthy.str())
        .Time(d.created_at)
        .Text(d.tag.epoch)
        .Int(d.tag.index)
        .IntOrNull(d.definition_history);
  }
  deletes.WriteIfAny(session, "DeleteDesired");
  upserts.WriteIfAny(session, "UpsertDesired");
}

void FillHistory(Session& session, BinaryColumns& history, const ProcessGuid& guid, const Roll& r) {
  history.Row()
      .Text(r.id.str())
      .Text(guid.str())
      .Int(r.incarnation)
      .TextOrNull(r.source.str())
      .Text(r.target.str())
      .Text(Name(r.state))
      .Bytes(session.Seal({"roll_history", "reason", r.id.str()}, r.reason))
      .Int(r.revision)
      .Time(r.opened_at)
      .Time(*r.finished_at)
      .Bool(r.refused)
      .Text(r.actor)
      .Int(Millis(r.waited));
}

void WriteRolls(Session& session, const BatchChanges& batch) {
  BinaryColumns upserts = BinaryColumns::Of("rolls");
  BinaryColumns deletes(1);
  BinaryColumns history = BinaryColumns::Of("roll_history");
  BinaryColumns steps = BinaryColumns::Of("roll_steps");
  for (const auto& [guid, one] : batch.apps) {
    if (one.changes.roll && !one.after->roll) deletes.Row().Text(guid.str());
    if (one.changes.roll && one.after->roll) {
      const Roll& r = *one.after->roll;
      const std::string key = guid.str() + "/" + std::to_string(r.incarnation);
      const auto seal = [&](const char* column, const std::string& bytes) {
        return session.Seal({"rolls", column, key}, bytes);
      };
      upserts.Row()
          .Text(guid.str())
          .Int(r.incarnation)
          .Text(r.id.str())
          .TextOrNull(r.source.str())
          .Text(r.target.str())
          .Text(Name(r.state))
          .Bytes(seal("reason", r.reason))
          .Int(r.revision)
          .Time(r.opened_at)
          .Time(r.deadline)
          .Time(r.clock_stopped_at)
          .Time(r.waiting_since)
          .Time(r.proved_at)
          .Time(r.last_hand_over_at)
          .Int(r.counted_from)
          .Bool(r.refused)
          .Text(r.actor)
          .Bool(r.paused_by_hand)
          .Time(r.stage_since)
          .Int(r.stages_done)
          .Bytes(seal("verdict", r.verdict))
          .Bytes(seal("condemned", r.condemned))
          .Int(Millis(r.waited))
          .Time(r.waits_from)
          .Bytes(seal("strategy", wire::Encode(r.strategy)));
    }
    for (const Roll& r : one.changes.closed_rolls) FillHistory(session, history, guid, r);
    for (const RollStep& s : one.changes.steps) {
      const std::string key = s.roll_id.str() + "/" + std::to_string(s.sequence);
      steps.Row()
          .Text(s.roll_id.str())
          .Int(s.sequence)
          .Time(s.at)
          .Text(Name(s.kind))
          .Int(s.index)
          .Text(s.actual_id.str())
          .Text(s.definition.str())
          .Bytes(session.Seal({"roll_steps", "text", key}, s.text))
          .Text(s.actor)
          .Int(Millis(s.start_took))
          .Int(Millis(s.stop_took));
    }
  }
  deletes.WriteIfAny(session, "DeleteRolls");
  upserts.WriteIfAny(session, "UpsertRolls");
  history.WriteIfAny(session, "InsertRollHistory");
  steps.WriteIfAny(session, "InsertRollSteps");
}

// The columns that may change, in the order of both statements.
void FillActual(Session& session, BinaryColumns::RowFiller& row, const ActualLrp& l) {
  const auto seal = [&](const char* column, const std::string& bytes) {
    return session.Seal({"actual_lrps", column, l.id.str()}, bytes);
  };
  row.Text(Name(l.state))
      .Text(l.instance_guid.str())
      .Text(l.cell_id.str())
      .Bytes(seal("net_info", wire::EncodeStart(l)))
      .Text(l.zone)
      .Time(l.since)
      .Time(l.routable_since)
      .Time(l.claimed_at)
      .Time(l.handed_over_at)
      .Time(l.down_since)
      .Int(l.crash_count)
      .Bytes(seal("crash_reason", l.crash_reason))
      .Bytes(seal("placement_error", l.placement_error))
      .Nested(ConsumerArray(l.applied_by))
      .Nested(ConsumerArray(l.drained_by))
      .Time(l.retiring_since)
      .Bool(l.awaits_drain)
      .Time(l.drain_not_before)
      .Time(l.drain_until)
      .Time(l.stop_ordered_at)
      .Bool(l.retire_asked)
      .Text(l.tag.epoch)
      .Int(l.tag.index);
}

const std::string& GuardOf(const BatchChanges& batch, const ActualId& id) {
  const auto guard = batch.guards.find(id);
  CHECK(guard != batch.guards.end());  // whoever decides on a row has read it
  return guard->second;
}

void WriteActuals(Session& session, const BatchChanges& batch) {
  BinaryColumns deletes(2);
  BinaryColumns updates = BinaryColumns::OfChanged("actual_lrps");
  BinaryColumns inserts = BinaryColumns::Of("actual_lrps");
  for (const auto& [guid, one] : batch.apps) {
    for (const ActualId& id : one.changes.removed) deletes.Row().Text(id.str()).Text(GuardOf(batch, id));
    for (const ActualId& id : one.changes.changed) {
      const ActualLrp& l = one.after->actuals.at(id);
      auto row = updates.Row();
      row.Text(id.str()).Text(GuardOf(batch, id)).Text(Name(l.presence)).Text(l.roll_id.str());
      FillActual(session, row, l);
    }
    for (const ActualId& id : one.changes.inserted) {
      const ActualLrp& l = one.after->actuals.at(id);
      auto row = inserts.Row();
      row.Text(id.str())
          .Text(guid.str())
          .Int(l.incarnation)
          .Int(l.index)
          .Text(Name(l.presence))
          .Text(l.definition.str())
          .Text(l.roll_id.str());
      FillActual(session, row, l);
      row.Text(l.domain);
    }
  }
  deletes.WriteIfAny(session, "DeleteActuals");
  updates.WriteIfAny(session, "UpdateActuals");
  inserts.WriteIfAny(session, "InsertActuals");
}

void WriteEvents(Session& session, const BatchChanges& batch, TimePoint now, std::vector<EventRow>* events) {
  BinaryColumns rows(5);
  for (const auto& [guid, one] : batch.apps) {
    for (const Event& event : one.changes.events) {
      EventRow row{.at = now,
                   .kind = std::string(Name(event.kind)),
                   .process_guid = guid.str(),
                   .payload = wire::Encode(event, *one.after)};
      const std::string bound = EventBlobKey(row.kind, guid.str(), event.incarnation);
      rows.Row()
          .Time(now)
          .Text(row.kind)
          .Text(guid.str())
          .Int(event.incarnation)
          .Bytes(session.Seal({"events", "payload", bound}, row.payload));
      if (events) events->push_back(std::move(row));
    }
  }
  rows.WriteIfAny(session, "InsertEvents", [events](const Rows& given) {
    if (!events) return;
    std::vector<std::int64_t> sequences;  // given out in the order of the rows, whatever order they come back in
    for (const auto row : given) sequences.push_back(row.Int("sequence"));
    std::ranges::sort(sequences);
    CHECK(sequences.size() == events->size());
    for (std::size_t i = 0; i < sequences.size(); ++i) (*events)[i].sequence = sequences[i];
  });
}

void WriteRecords(Session& session, const BatchChanges& batch) {
  BinaryColumns answers(4);
  for (const AnswerToKeep& a : batch.answers) {
    answers.Row()
        .Text(a.key)
        .Text(a.method)
        .Text(a.request_hash)
        .Bytes(session.Seal({"idempotency_keys", "answer", a.key}, a.answer));
  }
  answers.WriteIfAny(session, "InsertAnswers");
  BinaryColumns audit(5);
  for (const AuditEntry& e : batch.audit) {
    audit.Row().Text(e.actor).Text(e.method).Text(e.guid).Text(e.request_id).Text(StoredOutcome(e));
  }
  audit.WriteIfAny(session, "InsertAudit");
}

}  // namespace

std::string EventBlobKey(std::string_view kind, const std::string& guid, std::int64_t incarnation) {
  return std::string(kind) + "/" + guid + "/" + std::to_string(incarnation);
}

void WriteBatch(Session& session, const BatchChanges& batch, TimePoint now, std::vector<EventRow>* events) {
  WriteDefinitions(session, batch);  // first: instances refer to them at once
  WriteDesired(session, batch);
  WriteRolls(session, batch);
  WriteActuals(session, batch);
  WriteEvents(session, batch, now, events);
  WriteRecords(session, batch);
}

}  // namespace baton
