#include "tools/manual/conf_file.h"

namespace baton::manual {
namespace {

constexpr std::size_t kLine = 118;

// Words in lines that begin as comments.
std::string Comment(const std::string& text) {
  std::string out = "#";
  std::size_t length = 1;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    if (length + 1 + word.size() > kLine) {
      out += "\n#";
      length = 1;
    }
    out += " " + word;
    length += 1 + word.size();
  }
  return out + "\n";
}

// As it would be written: what CLI11 has no default of is named by its kind.
std::string Value(const CLI::Option& option) {
  const std::string given = option.get_default_str();
  if (option.get_items_expected_max() == 0) return "false";
  if (given.empty()) return option.get_type_name().substr(0, option.get_type_name().find(':'));  // without its range
  return given.find_first_of(" :/") != std::string::npos && !given.starts_with('[') ? "\"" + given + "\"" : given;
}

std::string Setting(const CLI::Option& option) {
  std::string text = "\n" + Comment(option.get_description() + "." + (option.get_required() ? " Must be given." : ""));
  return text + "#" + option.get_lnames().front() + " = " + Value(option) + "\n";
}

}  // namespace

std::vector<const CLI::Option*> Settings(const CLI::App& app) {
  std::vector<const CLI::Option*> settings;
  for (const CLI::App* group : app.get_subcommands([](const CLI::App* one) { return one->get_name().empty(); })) {
    const auto more = Settings(*group);
    settings.insert(settings.end(), more.begin(), more.end());
  }
  const CLI::Option* config = app.get_config_ptr();
  for (const CLI::Option* option : app.get_options()) {
    if (option != config && !option->get_lnames().empty() && !option->get_envname().empty()) settings.push_back(option);
  }
  return settings;
}

std::string ConfFile(const CLI::App& app, const std::string& program) {
  std::string file =
      Comment(program +
              " --config takes this file. Each option stands here with its default, or with what it takes; take away "
              "the '#' and "
              "give it a value. The command line wins over the file, the file over the environment. See " +
              program + "(8).");
  for (const CLI::Option* option : Settings(app)) file += Setting(*option);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return one->get_configurable(); })) {
    file += "\n[" + command->get_name() + "]\n";
    for (const CLI::Option* option : Settings(*command)) file += Setting(*option);
  }
  return file;
}

}  // namespace baton::manual
