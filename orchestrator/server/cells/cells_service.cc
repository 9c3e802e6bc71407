#include "orchestrator/server/cells/cells_service.h"

#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/caller.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/server/calls/pipe.h"
#include "orchestrator/server/cells/cell_messages.h"

namespace baton {
namespace {

constexpr CallName kDrain{"drain_cell", "Cells/DrainCell"};
constexpr CallName kUndrain{"undrain_cell", "Cells/UndrainCell"};

using CellPipe = Pipe<v2::CellMessage, v2::LeaderToCell>;

class Link final : public CellLink {
 public:
  explicit Link(std::shared_ptr<CellPipe> pipe) : pipe_(std::move(pipe)) {}
  void Send(CellOrders orders) override { pipe_->Send(ToMessage(orders)); }
  void End(const std::string& reason, ErrorKind kind) override { pipe_->End(Error{kind, reason, {}}); }

 private:
  std::shared_ptr<CellPipe> pipe_;
};

class CellStream final : public grpc::ServerBidiReactor<v2::CellMessage, v2::LeaderToCell> {
 public:
  CellStream(Surroundings& s, std::string_view trust_domain, grpc::CallbackServerContext& context)
      : s_(s), trust_domain_(trust_domain), context_(context), pipe_(std::make_shared<CellPipe>(*this, context)), link_(std::make_shared<Link>(pipe_)) {
    if (const Status allowed = s_.Admit(context); !allowed) {
      pipe_->End(allowed);
    } else {
      StartRead(&message_);
    }
  }

  void OnReadDone(bool ok) override {
    if (!ok) return pipe_->End(Done{});
    if (const Status taken = Take(); !taken) {
      s_.log.Warn("cell_refused", {{"cell", id_.str()}, {"error", taken.error().message}});
      return pipe_->End(taken, denied_);
    }
    StartRead(&message_);
  }
  void OnWriteDone(bool ok) override { pipe_->Written(ok); }
  void OnCancel() override { pipe_->End(Done{}); }
  void OnDone() override {
    if (!id_.empty()) s_.leader.cells().Disconnected(id_, link_.get());
    delete this;
  }

 private:
  Status Take() {
    if (id_.empty() != (message_.message_case() == v2::CellMessage::kHello)) {
      return Error{ErrorKind::kInvalidArgument, "the first message must be a hello, and none later", {}};
    }
    switch (message_.message_case()) {
      case v2::CellMessage::kHello: return Greet();
      case v2::CellMessage::kHeartbeat: s_.leader.cells().Heard(id_, link_.get()); return Done{};
      case v2::CellMessage::kReports: return TakeReports();
      case v2::CellMessage::kOutput: s_.leader.cells().Wrote(id_, OutputFrom(message_.output())); return Done{};
      case v2::CellMessage::MESSAGE_NOT_SET: break;
    }
    return Error{ErrorKind::kInvalidArgument, "the message is empty", {}};
  }

  Status CheckOwn(const std::string& name) {
    const grpc::Status own = CheckOwnName(context_, trust_domain_, Role::kCell, name);
    if (own.ok()) return Done{};
    denied_ = own.error_code();
    return Error{ErrorKind::kFailedPrecondition, own.error_message(), {}};
  }

  Status Greet() {
    auto greeting = GreetingFrom(message_.hello());
    if (!greeting) return greeting.error();
    if (Status own = CheckOwn(greeting->record.id.str()); !own) return own;
    if (s_.gate) greeting->key = s_.gate->KeyOf(context_);
    id_ = greeting->record.id;
    ports_ = greeting->record.ports;
    v2::CellMessage().Swap(&message_);  // a message keeps the memory that it had, and none is as large as this one
    s_.leader.cells().Connected(link_, *std::move(greeting));
    return Done{};
  }

  Status TakeReports() {
    const auto& reports = message_.reports().reports();
    if (reports.size() > kReportsMost) {
      return Error{ErrorKind::kInvalidArgument,
                   "reports has " + std::to_string(reports.size()) + " entries, at most " +
                       std::to_string(kReportsMost) + " are taken in one message",
                   {}};
    }
    std::vector<CellReport> taken;
    std::vector<ReportAnswer> refused;
    auto place = s_.gate ? s_.gate->PlaceOf(context_) : std::nullopt;
    if (!place && ports_) place = CellPlace{.anywhere = true};
    if (place) place->ports = ports_;
    for (const v2::CellReport& message : reports) {
      auto report = ReportFrom(message);
      if (const auto* started = report && place ? std::get_if<Started>(&report->fact) : nullptr) {
        if (Status own = CheckPlace(*place, started->net_info); !own) report = own.error();
      }
      if (report) {
        taken.push_back(*std::move(report));
      } else {
        refused.push_back({message.report_id(), ReportOutcome::kRefused, report.error().message});
      }
    }
    s_.leader.cells().Reported(id_, link_.get(), std::move(taken), std::move(refused));
    return Done{};
  }

  Surroundings& s_;
  const std::string_view trust_domain_;  // of the service
  grpc::CallbackServerContext& context_;
  std::optional<grpc::StatusCode> denied_;
  std::shared_ptr<CellPipe> pipe_;
  std::shared_ptr<Link> link_;
  CellId id_;
  std::optional<PortSpan> ports_;
  v2::CellMessage message_;
};

}  // namespace

grpc::ServerBidiReactor<v2::CellMessage, v2::LeaderToCell>* CellsService::Connect(
    grpc::CallbackServerContext* context) {
  return new CellStream(s_, trust_domain_, *context);
}

grpc::ServerUnaryReactor* CellsService::DrainCell(grpc::CallbackServerContext* context,
                                                  const v2::ChangeCellRequest* request,
                                                  v2::ChangeCellResponse* response) {
  return SetDraining(context, request, response, true);
}

grpc::ServerUnaryReactor* CellsService::UndrainCell(grpc::CallbackServerContext* context,
                                                    const v2::ChangeCellRequest* request,
                                                    v2::ChangeCellResponse* response) {
  return SetDraining(context, request, response, false);
}

grpc::ServerUnaryReactor* CellsService::SetDraining(grpc::CallbackServerContext* context,
                                                    const v2::ChangeCellRequest* request,
                                                    v2::ChangeCellResponse* response, bool draining) {
  auto* reactor = context->DefaultReactor();
  if (const auto may = CheckCell(s_, *context, request->cell_id(), (draining ? kDrain : kUndrain).method); !may.ok()) {
    return reactor->Finish(may), reactor;
  }
  const OperatorCall call(s_, *context, draining ? kDrain : kUndrain, "cell " + request->cell_id());
  if (const Status allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
  const CellId id(request->cell_id());
  s_.leader.cells().SetDraining(id, draining, call.Done({"draining"}), [this, call, response, id](const Status& status) {
    if (!status) return call.End(status);
    s_.reads.Run([=](Result<Reader*> reader) {
      const auto cells = reader ? (*reader)->ListCells() : Result<std::vector<CellRecord>>(reader.error());
      if (!cells) return call.End(cells.error());
      for (const CellRecord& record : *cells) {
        if (record.id == id) *response->mutable_cell() = ToMessage(record, nullptr);
      }
      call.End(Done{});
    });
  });
  return reactor;
}

grpc::ServerUnaryReactor* CellsService::ListCells(grpc::CallbackServerContext* context, const v2::ListCellsRequest* request,
                                                  v2::ListCellsResponse* response) {
  auto* reactor = context->DefaultReactor();
  const auto end = TimedEnd(s_, *context, "list_cells");
  if (const Status allowed = s_.Admit(*context, *request); !allowed) return end(allowed), reactor;
  s_.reads.Run([this, end, response](Result<Reader*> reader) {
    auto cells = reader ? (*reader)->ListCells() : Result<std::vector<CellRecord>>(reader.error());
    if (!cells) return end(cells.error());
    s_.leader.cells().Views([=, cells = *std::move(cells)](const std::map<CellId, Cells::View>& views) {
      for (const CellRecord& record : cells) {
        const auto view = views.find(record.id);
        *response->add_cells() = ToMessage(record, view == views.end() ? nullptr : &view->second);
      }
      end(Done{});
    });
  });
  return reactor;
}

}  // namespace baton
