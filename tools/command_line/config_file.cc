#include "tools/command_line/config_file.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>

namespace baton {
namespace {

// CLI11 takes the first of two lines with one name, and ends a value at a '#', within quotes too.
class StrictConfig : public CLI::ConfigTOML {
 public:
  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    std::vector<CLI::ConfigItem> lines = CLI::ConfigTOML::from_config(input);
    std::set<std::string> seen;
    for (const CLI::ConfigItem& item : lines) {
      if (item.name == "++" || item.name == "--") continue;  // a section begins, ends
      if (!seen.insert(item.fullname()).second)
        throw CLI::ConfigError("'" + item.fullname() + "' stands there twice: take one away");
      for (const std::string& value : item.inputs) {
        if (value.starts_with('"'))
          throw CLI::ConfigError("the value of '" + item.fullname() +
                                 "' has no closing \" (a # begins a comment, within quotes too)");
      }
    }
    return lines;
  }
};

}  // namespace

void TakeConfigFile(CLI::App& app, const std::string& about, const std::string& variable) {
  app.config_formatter(std::make_shared<StrictConfig>());
  // CLI11 reads the file before it looks at the environment, where it finds the name too late.
  const char* named = std::getenv(variable.c_str());
  const bool is_named = named && *named;
  app.set_config("--config", is_named ? named : "", about, is_named)->envname(variable);
  app.allow_config_extras(CLI::config_extras_mode::error);
}

std::optional<std::string> ConfigFileOf(const CLI::App& app) {
  if (!app.get_config_ptr()) return std::nullopt;
  const auto file = app.get_config_ptr()->as<std::string>();
  return file.empty() ? std::nullopt : std::optional(file);
}

bool IsOfConfigFile(const CLI::App& app, const std::string& complaint) {
  const auto file = ConfigFileOf(app);
  if (!file) return false;
  const auto items = app.get_config_formatter()->from_file(*file);
  return std::ranges::any_of(items, [&](const CLI::ConfigItem& item) {
    const bool named = complaint.starts_with("--" + item.name + ":");
    const auto said = [&](const std::string& value) { return complaint.find(value) != std::string::npos; };
    return named && std::ranges::any_of(item.inputs, said);
  });
}

}  // namespace baton
