// Each stored column of an app's rows, broken in each way, against each way to read.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "tests/server/corruption_fixture.h"
#include "tests/server/key_file.h"

namespace baton {
namespace {

class CorruptionMatrix : public Corruption {
 protected:
  using Corruption::Corruption;
  // Each column of these types.
  void BreakEach(const std::function<bool(const std::string& type)>& wanted) {
    Keep();
    int corruptions = 0, refused = 0;
    for (const Column& column : Columns()) {
      if (!wanted(column.type)) continue;
      const auto ways = WaysOf().find(column.type);
      ASSERT_NE(ways, WaysOf().end()) << column.table << "." << column.name << " is a " << column.type;
      for (const Damage& way : ways->second) {
        const std::string what = column.table + "." + column.name + ": " + way.name;
        if (what == "desired_lrps.instances: 0") continue;  // that is no fault: its instances go
        SCOPED_TRACE(what);
        if (!Break(column, With(way.sql, column.name))) {
          ++refused;
          continue;
        }
        ++corruptions;
        ExpectOthersUnharmed();
        PutBack();
      }
    }
    std::cout << "corruption matrix: " << corruptions << " corruptions (" << refused << " more the schema refuses), " << reads_
              << " reads" << std::endl;
    EXPECT_GE(corruptions, 100);
  }
};

TEST_F(CorruptionMatrix, OfOneBlobHarmsNobodyElse) {
  BreakEach([](const std::string& type) { return type == "bytea"; });
}

TEST_F(CorruptionMatrix, OfOneOtherColumnHarmsNobodyElse) {
  BreakEach([](const std::string& type) { return type != "bytea"; });
}

class CorruptionOfSealed : public CorruptionMatrix {
 protected:
  CorruptionOfSealed() : CorruptionMatrix(WithKeys()) { keys_ = KeyFile(); }
  static std::string KeyFile() { return "/tmp/baton-corruption-keys-" + std::to_string(getpid()); }
  static batond::ServiceOptions WithKeys() {
    WriteKeyFile(KeyFile());
    batond::ServiceOptions options;
    options.keys = KeyFile();
    return options;
  }
  ~CorruptionOfSealed() override { std::filesystem::remove(KeyFile()); }
};

TEST_F(CorruptionOfSealed, OfOneBlobHarmsNobodyElse) {
  BreakEach([](const std::string& type) { return type == "bytea"; });
}

}  // namespace
}  // namespace baton
