#include "tools/baton/yaml/yaml_cursor.h"

#include <yaml-cpp/binary.h>

#include <set>

namespace baton::cli {
namespace {

// Deeper than any action that the server takes; an alias inside its own anchor ends here too.
constexpr int kYamlDepthMax = 100;

std::string Kind(const YAML::Node& node) {
  if (node.IsMap()) return "a map";
  if (node.IsSequence()) return "a list";
  return node.IsScalar() ? "'" + node.Scalar() + "'" : "nothing";
}

bool IsBinary(const YAML::Node& node) { return node.Tag() == "tag:yaml.org,2002:binary"; }

std::string Decoded(const YAML::Node& node) {
  const auto bytes = YAML::DecodeBase64(node.Scalar());
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string Place(const FileContext& context, const YAML::Mark& mark) {
  return context.name + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

YamlCursor::YamlCursor(const FileContext& context, const YAML::Node& node, std::string path, int depth)
    : context_(&context), node_(node), path_(std::move(path)), depth_(depth) {
  if (depth_ > kYamlDepthMax) Fail("is nested deeper than " + std::to_string(kYamlDepthMax) + " levels");
}

std::string YamlCursor::Text(const std::string& expected) const {
  if (!node_.IsScalar()) FailExpected(expected);
  if (IsBinary(node_)) return Decoded(node_);
  auto text = Substitute(node_.Scalar(), context_->variables);
  if (!text) Fail(text.error().message);
  return *std::move(text);
}

std::vector<YamlCursor> YamlCursor::Items(const std::string& expected) const {
  if (!node_.IsSequence()) FailExpected(expected);
  std::vector<YamlCursor> items;
  for (const YAML::Node& item : node_) {
    items.emplace_back(*context_, item, path_ + "[" + std::to_string(items.size()) + "]", depth_ + 1);
  }
  return items;
}

std::vector<YamlCursor::Entry> YamlCursor::Entries(const std::string& expected) const {
  if (!node_.IsMap()) FailExpected(expected);
  std::vector<Entry> entries;
  std::set<std::string> seen;
  for (const auto& pair : node_) {
    const std::string key = !pair.first.IsScalar() ? "" : IsBinary(pair.first) ? Decoded(pair.first) : pair.first.Scalar();
    const std::string path = path_.empty() ? key : path_ + "." + key;
    const YamlCursor at_key(*context_, pair.first, path, depth_ + 1);
    if (!pair.first.IsScalar()) at_key.Fail("expected a text as key, found " + Kind(pair.first));
    if (!seen.insert(key).second) at_key.Fail("the key is given a second time");
    entries.push_back({key, at_key, YamlCursor(*context_, pair.second, path, depth_ + 1)});
  }
  return entries;
}

void YamlCursor::Fail(const std::string& sentence) const {
  throw FileFault(Place(*context_, node_.Mark()) + ": " + (path_.empty() ? "" : path_ + ": ") + sentence);
}

void YamlCursor::FailExpected(const std::string& expected) const {
  Fail("expected " + expected + ", found " + Kind(node_));
}

}  // namespace baton::cli
