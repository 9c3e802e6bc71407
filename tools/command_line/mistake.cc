#include "tools/command_line/mistake.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tools/command_line/config_file.h"
#include "tools/command_line/nearest.h"

namespace baton {
namespace {

// What CLI11 calls a program that has given itself no name is the path that it was started by.
std::string NameOf(const CLI::App& app) { return std::filesystem::path(app.get_name()).filename().string(); }

// The commands as they were given: the program, `rollout`, `status`.
std::vector<const CLI::App*> Given(const CLI::App& app) {
  std::vector<const CLI::App*> given{&app};
  while (!given.back()->get_subcommands().empty()) given.push_back(given.back()->get_subcommands().back());
  return given;
}

std::string Spelled(const std::vector<const CLI::App*>& given) {
  std::string text = NameOf(*given.front());
  for (std::size_t i = 1; i < given.size(); ++i) text += " " + given[i]->get_name();
  return text;
}

std::vector<std::string> Commands(const CLI::App& app) {
  std::vector<std::string> names;
  const auto for_people = [](const CLI::App* one) { return !one->get_group().empty() && !one->get_name().empty(); };
  for (const CLI::App* one : app.get_subcommands(for_people)) names.push_back(one->get_name());
  return names;
}

// A group of options is a command without a name for CLI11.
void AddOptions(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const auto is_group = [](const CLI::App* one) { return one->get_name().empty(); };
  for (const CLI::App* group : app.get_subcommands(is_group)) AddOptions(*group, names);
}

// With those of the commands before it: they may stand behind it.
std::vector<std::string> Options(const std::vector<const CLI::App*>& given) {
  std::vector<std::string> names;
  for (auto app = given.rbegin(); app != given.rend(); ++app) AddOptions(**app, names);
  return names;
}

std::string Meant(const std::string& word, const std::vector<std::string>& known) {
  const auto nearest = Nearest(word, known);
  return nearest ? ": did you mean " + *nearest + "?" : "";
}

std::vector<std::string> Bare(const std::vector<std::string>& options) {
  std::vector<std::string> bare;
  for (const std::string& option : options) bare.push_back(option.substr(2));
  return bare;
}

// Commands whose options may stand in a file, under the command's name.
std::vector<std::string> Sections(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App* command) { return command->get_configurable(); })) {
    names.push_back(one->get_name());
  }
  return names;
}

// `embedded` where --embedded was meant.
std::string MeantAsOption(const std::string& word, const std::vector<std::string>& options) {
  const auto nearest = Nearest(word, Bare(options));
  return nearest ? ": did you mean --" + *nearest + "?" : "";
}

// CLI11 names neither the file nor what was meant. Of a section that is none it says "run.++".
std::string MistakeInFile(const CLI::App& app, const CLI::ConfigError& error) {
  const std::string where = *ConfigFileOf(app) + ": ";
  const std::string text = error.what();
  const std::string unknown = "INI was not able to parse ";  // "run.lisen": under [run]
  if (!text.starts_with(unknown)) return where + text;
  const std::string item = text.substr(unknown.size());
  if (item.ends_with(".++")) {
    const std::string section = item.substr(0, item.size() - 3);
    return where + "'[" + section + "]' is no section of " + NameOf(app) + Meant(section, Sections(app));
  }
  if (item.find(' ') != std::string::npos) return where + "'" + item + "' is not NAME = VALUE";
  const std::size_t dot = item.find('.');
  std::vector<const CLI::App*> section{&app};
  for (const CLI::App* one : app.get_subcommands(nullptr)) {
    if (one->get_name() == item.substr(0, dot)) section.push_back(one);
  }
  return where + "'" + item + "' is no option of " + Spelled(section) +
         Meant(item.substr(dot + 1), Bare(Options(section)));
}

std::string WhyUnreadable(const std::string& file) {
  if (std::filesystem::is_directory(file)) return std::strerror(EISDIR);
  errno = 0;
  const std::ifstream opened(file);
  return std::strerror(errno);
}

// What CLI11 says of values and of options that are missing, with the file where it has to do with it.
std::string WithItsFile(const CLI::App& app, const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto file = ConfigFileOf(app);
  if (!file) return text;
  if (dynamic_cast<const CLI::FileError*>(&error))
    return "--config: " + *file + " cannot be read: " + WhyUnreadable(*file);
  if (dynamic_cast<const CLI::RequiredError*>(&error)) return text + ", in " + *file + " or on the command line";
  return IsOfConfigFile(app, text) ? *file + ": " + text : text;
}

}  // namespace

std::string MistakeIn(const CLI::App& app, const CLI::ParseError& error) {
  if (const auto* in_file = dynamic_cast<const CLI::ConfigError*>(&error)) return MistakeInFile(app, *in_file);
  const std::vector<std::string> left_over = app.remaining(/*recurse=*/true);
  const auto given = Given(app);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-' && word != "--"; };
  const auto option = std::ranges::find_if(left_over, is_option);
  const auto commands = Commands(*given.back());
  const bool no_command = !commands.empty() && option != left_over.begin();  // options that follow would be its own
  if (option != left_over.end() && !no_command) {  // what should be its value was taken for something else
    const std::string name = option->substr(0, option->find('='));
    return "'" + name + "' is no option of " + Spelled(given) + Meant(name, Options(given));
  }
  const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if ((!missing && dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) || left_over.empty())
    return WithItsFile(app, error);
  if (commands.empty()) {
    return "'" + left_over.front() + "' is more than " + Spelled(given) + " takes" + MeantAsOption(left_over.front(), Options(given));
  }
  return "'" + left_over.front() + "' is no command of " + Spelled(given) + Meant(left_over.front(), commands);
}

int EndOf(const CLI::App& app, const CLI::ParseError& error, std::ostream& out, std::ostream& err) {
  if (error.get_exit_code() == 0) return app.exit(error, out, err);
  err << NameOf(app) << ": " << MistakeIn(app, error) << "; see " << NameOf(app) << " --help\n" << std::flush;
  return kMistaken;
}

}  // namespace baton
