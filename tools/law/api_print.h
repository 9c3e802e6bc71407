// What becomes of each call of baton.v1, asked of the descriptors: the table of docs/generated/api-v1.md.
#pragma once

#include <string>

namespace baton::law {

// A page of Markdown.
std::string PrintOldApi();

}  // namespace baton::law
