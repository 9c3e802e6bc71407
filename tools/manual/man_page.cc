#include "tools/manual/man_page.h"

#include <algorithm>

namespace baton::manual {
namespace {

std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// Text as roff has it: no request begins in it, and a '-' is one that can be copied.
std::string Text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\n')
      out += ' ';
    else
      out += c;
  }
  return !out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" + out : out;
}

// An argument of a macro.
std::string Quoted(const std::string& text) {
  std::string out;
  for (const char c : Text(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return "\"" + out + "\"";
}

bool IsForPeople(const CLI::App* app) { return !app->get_group().empty(); }

std::vector<const CLI::App*> Commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) { return !one->get_name().empty() && IsForPeople(one); });
}

// A group of options is a command without a name for CLI11.
std::vector<const CLI::Option*> OptionsOf(const CLI::App& app) {
  std::vector<const CLI::Option*> options;
  for (const CLI::App* group : app.get_subcommands([](const CLI::App* one) { return one->get_name().empty(); })) {
    const auto more = OptionsOf(*group);
    options.insert(options.end(), more.begin(), more.end());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) options.push_back(option);
  }
  return options;
}

std::string Head(const CLI::Option& option) {
  if (option.get_positional()) return "\\fI" + Text(option.get_name(/*positional=*/true)) + "\\fR";
  std::string head;
  const auto add = [&head](const std::string& name) {
    head += (head.empty() ? "" : ", ") + ("\\fB" + Text(name) + "\\fR");
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (option.get_items_expected_max() > 0) head += " \\fI" + Text(option.get_type_name()) + "\\fR";
  return head;
}

std::string Entry(const CLI::Option& option) {
  std::string entry = ".TP\n" + Head(option) + "\n" + Text(option.get_description()) + ".\n";
  if (option.get_required()) entry += "Must be given.\n";
  if (!option.get_default_str().empty()) entry += "Default: " + Text(option.get_default_str()) + ".\n";
  if (!option.get_envname().empty()) entry += "Environment: \\fB" + Text(option.get_envname()) + "\\fR.\n";
  return entry;
}

std::string Entries(const CLI::App& app) {
  std::string entries;
  for (const CLI::Option* option : OptionsOf(app)) entries += Entry(*option);
  return entries;
}

// What stands behind the name of a command: "[OPTIONS] APP".
std::string Usage(const CLI::App& app) {
  std::string usage = OptionsOf(app).empty() ? "" : " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : OptionsOf(app)) {
    if (!option->get_positional()) continue;
    const std::string name = "\\fI" + Text(option->get_name(/*positional=*/true)) + "\\fR";
    usage += option->get_required() ? " " + name : " [" + name + "]";
  }
  return usage;
}

void AddCommands(const CLI::App& app, const std::string& path, std::string& page) {
  for (const CLI::App* command : Commands(app)) {
    const std::string name = path + " " + command->get_name();
    page += ".SS " + Quoted(name) + "\n\\fB" + Text(name) + "\\fR" + Usage(*command) + "\n.PP\n" +
            Text(command->get_description()) + ".\n" + Entries(*command);
    AddCommands(*command, name, page);
  }
}

}  // namespace

std::string ManPage(const CLI::App& app, const ManFacts& facts, const std::string& version) {
  const std::string about = app.get_description();
  std::string page = ".\\\" Printed by baton-law man " + facts.name + ".\n.TH " + Quoted(Upper(facts.name)) + " " +
                     std::to_string(facts.section) + " \"\" " + Quoted("Baton " + version) + " \"Baton\"\n.nh\n";
  page += ".SH NAME\n" + Text(facts.name) + " \\- " + Text(about) + "\n";
  page += ".SH SYNOPSIS\n\\fB" + Text(facts.name) + "\\fR" + Usage(app) +
          (Commands(app).empty() ? "" : " \\fICOMMAND\\fR ...") + "\n";
  page += ".SH DESCRIPTION\n" + Text(about) + ".\nThe pages are in /usr/share/doc/baton/guide.\n";
  page += ".SH OPTIONS\n" + Entries(app);
  if (!Commands(app).empty()) {
    page += ".SH COMMANDS\n";
    AddCommands(app, facts.name, page);
  }
  page += ".SH \"EXIT STATUS\"\n";
  for (const auto& [status, what] : facts.exits) page += ".TP\n" + std::to_string(status) + "\n" + Text(what) + ".\n";
  if (!facts.files.empty()) page += ".SH FILES\n";
  for (const auto& [path, what] : facts.files) page += ".TP\n\\fI" + Text(path) + "\\fR\n" + Text(what) + ".\n";
  page += ".SH \"SEE ALSO\"\n";
  for (std::size_t i = 0; i < facts.see_also.size(); ++i) page += (i ? ", " : "") + Text(facts.see_also[i]);
  return page + "\n";
}

}  // namespace baton::manual
