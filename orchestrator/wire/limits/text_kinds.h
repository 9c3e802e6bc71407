// What a text may be, beside its length: names, paths, URLs, as the kinds of baton.v1.Limits have them.
#pragma once

#include <string_view>

#include "baton/v1/limits.pb.h"

namespace baton::wire {

bool Fits(std::string_view text, v1::Limits::Kind kind);

// Behind "it takes": "no control characters".
std::string_view Words(v1::Limits::Kind kind);

}  // namespace baton::wire
