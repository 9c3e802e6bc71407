// No type's name is there twice in one namespace, and each program has its own.
#include "tests/tidy/type_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TypeNames, AreThoseOfDefinitionsInNamespaces) {
  EXPECT_THAT(TypesIn(R"cc(
#define HIDDEN \
                  class Hidden {}
                // class Comment {};
                namespace grpc {
                class Channel;
                }
                namespace baton::cell {
                enum class Phase : int { kOne };
                enum class Later : int;
                struct [[nodiscard]] Range {
                  struct Inner {};
                  int first = 61'000;
                  char quote = '"';
                };
                template <class T>
                class Box final : public Base<T> {};
                template <>
                struct hash<Range> {};
                struct Box::Part {};
                void Do(struct stat& s) {
                  struct Local {};
                  Say("class Text {");
                }
                namespace event {
                struct Ended {};
                }  // namespace event
                namespace {
                struct Private {};
                }  // namespace
                }  // namespace baton::cell
                struct Outside {};)cc"),
              ElementsAre("baton::cell::Phase", "baton::cell::Range", "baton::cell::Box", "baton::cell::event::Ended",
                          "Outside"));
}

TEST(TypeNames, AreThereOnceInANamespace) {
  const std::string ports = "namespace baton { class Ports {}; }";
  EXPECT_THAT(CheckTypeNames({{"a.h", ports}, {"b.h", "namespace baton { class Ports; struct Other {}; }"}}),
              IsEmpty());
  EXPECT_THAT(CheckTypeNames({{"a.h", ports}, {"b.h", "namespace baton::cell { class Ports {}; }"}}), IsEmpty());
  EXPECT_THAT(CheckTypeNames({{"a.h", ports}, {"b.cc", ports}}),
              ElementsAre("baton::Ports: is in a.h and in b.cc (one name, one type)"));
}

TEST(TypeNames, OfAProgramAreInItsNamespace) {
  EXPECT_THAT(
      CheckProgramNamespace("tools/cell/x.h", "namespace baton {\nclass Session;\n}\n}  // namespace baton::cell\n"),
      IsEmpty());
  EXPECT_THAT(CheckProgramNamespace("tools/client/x.h", "}  // namespace baton\n"), IsEmpty());
  EXPECT_THAT(CheckProgramNamespace("tools/cell/x.h", "namespace baton {\n}  // namespace baton\n"),
              ElementsAre("tools/cell/x.h:2: names of tools/cell/ are in baton::cell"));
}

TEST(TypeNames, OfTheSourcesKeepBoth) {
  std::map<std::string, std::string> sources;
  std::vector<std::string> faults;
  for (const char* folder : {"convergence", "examples", "orchestrator", "schema", "sql", "tests", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(BATON_SOURCES) / folder)) {
      const std::string ending = entry.path().extension();
      if (ending != ".cc" && ending != ".h") continue;
      const std::string path = fs::relative(entry.path(), BATON_SOURCES);
      for (const std::string& fault : CheckProgramNamespace(path, sources[path] = Read(entry.path())))
        faults.push_back(fault);
    }
  }
  EXPECT_GT(sources.size(), 300U);
  EXPECT_THAT(CheckTypeNames(sources), IsEmpty());
  EXPECT_THAT(faults, IsEmpty());
}

}  // namespace
}  // namespace baton::tidy
