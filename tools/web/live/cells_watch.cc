#include "tools/web/live/cells_watch.h"

#include <nlohmann/json.hpp>

#include "baton/v2/cells_service.pb.h"
#include "tools/web/calls/caller.h"
#include "tools/web/calls/gateway.h"
#include "tools/web/fleet/row_json.h"

namespace baton::web {
namespace {

constexpr std::chrono::seconds kCellsEvery(2);
constexpr std::chrono::seconds kCellsDeadline(5);

}  // namespace

void CellsWatch::Step(Time now) {
  if (asking_ || now - asked_ < kCellsEvery) return;
  asking_ = true;
  asked_ = now;
  Question question{.path = "/baton.v2.Cells/ListCells",
                    .request = std::make_shared<v2::ListCellsRequest>(),
                    .answer = &v2::ListCellsResponse::default_instance(),
                    .metadata = CallerMetadata({"page", Role::kViewer}, certificate_),
                    .until = now + kCellsDeadline};
  calls_.Ask(std::move(question), /*streams=*/false,
             [weak = weak_from_this()](const Ending& ending, const std::vector<MessagePtr>& got) {
               const auto self = weak.lock();
               if (!self) return;
               self->asking_ = false;
               if (!ending.status.ok() || got.empty()) return;
               nlohmann::ordered_json json{{"cells", nlohmann::ordered_json::array()}};
               for (const auto& cell : static_cast<const v2::ListCellsResponse&>(*got.front()).cells()) {
                 json["cells"].push_back(
                     nlohmann::ordered_json::parse(MessageJson(cell), nullptr, /*allow_exceptions=*/false));
               }
               self->text_->Set(Text(json));
             });
}

}  // namespace baton::web
