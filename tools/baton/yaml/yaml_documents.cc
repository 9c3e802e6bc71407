#include "tools/baton/yaml/yaml_documents.h"

#include <yaml-cpp/eventhandler.h>

#include <optional>
#include <sstream>

namespace baton::cli {
namespace {

// yaml-cpp 0.7 takes a token that can begin nothing, a comma at the start of a line, for one document after the other without
// end: each begins where the one before did, and a file of three lines took all memory.
class ParserProgress final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (last_ == mark.pos) throw YAML::ParserException(mark, "nothing can begin here");
    last_ = mark.pos;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::optional<int> last_;
};

}  // namespace

std::vector<YAML::Node> ReadDocuments(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  ParserProgress progress;
  while (parser.HandleNextDocument(progress)) continue;
  return YAML::LoadAll(text);
}

}  // namespace baton::cli
