#include "tools/baton/completion.h"

#include <vector>

namespace baton::cli {
namespace {

constexpr char kKinds[] = "apps instances cells rolls definitions";

// Subcommands and long options that may stand next below `app`.
std::string WordsOf(const CLI::App& app) {
  std::string words;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) words += sub->get_name() + " ";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_name(true) == "KIND") words += std::string(kKinds) + " ";
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  }
  return words;
}

void AddCases(const CLI::App& app, const std::string& path, std::string& paths, std::string& words) {
  words += "    '" + path + "') words='" + WordsOf(app) + "' ;;\n";
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string below = path + "/" + sub->get_name();
    paths += (paths.empty() ? "" : "|") + below;
    AddCases(*sub, below, paths, words);
  }
}

}  // namespace

std::string BashCompletion(const CLI::App& app) {
  std::string paths;
  std::string words;
  AddCases(app, "", paths, words);
  std::string script = "# bash completion for " + app.get_name() + "\n";
  script += "_baton() {\n  local word path='' words=''\n";
  script += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  script += "    case \"$path/$word\" in\n      " + paths + ") path=\"$path/$word\" ;;\n    esac\n  done\n";
  script += "  case \"$path\" in\n" + words + "  esac\n";
  script += "  [[ -n $path ]] && words+=' " + WordsOf(app).substr(WordsOf(app).find("--")) + "'\n";
  script += "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n";
  return script + "complete -o default -F _baton baton\n";
}

std::string ZshCompletion(const CLI::App& app) {
  return "#compdef baton\nautoload -U +X bashcompinit && bashcompinit\n" + BashCompletion(app);
}

}  // namespace baton::cli
