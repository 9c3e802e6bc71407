#include "tools/manual/programs.h"

#include <algorithm>

#include "orchestrator/model/version.h"
#include "tools/baton/command_line.h"
#include "tools/baton/completion.h"
#include "tools/batond/command_line.h"
#include "tools/cell/command_line.h"
#include "tools/definitions/command_line.h"
#include "tools/manual/conf_file.h"
#include "tools/router/command_line.h"
#include "tools/web/command_line.h"

namespace baton::manual {
namespace {

using Show = std::function<void(CLI::App&)>;

template <class Arguments>
std::function<void(const Show&)> Made(const char* about, const char* name, void (*declare)(CLI::App&, Arguments&)) {
  return [=](const Show& show) {
    Arguments arguments;
    CLI::App app(about, name);
    declare(app, arguments);
    show(app);
  };
}

void WithBaton(const Show& show) {
  cli::Arguments arguments;
  cli::Command command;
  CLI::App app(cli::kAbout, "baton");
  cli::Declare(app, arguments, command);
  show(app);
}

Program Baton() {
  const ManFacts facts{
      .name = "baton",
      .section = 1,
      .exits = {{0, "Done"},
                {1, "batond refused it, or the roll failed, is held, or did not get where it was to go"},
                {2, "The command line or a file is wrong; nothing was sent"},
                {3, "No batond took the call in time"},
                {4, "What was listed lacks rows that cannot be read; standard error names them"}},
      .files = {{"~/.config/baton/contexts.yaml", "Where batond is, and who you are there: baton context"}},
      .see_also = {"baton-definitions(1)", "batond(8)", "baton-cell(8)", "baton-router(8)"}};
  return {facts, WithBaton};
}

Program Definitions() {
  const ManFacts facts{.name = "baton-definitions",
                       .section = 1,
                       .exits = {{0, "Done; with --check: all is well"},
                                 {1, "The database cannot be read, or --check found something"},
                                 {2, "The command line is wrong"}},
                       .files = {},
                       .see_also = {"baton(1)", "batond(8)"}};
  return {facts, Made(definitions::kAbout, "baton-definitions", definitions::Declare)};
}

Program Batond() {
  const ManFacts facts{
      .name = "batond",
      .section = 8,
      .exits = {{0, "It was told to stop, and has"},
                {1, "It cannot serve; the last line says why"},
                {2, "The command line or the file of --config is wrong"}},
      .files = {{"/etc/baton/batond.conf", "What batond.service gives --config"},
                {"/etc/baton/keys", "Keys of encryption at rest, root's alone (0600); batond.service hands them over"},
                {"/var/lib/baton/batond.state", "Which store it last saw, of which schema"}},
      .see_also = {"baton(1)", "baton-cell(8)", "baton-router(8)"}};
  return {facts, Made(batond::kAbout, "batond", batond::Declare)};
}

Program Cell() {
  const ManFacts facts{.name = "baton-cell",
                       .section = 8,
                       .exits = {{0, "It was told to stop, and has; instances go on"},
                                 {1, "It cannot run; the last line says why"},
                                 {2, "The command line or the file of --config is wrong"}},
                       .files = {{"/etc/baton/cell.conf", "What baton-cell.service gives --config"},
                                 {"/var/lib/baton-cell", "Instances, their files and logs"},
                                 {"/usr/libexec/baton/baton-shim", "The process beside each instance"}},
                       .see_also = {"baton(1)", "batond(8)", "baton-router(8)"}};
  return {facts, Made(cell::kAbout, "baton-cell", cell::Declare)};
}

Program Router() {
  const ManFacts facts{
      .name = "baton-router",
      .section = 8,
      .exits = {{0, "It was told to stop, and has"},
                {1, "It cannot run; the last line says why"},
                {2, "The command line or the file of --config is wrong"},
                {3, "status: a route is not served, as the pool is full or its TCP port is not there"}},
      .files = {{"/etc/baton/router.conf", "What baton-router.service gives --config"},
                {"/run/baton-router", "HAProxy's configuration and sockets"}},
      .see_also = {"baton(1)", "batond(8)", "baton-cell(8)", "haproxy(1)"}};
  return {facts, Made(router::kAbout, "baton-router", router::Declare)};
}

Program Web() {
  const ManFacts facts{.name = "baton-web",
                       .section = 8,
                       .exits = {{0, "It was told to stop, and has"},
                                 {1, "It cannot run; the last line says why"},
                                 {2, "The command line or the file of --config is wrong"}},
                       .files = {{"/etc/baton/web.conf", "What baton-web.service gives --config"}},
                       .see_also = {"baton(1)", "batond(8)"}};
  return {facts, Made(web::kAbout, "baton-web", web::Declare)};
}

std::string Of(const Program& program, const std::function<std::string(CLI::App&)>& print) {
  std::string text;
  program.with([&](CLI::App& app) { text = print(app); });
  return text;
}

}  // namespace

const std::vector<Program>& Programs() {
  static const std::vector<Program> kPrograms{Baton(), Definitions(), Batond(), Cell(), Router(), Web()};
  return kPrograms;
}

const Program* Find(const std::string& name) {
  const auto found = std::ranges::find(Programs(), name, [](const Program& one) { return one.facts.name; });
  return found == Programs().end() ? nullptr : &*found;
}

std::optional<std::string> PrintMan(const std::string& program) {
  const Program* found = Find(program);
  if (!found) return std::nullopt;
  return Of(*found, [&](CLI::App& app) { return ManPage(app, found->facts, kAppVersion); });
}

std::optional<std::string> PrintConf(const std::string& program) {
  const Program* found = Find(program);
  if (!found) return std::nullopt;
  const std::string file =
      Of(*found, [&](CLI::App& app) { return app.get_config_ptr() ? ConfFile(app, program) : ""; });
  return file.empty() ? std::nullopt : std::optional(file);
}

std::optional<std::string> PrintCompletion(const std::string& program, const std::string& shell) {
  const Program* found = Find(program);
  if (!found || (shell != "bash" && shell != "zsh")) return std::nullopt;
  return Of(*found,
            [&](CLI::App& app) { return shell == "bash" ? cli::BashCompletion(app) : cli::ZshCompletion(app); });
}

}  // namespace baton::manual
