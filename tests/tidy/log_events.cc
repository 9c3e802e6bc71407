#include "tests/tidy/log_events.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace baton::tidy {
namespace {

using Matches = std::sregex_iterator;

void TakeAll(const std::string& text, const std::regex& name, std::set<std::string>& names) {
  for (Matches match(text.begin(), text.end(), name); match != Matches(); ++match) names.insert((*match)[1]);
}

// UpdateDesiredLRP -> update_desired_lrp.
std::string SnakeCase(const std::string& name) {
  static const std::regex kEnd("([a-z0-9])([A-Z])");
  std::string text = std::regex_replace(name, kEnd, "$1_$2");
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::set<std::string> LogEventsIn(const std::string& source) {
  // Up to the fields, which stand in braces: the name, or a choice of two.
  static const std::regex kCall(R"(\blog_?\.(?:Info|Warn|Error|Debug)\(([^{;]*))");
  static const std::regex kWrite(R"(\b[Ww]rite\(([^{;"]*[Ll]evel[^{;]*))");
  static const std::regex kText("\"([^\"]*)\"");
  std::set<std::string> names;
  for (const std::regex* call : {&kCall, &kWrite}) {
    for (Matches match(source.begin(), source.end(), *call); match != Matches(); ++match) {
      TakeAll((*match)[1].str(), kText, names);
    }
  }
  return names;
}

std::vector<std::string> CheckCallNames(const std::string& source) {
  // What is said of an instance, where that is the first of more, is logged by the instance's events.
  static const std::regex kCallName(R"re((?:^|[^{])\{"([^"]*)", "\w+/(\w+)"\})re");
  std::vector<std::string> faults;
  for (Matches match(source.begin(), source.end(), kCallName); match != Matches(); ++match) {
    const std::string method = (*match)[2];
    if (const std::string name = SnakeCase(method); (*match)[1] != name) {
      faults.push_back("the call " + method + " is logged as '" + (*match)[1].str() + "': its name is " + name);
    }
  }
  return faults;
}

std::set<std::string> LogEventsOf(const std::string& page) {
  static const std::regex kName("`([^`]*)`");
  std::set<std::string> names;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| `")) TakeAll(line.substr(0, line.find('|', 1)), kName, names);
  }
  return names;
}

std::vector<std::string> CheckLogEvents(const std::set<std::string>& used, const std::set<std::string>& told) {
  static const std::regex kStyle("[a-z0-9]+(_[a-z0-9]+)*");
  std::vector<std::string> faults;
  for (const std::string& name : used) {
    if (!std::regex_match(name, kStyle)) faults.push_back("the log event '" + name + "' is no snake_case");
    if (!told.contains(name)) faults.push_back("the log event " + name + " has no row in docs/reference/log-events.md");
  }
  for (const std::string& name : told) {
    if (!used.contains(name))
      faults.push_back("docs/reference/log-events.md tells of " + name + ", which nothing logs");
  }
  return faults;
}

}  // namespace baton::tidy
