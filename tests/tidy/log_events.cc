#include "tests/tidy/log_events.h"

#include <regex>
#include <sstream>

namespace baton::tidy {
namespace {

using Matches = std::sregex_iterator;

void TakeAll(const std::string& text, const std::regex& name, std::set<std::string>& names) {
  for (Matches match(text.begin(), text.end(), name); match != Matches(); ++match) names.insert((*match)[1]);
}

}  // namespace

std::set<std::string> LogEventsIn(const std::string& source) {
  // Up to the fields, which stand in braces: the name, or a choice of two.
  static const std::regex kCall(R"(\blog_?\.(?:Info|Warn|Error|Debug)\(([^{;]*))");
  static const std::regex kWrite(R"(\b[Ww]rite\(([^{;"]*[Ll]evel[^{;]*))");
  static const std::regex kText("\"([^\"]*)\"");
  std::set<std::string> names;
  // A call of the API is logged by its own name; what is said of an instance, where that is the first of more, by the instance's events.
  static const std::regex kCallName(R"re((?:^|[^{])\{"([^"]*)", "\w+/\w+"\})re");
  TakeAll(source, kCallName, names);
  for (const std::regex* call : {&kCall, &kWrite}) {
    for (Matches match(source.begin(), source.end(), *call); match != Matches(); ++match) {
      TakeAll((*match)[1].str(), kText, names);
    }
  }
  return names;
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
