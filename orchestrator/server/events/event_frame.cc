#include "orchestrator/server/events/event_frame.h"

#include "baton/v2/events_service.pb.h"
#include "orchestrator/wire/messages/values.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton {
namespace {

void AddCell(const std::string& cell, EventFrame& frame) {
  if (!cell.empty()) frame.cells.push_back(cell);
}

}  // namespace

std::shared_ptr<const EventFrame> MakeFrame(const EventRow& row) {
  v2::SubscribeResponse entry;
  v2::Event& event = *entry.add_events();
  const bool readable = !row.unreadable && event.ParseFromString(row.payload);
  if (!readable) {
    event.Clear();
    event.set_kind(row.kind);
    event.set_process_guid(row.process_guid);
    event.set_unreadable(true);
  }
  event.set_sequence(row.sequence);
  event.set_at(wire::Nanos(row.at));
  auto frame = std::make_shared<EventFrame>();
  frame->sequence = row.sequence;
  frame->kind = row.kind;
  frame->guid = row.process_guid;
  frame->domain = event.domain();
  AddCell(event.actual_before().instance_key().cell_id(), *frame);
  AddCell(event.actual_after().instance_key().cell_id(), *frame);
  AddCell(event.cell().cell_id(), *frame);
  frame->bytes = grpc::Slice(entry.SerializeAsString());
  frame->reduced = wire::Redact(entry) ? grpc::Slice(entry.SerializeAsString()) : frame->bytes;
  return frame;
}

}  // namespace baton
