// Who calls, as it is counted: a name that a table can show and that cannot grow.
#pragma once

#include <string>
#include <string_view>

namespace baton {

inline constexpr std::size_t kCallerNameMax = 100;  // characters

// `actor`: what the caller says it is. Without one: the words of its user agent before gRPC's own ("capi/1.2 grpc-go/1.58"
// is "capi/1.2"); where there are none, gRPC's first word and the address of `peer`, which is as gRPC writes it
// ("ipv4:10.0.0.1:4711"). Characters that are no printable ASCII become '?'.
std::string CallerName(std::string_view actor, std::string_view user_agent, std::string_view peer);

}  // namespace baton
