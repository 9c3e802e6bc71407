#include "tools/baton/files/app_files.h"

#include <fstream>
#include <iterator>

#include "tools/baton/outcome.h"

namespace baton::cli {
namespace {

std::string ReadAll(Io& io, const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path);
  std::istream& from = path == "-" ? io.in : file;
  std::string text{std::istreambuf_iterator<char>(from), {}};
  if (!file && path != "-") throw Failure(kUsage, "cannot read " + path + ": is there such a file?");
  return text;
}

}  // namespace

std::vector<AppFile> ReadAppFiles(Session& session) {
  Variables variables;
  for (const std::string& setting : session.arguments.settings) {
    if (const Status taken = AddVariable(setting, variables); !taken) throw Failure(kUsage, taken.error().message);
  }
  std::vector<AppFile> all;
  for (const std::string& path : session.arguments.files) {
    auto read = ReadAppFile(path == "-" ? "stdin" : path, ReadAll(session.io, path), variables);
    if (!read) throw Failure(kUsage, read.error().message);
    for (AppFile& file : *read) {
      for (const AppFile& before : all) {
        if (before.app.process_guid() != file.app.process_guid()) continue;
        throw Failure(kUsage,
                      file.place + ": app " + file.app.process_guid() + " is given at " + before.place + " already");
      }
      all.push_back(std::move(file));
    }
  }
  return all;
}

}  // namespace baton::cli
