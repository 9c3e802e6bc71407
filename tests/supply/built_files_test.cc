// What the built programs are made of, read from the files themselves: flags that somebody took out of CMake, or that a
// later one undid, show here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/supply/output_of.h"

namespace baton {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

bool Has(const std::string& text, const std::string& piece) { return text.find(piece) != std::string::npos; }

// The line that `piece` is in; empty: there is none.
std::string LineWith(const std::string& text, const std::string& piece) {
  const std::size_t at = text.find(piece);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

std::size_t Count(const std::string& bytes, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = bytes.find(piece); at != std::string::npos; at = bytes.find(piece, at + 1)) ++count;
  return count;
}

// Whether a name of `symbols` begins with "__" and ends with "_chk", as the C library's checked calls do.
bool HasCheckedCall(const std::string& symbols) {
  for (std::size_t at = symbols.find("_chk@"); at != std::string::npos; at = symbols.find("_chk@", at + 1)) {
    const std::size_t begin = symbols.rfind(' ', at) + 1;
    if (symbols.compare(begin, 2, "__") == 0) return true;
  }
  return false;
}

// What a file of a program lacks.
std::vector<std::string> Lacks(const std::string& file) {
  const std::string read = OutputOf("readelf -W -h -l -d --dyn-syms '" + file + "' 2>/dev/null");
  std::vector<std::string> lacks;
  const auto want = [&](bool there, const char* what) {
    if (!there) lacks.push_back(what);
  };
  want(Has(read, "ELF Header"), "readelf can read it");
  want(Has(LineWith(read, "Type: "), "DYN") && Has(LineWith(read, "(FLAGS_1)"), "PIE"), "PIE");
  want(Has(read, "GNU_RELRO"), "RELRO");
  want(Has(LineWith(read, "(FLAGS_1)"), "NOW"), "BIND_NOW");
  const std::string stack = LineWith(read, "GNU_STACK");
  want(!stack.empty() && !Has(stack, "RWE"), "a stack that is not executed");
  want(!Has(read, "(RPATH)") && !Has(read, "(RUNPATH)"), "no rpath");
  want(Has(read, "__stack_chk_fail"), "a canary on the stack");
#ifndef BATON_SANITIZED
  want(HasCheckedCall(read), "checked calls (_FORTIFY_SOURCE)");
#endif
#ifdef __x86_64__
  // Not the note: the linker leaves it out as long as Debian's crt1.o has none. endbr64 at a function's begin is what the
  // compiler writes for it; what the C library brings along has a few.
  want(Count(OutputOf("cat '" + file + "'"), "\xf3\x0f\x1e\xfa") > 4, "CET's landing pads (-fcf-protection)");
#endif
  return lacks;
}

std::vector<std::string> Programs() {
  std::vector<std::string> programs;
  std::ifstream list(BATON_PROGRAMS);
  for (std::string line; std::getline(list, line);) programs.push_back(line);
  return programs;
}

TEST(BuiltFiles, EachProgramIsHardened) {
  for (const std::string& program : Programs()) EXPECT_THAT(Lacks(program), IsEmpty()) << program;
}

TEST(BuiltFiles, TheListHasThePrograms) {
  for (const char* name : {"batond", "baton", "baton-cell", "baton-shim", "baton-router", "baton-definitions"}) {
    EXPECT_THAT(Programs(), Contains(::testing::EndsWith(std::string("/bin/") + name)));
  }
}

TEST(BuiltFiles, OneThatIsBuiltWithoutIsFound) {
  EXPECT_THAT(Lacks(BATON_SPECIMENS "/supply_good"), IsEmpty());
  std::vector<std::string> lacks = {"PIE", "RELRO", "BIND_NOW", "a stack that is not executed", "no rpath", "a canary on the stack"};
#ifndef BATON_SANITIZED
  lacks.push_back("checked calls (_FORTIFY_SOURCE)");
#endif
#ifdef __x86_64__
  lacks.push_back("CET's landing pads (-fcf-protection)");
#endif
  EXPECT_EQ(Lacks(BATON_SPECIMENS "/supply_bad"), lacks);
  EXPECT_THAT(Lacks("/dev/null"), Contains("readelf can read it"));
}

}  // namespace
}  // namespace baton
