#include "tests/monitoring/metric_uses.h"

#include <algorithm>
#include <regex>

namespace baton::monitoring {
namespace {

const std::regex& Name() {
  static const std::regex name("[a-zA-Z_][a-zA-Z0-9_]*");
  return name;
}

std::string WithoutQuoted(const std::string& text) {
  static const std::regex quoted("\"[^\"]*\"");
  return std::regex_replace(text, quoted, "");
}

std::set<std::string> NamesIn(const std::string& list) {
  std::set<std::string> names;
  const std::string plain = WithoutQuoted(list);
  for (std::sregex_iterator at(plain.begin(), plain.end(), Name()), end; at != end; ++at) names.insert(at->str());
  return names;
}

std::string WithoutSuffix(const std::string& series) {
  for (const std::string suffix : {"_bucket", "_count", "_sum"}) {
    if (series.ends_with(suffix)) return series.substr(0, series.size() - suffix.size());
  }
  return series;
}

}  // namespace

Asked WhatIsAsked(const std::string& expression, const std::vector<std::string>& prefixes) {
  Asked asked;
  static const std::regex selector("([a-z_][a-z0-9_]*)(?:\\{([^}]*)\\})?");
  const std::string plain = WithoutQuoted(expression);
  for (std::sregex_iterator at(plain.begin(), plain.end(), selector), end; at != end; ++at) {
    const std::string series = (*at)[1];
    const bool ours =
        std::ranges::any_of(prefixes, [&](const std::string& prefix) { return series.starts_with(prefix); });
    if (ours) asked.uses.push_back({WithoutSuffix(series), NamesIn((*at)[2])});
  }
  static const std::regex by("\\bby \\(([^)]*)\\)");
  for (std::sregex_iterator at(plain.begin(), plain.end(), by), end; at != end; ++at)
    asked.grouped_by.merge(NamesIn((*at)[1]));
  return asked;
}

}  // namespace baton::monitoring
