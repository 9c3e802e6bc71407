// Cells that an operator drains, and the apps that have to leave a cell.
#include <utility>

#include "orchestrator/app/cells/cells.h"

namespace baton {

void Cells::SetDraining(const CellId& id, bool draining, const AuditEntry& audited,
                        std::function<void(const Status&)> done) {
  registry_.SetDraining(id, draining, audited, [this, id, draining, done = std::move(done)](const Status& status) {
    loop_.Post([this, id, draining, done, status] {
      if (status) {
        if (const auto at = cells_.find(id); at != cells_.end()) {
          at->second.record.draining = draining;
          at->second.draining_said = draining;
          if (placer_.IsOpen(id)) placer_.Open(at->second.record, std::chrono::hours(1));
        }
        log_.Info(draining ? "cell_drains" : "cell_drains_no_more", {{"cell", id.str()}});
        WakeAppsOn(id);
      }
      done(status);
    });
  });
}

void Cells::WakeAppsOn(const CellId& id) {
  reads_.Run([this, id](Result<Reader*> reader) {
    const auto apps = reader ? (*reader)->ListAppsOnCell(id) : Result<std::vector<ProcessGuid>>(reader.error());
    loop_.Post([this, id, apps] {
      if (!apps) return loop_.After(seconds(1), [this, id] { WakeAppsOn(id); });
      // The database's lease runs from its own clock; a moment later it has ended there as well.
      for (const ProcessGuid& guid : *apps) {
        roller_.WakeInTurn(guid);
        loop_.After(timing_.heartbeat * 2, [this, guid] { roller_.WakeInTurn(guid); });
      }
    });
  });
}

}  // namespace baton
