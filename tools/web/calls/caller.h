// How batond is told for whom the page calls.
#pragma once

#include <string>

#include "tools/web/calls/message_call.h"
#include "tools/web/who/person.h"

namespace baton::web {

// With a certificate of role web batond decides by the person's role; without TLS the name is only said.
Metadata CallerMetadata(const Person& person, bool certificate);

}  // namespace baton::web
