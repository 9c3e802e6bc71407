// A whole file of the sources, for the rules' tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace baton::tidy {

inline std::string Read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace baton::tidy
