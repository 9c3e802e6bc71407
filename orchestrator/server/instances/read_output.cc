#include "orchestrator/server/instances/read_output.h"

#include "orchestrator/model/names.h"
#include "orchestrator/server/apps/reveal.h"
#include "orchestrator/server/callers/grant.h"
#include "orchestrator/server/calls/api_call.h"

namespace baton {
namespace {

constexpr int kLinesDefault = 100;
constexpr int kInSlotMax = 1000;

Status Check(const v2::ReadOutputRequest& request) {
  if (request.after().empty() || !request.instance_guid().empty()) return Done{};
  return Error{ErrorKind::kInvalidArgument, "after is given without instance_guid: a place is of one start", {}};
}

// Whose output is meant: that start, or the latest one in the slot that has a cell.
Result<ActualLrp> Meant(const Page<ActualRead>& page, const v2::ReadOutputRequest& request) {
  const std::vector<ActualRead>& slot = page.rows;
  const std::string where = "slot " + std::to_string(request.index()) + " of app " + request.process_guid();
  const ActualLrp* meant = nullptr;
  for (const ActualRead& row : slot) {
    if (!request.instance_guid().empty() && row.lrp.instance_guid.str() != request.instance_guid()) continue;
    if (row.lrp.cell_id.empty()) continue;
    if (!meant || row.lrp.since > meant->since) meant = &row.lrp;
  }
  if (meant) return *meant;
  if (!page.broken.empty()) {
    return Error{ErrorKind::kFailedPrecondition, where + " cannot be read: " + page.broken.front().fault, {}};
  }
  if (slot.empty()) return Error{ErrorKind::kNotFound, where + " has no instance: baton get instances lists them", {}};
  if (!request.instance_guid().empty()) return Error{ErrorKind::kNotFound, "that start is over in " + where, {}};
  const ActualLrp& none = slot.front().lrp;
  return Error{ErrorKind::kFailedPrecondition,
               where + " is " + std::string(Name(none.state)) + " and on no cell: nothing of it runs that could be read" +
                   (none.crash_reason.empty() ? "" : "; what it wrote last is in baton describe instance"),
               {}};
}

OutputAsk AskFor(const ActualLrp& lrp, const v2::ReadOutputRequest& request) {
  return {.id = 0,
          .actual = lrp.id,
          .start = lrp.instance_guid,
          .lines = request.lines() == 0 ? kLinesDefault : request.lines(),
          .after = request.after()};
}

void Fill(const ActualLrp& lrp, const CellOutput& output, v2::ReadOutputResponse& response) {
  response.set_output(output.output);
  response.set_place(output.place);
  response.set_more(output.more);
  response.set_lost(output.lost);
  response.set_actual_id(lrp.id.str());
  response.set_instance_guid(lrp.instance_guid.str());
  response.set_cell_id(lrp.cell_id.str());
}

}  // namespace

grpc::ServerUnaryReactor* ReadOutput(ServerDependencies& s, grpc::CallbackServerContext* context,
                                     const v2::ReadOutputRequest* request, v2::ReadOutputResponse* response) {
  auto* reactor = context->DefaultReactor();
  const auto end = TimedEnd(s, *context, "read_output");
  for (const Status& status : {s.Admit(*context, *request), Check(*request)}) {
    if (!status) return end(status), reactor;
  }
  s.reads.Run([&s, context, end, request, response, grant = Grant::Of(s, *context)](Result<Reader*> reader) {
    if (!reader) return end(reader.error());
    const ActualFilter filter{.domain = {}, .guid = ProcessGuid(request->process_guid()), .cell = {}, .index = request->index()};
    ProcessGuid after_guid;
    ActualId after_id;
    auto page = (*reader)->ListActuals(filter, after_guid, after_id, kInSlotMax);
    if (page && !grant.all()) {
      std::erase_if(page->rows, [&](const ActualRead& row) { return !grant.MaySee(row.lrp.domain); });
      page->broken.clear();  // whose they are is not known
    }
    const auto lrp = page ? Meant(*page, *request) : Result<ActualLrp>(page.error());
    if (!lrp) return end(lrp.error());
    const auto fill = [&s, context, end, request, response, lrp = *lrp](const Result<CellOutput>& output) {
      if (!output) return end(output.error());
      Fill(lrp, *output, *response);
      NoteReveal(s, *context, {"ActualLRPs/ReadOutput", request->process_guid()}, RevealBook::Rows::kOneAnHour);
      end(Done{});
    };
    s.leader.cells().AskOutput(lrp->cell_id, AskFor(*lrp, *request), fill);
  });
  return reactor;
}

}  // namespace baton
