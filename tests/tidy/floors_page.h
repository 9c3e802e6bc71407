// The table of floors as a page: docs/generated/floors.md.
#pragma once

#include <string>

namespace baton::tidy {

std::string FloorsPage();

}  // namespace baton::tidy
