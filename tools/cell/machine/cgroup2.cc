#include "tools/cell/machine/cgroup2.h"

#include <fcntl.h>
#include <unistd.h>

#include <sstream>

#include "orchestrator/base/unique_fd.h"
#include "tools/shim/atomic_file.h"

namespace baton::cell {
namespace {

std::vector<std::string> WordsOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string Cgroup2Mount() {
  std::istringstream mounts(shim::ReadWholeFile("/proc/self/mounts").value_or(""));
  std::string mounted;
  for (std::string line; std::getline(mounts, line);) {
    const std::vector<std::string> fields = WordsOf(line);
    if (fields.size() > 2 && fields[2] == "cgroup2") mounted = fields[1];
  }
  return mounted;
}

bool WriteCgroupValue(const std::string& path, const std::string& value) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  return file.valid() && write(file.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

std::vector<std::string> CgroupWords(const std::string& path) {
  return WordsOf(shim::ReadWholeFile(path).value_or(""));
}

}  // namespace baton::cell
