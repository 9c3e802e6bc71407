// Names and amounts as the tables show them.
#pragma once

#include <cstdint>
#include <string>

#include "baton/v2/roll.pb.h"

namespace baton::cli {

// "512MiB", "2GiB", "1.5GiB"; 0: "-".
std::string HumanMebibytes(std::int64_t mb);

// A content hash by its first 12 characters; a given name as it is, for people chose it to be read.
std::string ShortDefinition(const std::string& identifier);

// "ROLLING", "COMPLETED" ...; "UNKNOWN" for what this version does not know.
std::string StateName(v2::RollState state);

// "ORDINARY", "SURGE" ...
std::string PresenceName(v2::Presence presence);

}  // namespace baton::cli
