// The documents of a YAML text, as yaml-cpp reads them. Throws YAML::Exception with the place of what is wrong.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

namespace baton::cli {

std::vector<YAML::Node> ReadDocuments(const std::string& text);

}  // namespace baton::cli
