#include "orchestrator/wire/stored/placeholder.h"

#include <vector>

#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/content_hash.h"

namespace baton::wire {
namespace {

std::set<std::uint32_t> PortsOf(const AppState& app, const DefinitionKey& key) {
  std::set<std::uint32_t> ports;
  for (const auto& [id, lrp] : app.actuals) {
    if (lrp.incarnation != key.incarnation || lrp.definition != key.id) continue;
    for (const PortMapping& port : lrp.net_info.ports) ports.insert(port.container_port);
  }
  return ports;
}

void Insert(AppEdit& edit, const DefinitionKey& key) {
  v2::LRPDefinition message;
  message.mutable_resource();  // is there in each definition that is read back, and so in its hash
  // Its name is in its content: two that were lost are not taken for the same.
  message.mutable_run_info()->set_log_source("definition " + key.id.str() + " was lost, and this stands in its place");
  for (const std::uint32_t port : PortsOf(edit.state(), key)) message.mutable_run_info()->add_ports(port);
  Definition definition;
  definition.id = key.id;
  definition.content_hash = ContentHash(message);
  definition.ports.assign(message.run_info().ports().begin(), message.run_info().ports().end());
  edit.InsertDefinition(key.incarnation, std::move(definition), CanonicalBytes(message.run_info()));
}

}  // namespace

void AddPlaceholders(AppEdit& edit, const std::set<DefinitionKey>& lost) {
  const AppState& app = edit.state();
  std::vector<ActualId> instances;
  for (const DefinitionKey& key : lost) Insert(edit, key);
  for (const auto& [id, lrp] : app.actuals) {
    if (lost.contains({lrp.incarnation, lrp.definition})) instances.push_back(id);
  }
  for (const ActualId& id : instances) {
    MayRun(app.actuals.at(id)) ? void(edit.Change(id).retire_asked = true) : edit.Remove(id);
  }
  if (app.desired && lost.contains({app.desired->incarnation, app.desired->healthy})) {
    edit.ChangeDesired().healthy = DefinitionId();
  }
  const auto& roll = app.roll;
  if (roll && roll->state != RollState::kRollingBack && lost.contains({roll->incarnation, roll->source})) {
    edit.ChangeRoll().source = DefinitionId();
  }
}

}  // namespace baton::wire
