// How batond is told for whom the page calls.
#pragma once

#include <string>

#include "orchestrator/model/calls/trace_parent.h"
#include "tools/http/message.h"
#include "tools/web/calls/message_call.h"
#include "tools/web/who/person.h"

namespace baton::web {

// With a certificate of role web batond decides by the person's role; without TLS the name is only said.
Metadata CallerMetadata(const Person& person, bool certificate, const TraceParent& trace = {});

// Of none where its header is no traceparent, or is there twice.
TraceParent TraceOf(const http::Request& request);

}  // namespace baton::web
