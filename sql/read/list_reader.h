// Pages of the lists of apps and of instances. Within a transaction, of one snapshot where there are several statements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/ports/reader.h"
#include "sql/session/session.h"

namespace baton {

Result<Page<DesiredRead>> ReadDesiredPage(Session& s, const DesiredFilter& filter, ProcessGuid& after, int limit);
// With the roll that is open; in any order.
Result<Page<DesiredRead>> ReadDesiredByGuid(Session& s, const std::vector<ProcessGuid>& guids);
Result<Page<ActualRead>> ReadActualsPage(Session& s, const ActualFilter& filter, ProcessGuid& after_guid,
                                         ActualId& after_id, int limit);
// An instance of any app; or why it cannot be read.
void TakeActual(const Rows::Row& row, const Cipher& cipher, Page<ActualRead>& page);

Result<std::string> OpenRunInfo(const Cipher& cipher, const ProcessGuid& guid, const DefinitionKey& key,
                                std::string_view sealed);
ReadMark MarkOf(const Rows::Row& row);

}  // namespace baton
