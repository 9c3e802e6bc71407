// The cell that makes a call, and what it may touch: by the rules of access/cell_rules.h, the leader's orders and the access file.
#pragma once

#include <optional>

#include "orchestrator/access/cell_rules.h"
#include "orchestrator/app/cells/open_orders.h"
#include "orchestrator/model/app_state.h"
#include "orchestrator/server/serving/server_dependencies.h"

namespace baton {

class CallingCell {
 public:
  // Nothing: the caller is no cell, or there is no authentication.
  static std::optional<CallingCell> Of(const ServerDependencies& dependencies, const grpc::ServerContextBase& context);

  CellStanding To(const ActualId& id) const { return {id_, orders_->IsOf(id, id_), pulls_}; }
  // Called within the deciding transaction. FAILED_PRECONDITION: another cell's instance. An instance without a row
  // passes: the decision reports it.
  Status MayClaim(const AppState& app, const ActualId& id, const InstanceGuid& start) const;
  Status MayReject(const AppState& app, const ActualId& id) const;
  // An instance of it is there, or was ordered there. `definition` null: of any definition.
  bool MayRead(const AppState& app, const DefinitionKey* definition) const;

 private:
  CallingCell(CellId id, bool pulls, const OpenOrders& orders) : id_(std::move(id)), pulls_(pulls), orders_(&orders) {}
  Error NotOrdered(const ActualId& id) const;

  CellId id_;
  bool pulls_;
  const OpenOrders* orders_;
};

}  // namespace baton
