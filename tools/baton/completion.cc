#include "tools/baton/completion.h"

#include <algorithm>
#include <vector>

#include "tools/command_line/one_of.h"

namespace baton::cli {
namespace {

constexpr char kKindWords[] = "apps instances cells rolls definitions";

// What a positional argument of that name is one of.
std::string NamesFor(const std::string& argument) {
  if (argument == "APP") return "app";
  if (argument == "CELL") return "cell";
  if (argument == "ROUTER") return "router";
  return argument == "NAME" ? "$kind" : "";  // whatever stands before it
}

std::vector<const CLI::App*> Subcommands(const CLI::App& app) {
  // The others are not for people.
  return app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty() && !sub->get_name().empty(); });
}

// Subcommands and long options that may stand next below `app`. A group of options is a subcommand without a name for
// CLI11.
std::string WordsOf(const CLI::App& app) {
  std::string words;
  for (const CLI::App* sub : Subcommands(app)) words += sub->get_name() + " ";
  for (const CLI::App* group : app.get_subcommands([](const CLI::App* sub) { return sub->get_name().empty(); }))
    words += WordsOf(*group);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name(true) == "KIND") words += std::string(kKindWords) + " ";
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  }
  return words;
}

std::string NamesOf(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (const std::string names = NamesFor(option->get_name(true)); !names.empty()) return names;
  }
  return "";
}

void AddCases(const CLI::App& app, const std::string& path, std::string& paths, std::string& cases) {
  cases += "    '" + path + "') words='" + WordsOf(app) + "' names=\"" + NamesOf(app) + "\" ;;\n";
  for (const CLI::App* sub : Subcommands(app)) {
    const std::string below = path + "/" + sub->get_name();
    paths += (paths.empty() ? "" : "|") + below;
    AddCases(*sub, below, paths, cases);
  }
}

// After an option that takes one of a few words: those.
void AddValues(const CLI::App& app, const std::string& path, std::string& cases) {
  for (const CLI::Option* option : app.get_options()) {
    std::string words;
    for (const std::string& word : baton::WordsOf(*option)) words += word + " ";
    if (words.empty()) continue;
    std::string patterns;
    const auto add = [&](const std::string& name) {
      patterns += (patterns.empty() ? "" : "|") + (path.empty() ? "*' " + name + "'" : "'" + path + " " + name + "'");
    };
    for (const std::string& name : option->get_lnames()) add("--" + name);
    for (const std::string& name : option->get_snames()) add("-" + name);
    if (!patterns.empty()) cases += "    " + patterns + ") words='" + words + "' names='' ;;\n";
  }
  for (const CLI::App* sub : Subcommands(app)) AddValues(*sub, path + "/" + sub->get_name(), cases);
}

// COMP_LINE, and not COMP_WORDS, where an address may stand: bash cuts words at ':'.
constexpr char kNames[] = R"sh(  case "$path ${COMP_WORDS[COMP_CWORD-1]}" in
    *' --app') words='' names=app ;;
    *' --cell'|'/explain cell') words='' names=cell ;;
  esac
  for word in $COMP_LINE; do
    [[ $last == --batond ]] && batond="$word"
    [[ $word == --batond=* ]] && batond="${word#--batond=}"
    [[ $last == --tls ]] && tls="$word"
    [[ $word == --tls=* ]] && tls="${word#--tls=}"
    [[ $last == --context ]] && context="$word"
    [[ $word == --context=* ]] && context="${word#--context=}"
    last="$word"
  done
  if [[ -n $names && $current != -* ]]; then
    words+=" $("${COMP_WORDS[0]}" ${batond:+--batond "$batond"} ${tls:+--tls "$tls"} ${context:+--context "$context"} --timeout 1s __names "$names" 2>/dev/null)"
  fi
)sh";

constexpr char kReply[] = R"sh(  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
)sh";

}  // namespace

std::string BashCompletion(const CLI::App& app) {
  std::string function = "_" + app.get_name();
  std::ranges::replace(function, '-', '_');
  const bool asks_names =
      !app.get_subcommands([](const CLI::App* sub) { return sub->get_name() == "__names"; }).empty();
  std::string paths;
  std::string cases;
  AddCases(app, "", paths, cases);
  std::string script = "# bash completion for " + app.get_name() + "\n";
  script += function + "() {\n  local word path='' words='' names='' kind='' last='' batond='' tls='' context=''\n";
  script += "  local current=\"${COMP_WORDS[COMP_CWORD]}\"\n";
  script += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  script += "    case \"$path/$word\" in\n      " + (paths.empty() ? "/" : paths) + ") path=\"$path/$word\" ;;\n";
  script += "      */app|*/apps) kind=app ;; */cell|*/cells) kind=cell ;; */roll|*/rolls) kind=roll ;;\n    esac\n  done\n";
  script += "  case \"$path\" in\n" + cases + "  esac\n";
  const std::string words = WordsOf(app);
  script += "  [[ -n $path ]] && words+=' " + words.substr(words.find("--")) + "'\n";
  std::string values;
  AddValues(app, "", values);
  script += "  case \"$path ${COMP_WORDS[COMP_CWORD-1]}\" in\n" + values + "  esac\n";
  return script + (asks_names ? kNames : "") + kReply + "complete -o default -F " + function + " " + app.get_name() +
         "\n";
}

std::string ZshCompletion(const CLI::App& app) {
  return "#compdef " + app.get_name() + "\nautoload -U +X bashcompinit && bashcompinit\n" + BashCompletion(app);
}

}  // namespace baton::cli
