#include "tools/web/calls/caller.h"

#include "orchestrator/base/uuid.h"
#include "orchestrator/model/calls/wire_names.h"

namespace baton::web {

Metadata CallerMetadata(const Person& person, bool certificate, const TraceParent& trace) {
  Metadata metadata{{kRequestIdKey, RandomUuid()}};
  if (certificate) {
    metadata.emplace_back(kOnBehalfKey, "role/" + std::string(Name(person.role)) + '/' + person.name);
  } else {
    metadata.emplace_back(kActorKey, person.name + "@web");
  }
  if (!trace.empty()) metadata.emplace_back(kTraceParentKey, trace.text());
  return metadata;
}

TraceParent TraceOf(const http::Request& request) { return TraceParent::From(request.Header(kTraceParentKey)); }

}  // namespace baton::web
