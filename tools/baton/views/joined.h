// Texts as one.
#pragma once

#include <string>

namespace baton::cli {

template <class Texts>
std::string Joined(const Texts& texts, const std::string& between = ", ") {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : between) + text;
  return all;
}

}  // namespace baton::cli
