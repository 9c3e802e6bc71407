// The service Cells: machines that run instances.
#include "orchestrator/server/serving/services.h"

#include <string>
#include <utility>

#include "baton/v2/cells_service.grpc.pb.h"
#include "orchestrator/bounds/bounded_requests.h"
#include "orchestrator/server/callers/access_gate.h"
#include "orchestrator/server/callers/caller.h"
#include "orchestrator/server/calls/api_call.h"
#include "orchestrator/server/calls/call_context.h"
#include "orchestrator/server/calls/operator_call.h"
#include "orchestrator/server/calls/peer_stream.h"
#include "orchestrator/server/cells/cell_messages.h"
#include "orchestrator/server/serving/server_dependencies.h"

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

class CellStream final : public PeerStream<v2::CellMessage, v2::LeaderToCell, Link, CellId> {
 public:
  CellStream(ServerDependencies& s, std::string_view trust_domain, grpc::CallbackServerContext& context)
      : PeerStream(s, Role::kCell, trust_domain, context) {}

 private:
  void LogRefusal(const std::string& error) override {
    s_.log.Warn("cell_refused", {{"cell", id_.str()}, {"error", error}});
  }
  void Leave() override { s_.leader.cells().Disconnected(id_, link_.get()); }

  Status Take() override {
    switch (message_.message_case()) {
      case v2::CellMessage::kHello: return Greet();
      case v2::CellMessage::kHeartbeat: s_.leader.cells().Heard(id_, link_.get()); return Done{};
      case v2::CellMessage::kReports: return TakeReports();
      case v2::CellMessage::kOutput: s_.leader.cells().Wrote(id_, OutputFrom(message_.output())); return Done{};
      case v2::CellMessage::MESSAGE_NOT_SET: break;
    }
    return Done{};
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
    if (reports.size() > kReportsMax) {
      return Invalid("reports has " + std::to_string(reports.size()) + " entries, at most " +
                     std::to_string(kReportsMax) + " are taken in one message");
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

  std::optional<PortSpan> ports_;
};

class CellsService final : public v2::Cells::CallbackService {
 public:
  CellsService(ServerDependencies& dependencies, std::string trust_domain)
      : s_(dependencies), trust_domain_(std::move(trust_domain)) {}

  grpc::ServerBidiReactor<v2::CellMessage, v2::LeaderToCell>* Connect(grpc::CallbackServerContext* context) override {
    return new CellStream(s_, trust_domain_, *context);
  }

  grpc::ServerUnaryReactor* DrainCell(grpc::CallbackServerContext* context, const v2::ChangeCellRequest* request,
                                      v2::ChangeCellResponse* response) override {
    return SetDraining(context, request, response, true);
  }

  grpc::ServerUnaryReactor* UndrainCell(grpc::CallbackServerContext* context, const v2::ChangeCellRequest* request,
                                        v2::ChangeCellResponse* response) override {
    return SetDraining(context, request, response, false);
  }

  grpc::ServerUnaryReactor* ListCells(grpc::CallbackServerContext* context, const v2::ListCellsRequest* request,
                                      v2::ListCellsResponse* response) override {
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

 private:
  grpc::ServerUnaryReactor* SetDraining(grpc::CallbackServerContext* context, const v2::ChangeCellRequest* request,
                                        v2::ChangeCellResponse* response, bool draining) {
    auto* reactor = context->DefaultReactor();
    if (const auto may = CheckCell(s_, *context, request->cell_id(), (draining ? kDrain : kUndrain).method);
        !may.ok()) {
      return reactor->Finish(may), reactor;
    }
    const OperatorCall call(s_, *context, draining ? kDrain : kUndrain, "cell " + request->cell_id());
    if (const Status allowed = s_.Admit(*context, *request); !allowed) return call.End(allowed), reactor;
    const CellId id(request->cell_id());
    s_.leader.cells().SetDraining(
        id, draining, call.Done({"draining"}), [this, call, response, id](const Status& status) {
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

  ServerDependencies& s_;
  const std::string trust_domain_;
};

}  // namespace

std::unique_ptr<grpc::Service> MakeCellsService(ServerDependencies& dependencies, std::string trust_domain) {
  return std::make_unique<CellsService>(dependencies, std::move(trust_domain));
}

}  // namespace baton
