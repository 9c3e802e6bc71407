// Reads: what the database refuses is UNAVAILABLE for the caller, and in the log in full.
#include "sql/pg_reader.h"
#include "sql/pg_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "tests/fakes/pg_fixture.h"

namespace baton {
namespace {

using testing::HasSubstr;

class KeptLog final : public Log {
 public:
  void Write(LogLevel, std::string_view event, std::initializer_list<LogField> fields) override {
    const std::lock_guard lock(mutex_);
    text_ += std::string(event);
    for (const LogField& field : fields) {
      if (const auto* value = std::get_if<std::string_view>(&field.value)) text_ += " " + std::string(*value);
    }
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

TEST(Reads, AFailedReadIsUnavailableAndLoggedInFull) {
  const std::string url = MigratedDatabase();
  KeptLog log;
  PgReads reads(url, 1, log);
  const auto read = [&] {
    std::promise<Error> answer;
    reads.Run([&](Result<Reader*> reader) {
      const auto cells = reader ? (*reader)->ListCells() : Result<std::vector<CellRecord>>(reader.error());
      answer.set_value(cells ? Error{} : cells.error());
    });
    return answer.get_future().get();
  };
  EXPECT_EQ(read().message, "");
  EXPECT_EQ(log.text(), "");
  (void)OpenSession(url)->Transact(Session::Isolation::kReadCommitted, [](Session& session) {
    session.RunScript("ALTER TABLE cells RENAME TO cells_elsewhere");
    return true;
  });
  const Error refused = read();
  EXPECT_EQ(refused.kind, ErrorKind::kUnavailable);
  EXPECT_THAT(refused.message, testing::Not(HasSubstr("cells")));
  EXPECT_THAT(log.text(), HasSubstr("read_failed 42P01 "));
  EXPECT_THAT(log.text(), HasSubstr("\"cells\" does not exist"));
}

}  // namespace
}  // namespace baton
