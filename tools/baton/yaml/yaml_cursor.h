// A place in an app file: what is written there, and words about it that name file, line, column and key.
#pragma once

#include <yaml-cpp/yaml.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tools/baton/files/variables.h"

namespace baton::cli {

// What is wrong in a file, as one line "FILE:LINE:COLUMN: PATH: sentence". A reader that is many calls deep has nothing
// else to do than to end; ReadAppFile catches it, and nothing else sees it.
class FileFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What all places of one file share.
struct FileContext {
  std::string name;
  const Variables& variables;
};

// "FILE:LINE:COLUMN", both from 1.
std::string Place(const FileContext& context, const YAML::Mark& mark);

class YamlCursor {
 public:
  struct Entry;

  YamlCursor(const FileContext& context, const YAML::Node& node, std::string path = {}, int depth = 0);

  bool IsText() const { return node_.IsScalar(); }
  bool IsList() const { return node_.IsSequence(); }
  bool IsMap() const { return node_.IsMap(); }
  bool IsNull() const { return node_.IsNull(); }
  // As "!raw"; of what has none, "" or one that YAML gives itself.
  const std::string& tag() const { return node_.Tag(); }
  // The key that leads here, for example "definition.ports[1]".
  const std::string& path() const { return path_; }

  // The scalar as it is written, variables put in; of `!!binary BASE64`, the bytes. `expected` says in messages what should be
  // here.
  std::string Text(const std::string& expected) const;
  std::vector<YamlCursor> Items(const std::string& expected) const;
  // In the file's order. A key that is no text, or that is there twice, is a fault.
  std::vector<Entry> Entries(const std::string& expected) const;

  [[noreturn]] void Fail(const std::string& sentence) const;
  [[noreturn]] void FailExpected(const std::string& expected) const;

 private:
  const FileContext* context_;
  YAML::Node node_;
  std::string path_;
  int depth_;
};

struct YamlCursor::Entry {
  std::string key;
  // Stands on the key itself.
  YamlCursor at_key;
  YamlCursor value;
};

}  // namespace baton::cli
