// A class is in one .cc.
#include "tests/tidy/class_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/tidy/read_file.h"

namespace baton::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ClassFiles, AClassIsKnownByItsMembers) {
  EXPECT_THAT(ClassesDefinedIn(R"source(
namespace grpc {
class Channel;
}
namespace baton::cell {
namespace {
class Local {
  void Run();
};
void Local::Run() { Other::Call(); }
const int kNow = Clock::Now();
std::string Free(const Other::Part& part) { return Other::Name(part); }
}  // namespace
Trash::Trash(int n) : n_(n) {}
Trash::~Trash() { Other::Call(); }
std::function<void(int)> Ports::Taker(int n) { return Other::Taker(n); }
baton::Result<std::vector<int>> Machine::Part::Look() const { return {}; }
template <class T>
void Box<T>::Put(T t) {}
std::unique_ptr<grpc::Channel> Dial(int n);
}  // namespace baton::cell
)source"),
              ElementsAre("baton::cell::Machine", "baton::cell::Ports", "baton::cell::Trash"));
}

TEST(ClassFiles, OneInTwoIsNamed) {
  const std::string begin = "namespace baton {\nvoid Cells::Begin() {}\n}\n";
  const std::string end = "namespace baton {\nvoid Cells::End() {}\n}\n";
  EXPECT_THAT(CheckClassFiles({{"a.cc", begin}, {"b.cc", end}}, {}),
              ElementsAre("baton::Cells: is in a.cc and in b.cc (one class, one .cc: name the second noun)"));
  EXPECT_THAT(CheckClassFiles({{"a.cc", begin}, {"b.cc", end}}, {"baton::Cells"}), IsEmpty());
  EXPECT_THAT(CheckClassFiles({{"a.cc", begin}, {"b.cc", "namespace baton::cell {\nvoid Cells::End() {}\n}\n"}}, {}),
              IsEmpty());
  EXPECT_THAT(CheckClassFiles({{"a.cc", begin}}, {"baton::Cells"}),
              ElementsAre("baton::Cells: is in one .cc by now, take it from the known ones"));
}

// Two are left: the cells' use cases by what they are about, and the upgrade, whose copying is no noun of its own yet.
TEST(ClassFiles, OfTheProductAreOneEach) {
  std::map<std::string, std::string> sources;
  for (const char* folder : {"convergence", "orchestrator", "schema", "sql", "tools"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(BATON_SOURCES) / folder)) {
      if (entry.path().extension() == ".cc")
        sources[std::filesystem::relative(entry.path(), BATON_SOURCES)] = Read(entry.path());
    }
  }
  std::size_t classes = 0;
  for (const auto& [path, text] : sources) classes += ClassesDefinedIn(text).size();
  EXPECT_GT(classes, 150U);
  EXPECT_THAT(CheckClassFiles(sources, {"baton::Cells", "baton::PgUpgrade"}), IsEmpty());
}

}  // namespace
}  // namespace baton::tidy
