// What fetches the pages of the three lists of all that there is, of a domain: from what is kept of them, or else as
// the rows say.
#pragma once

#include <functional>
#include <string>

#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/ports/reader.h"
#include "orchestrator/server/lists/kept_lists.h"
#include "orchestrator/wire/secrets/redact.h"

namespace baton {

template <class Page>
using FetchPage = std::function<Status(Reader&, Page&, bool& last)>;

// `kept` null: all of it is read from rows each time. What secrets rows from memory have is hidden already.
FetchPage<v2::ListDesiredLRPsResponse> AppPages(KeptLists* kept, DesiredFilter filter, wire::Show shown);
FetchPage<v2::ListSchedulingInfosResponse> SchedulingPages(KeptLists* kept, DesiredFilter filter, wire::Show shown);
FetchPage<v2::ListActualLRPsResponse> InstancePages(KeptLists* kept, ActualFilter filter, wire::Show shown);

// An app with its active definition, secrets and all.
Status FillApp(const DesiredRead& read, v2::DesiredLRP& app);

}  // namespace baton
