#include "tools/baton/files/app_file.h"

#include <algorithm>
#include <sstream>

#include "tools/baton/yaml/message_reader.h"
#include "tools/baton/yaml/yaml_documents.h"

namespace baton::cli {
namespace {

// YAML takes the brace of ${NAME} within { } or [ ] for one of its own, and says only that its end is missing.
std::string Malformed(const std::string& text, const YAML::Exception& malformed) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= malformed.mark.line && std::getline(lines, line); ++i) continue;
  const auto at = static_cast<std::size_t>(std::max(malformed.mark.column, 0));
  // A mark may lie behind its line: yaml-cpp counts otherwise where there is a NUL.
  if (at > 0 && at <= line.size() && line.substr(at - 1, 2).starts_with("${")) {
    const std::string variable = line.substr(at - 1, line.find('}', at) - at + 2);
    return variable + " within { } or [ ] has to be quoted: \"" + variable + "\"";
  }
  return "malformed YAML: " + malformed.msg;
}

// What the server would refuse too, said with the place where it is missing.
void CheckComplete(const YamlCursor& at, const v2::DesiredLRP& app) {
  if (app.process_guid().empty()) at.Fail("guid is missing: the app's name");
  if (app.domain().empty()) at.Fail("domain is missing: who wants the app, for example 'demo'");
  if (!app.has_definition()) at.Fail("definition is missing: there is nothing to run");
  if (app.definition().resource().root_fs().empty()) {
    at.Fail("definition.root_fs is missing: for example 'host:any' or 'preloaded:cflinuxfs4'");
  }
  if (!app.definition().run_info().has_action()) at.Fail("definition.action is missing: there is nothing to run");
}

// What `describe` prints has the app's tag; no file that people write has one.
Origin OriginOf(const YAML::Node& document) {
  if (!document.IsMap()) return Origin::kWritten;
  const YAML::Node tag = document["modification_tag"];
  return tag && tag.IsMap() && tag["epoch"] ? Origin::kExported : Origin::kWritten;
}

AppFile ReadDocument(const FileContext& context, const YAML::Node& document) {
  const YamlCursor at(context, document);
  AppFile file;
  file.place = Place(context, document.Mark());
  MessageReader(OriginOf(document)).Read(at, file.app);
  const auto entries = at.Entries("a map");
  file.gives_instances = std::ranges::any_of(entries, [](const auto& entry) { return entry.key == "instances"; });
  if (!file.gives_instances) file.app.set_instances(1);
  CheckComplete(at, file.app);
  return file;
}

}  // namespace

Result<std::vector<AppFile>> ReadAppFile(const std::string& name, const std::string& text, const Variables& variables) {
  const FileContext context{name, variables};
  std::vector<AppFile> files;
  try {
    for (const YAML::Node& document : ReadDocuments(text)) {
      if (!document.IsNull()) files.push_back(ReadDocument(context, document));
    }
  } catch (const YAML::Exception& malformed) {
    return InvalidArgument(Place(context, malformed.mark) + ": " + Malformed(text, malformed));
  } catch (const FileFault& fault) {
    return InvalidArgument(fault.what());
  }
  if (files.empty()) return InvalidArgument(name + ": holds no app");
  return files;
}

}  // namespace baton::cli
