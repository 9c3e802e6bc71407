#include "tests/tidy/named_things.h"

#include <regex>
#include <set>
#include <sstream>

namespace baton::tidy {
namespace {

using Matches = std::sregex_iterator;

// Of PostgreSQL, pgBackRest, libpqxx, systemd and Linux, of an app in a sample, and of these tests, which are no source.
const std::set<std::string>& Others() {
  static const std::set<std::string> kOthers = {
      "idle_session_timeout", "pg_try_advisory_lock", "exec_params", "ip_local_port_range", "--verbose", "--type",
      "--target-action",      "--signal",             "BATON_UPDATE_FLOORS"};
  return kOthers;
}

void Collect(const std::string& text, const std::regex& names, std::set<std::string>& found) {
  for (Matches match(text.begin(), text.end(), names); match != Matches(); ++match) found.insert((*match)[0]);
}

std::set<std::string> NamesIn(const std::string& line, bool is_prose) {
  static const std::regex kOption("--[a-z][a-z0-9-]+");
  static const std::regex kCode("`[^`]+`");
  static const std::regex kName("\\bBATON_[A-Z_]+\\b|\\b[a-z][a-z0-9]*(_[a-z0-9]+)+\\b");
  std::set<std::string> names;
  Collect(line, kOption, names);
  if (!is_prose) return names;
  for (Matches code(line.begin(), line.end(), kCode); code != Matches(); ++code) Collect((*code)[0], kName, names);
  return names;
}

}  // namespace

std::vector<std::string> CheckNamedThings(const std::string& path, const std::string& page,
                                          const std::string& sources) {
  std::vector<std::string> faults;
  std::istringstream in(page);
  bool is_prose = true;  // and no sample, whose names are anybody's
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) is_prose = !is_prose;
    for (const std::string& name : NamesIn(line, is_prose)) {
      if (Others().contains(name) || sources.find(name) != std::string::npos) continue;
      faults.push_back(path + ":" + std::to_string(number) + ": nothing in the sources is called " + name);
    }
  }
  return faults;
}

}  // namespace baton::tidy
