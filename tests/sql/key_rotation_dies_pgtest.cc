// PostgreSQL dies before a statement of a rotation, and comes back; the same leader goes on with it.
#include "schema/migrator/migrator.h"
#include "tests/fakes/statement_sample.h"
#include "tests/fakes/test_postgres.h"
#include "tests/sql/key_rotation_test.h"

namespace baton::testing {
namespace {

struct OnItsOwnPostgres {
  TestPostgres postgres_;
};

class RotationOnItsOwnPostgres : protected OnItsOwnPostgres, public KeyRotationTest {
 protected:
  RotationOnItsOwnPostgres() : KeyRotationTest(Migrated(postgres_.NewDatabase())) {}
};

TEST_F(RotationOnItsOwnPostgres, GoesOnAfterItsDeathBeforeAStatement) {
  Seed(1);
  const Blobs before = Read("a");
  std::string from = "a", to = "b";
  ASSERT_EQ(Rotate("a"), RotationState::kDone);
  int died = 0;
  bool met = true;
  StatementSample next(13);
  for (int n = next(); met; n = next()) {
    postgres_.DieBefore(n);
    std::string refused;
    auto process = Lead(to + from, &refused);
    int failures = 0;
    if (!process) ++failures, process = Lead(to + from);
    ASSERT_TRUE(process) << n << ": " << refused;
    for (RotationState state = RotationState::kWorking; state == RotationState::kWorking;) {
      const auto progress = process->store->Step(2);
      if (progress) state = progress->state;
      if (progress) continue;
      ASSERT_EQ(++failures, 1) << n << ": " << progress.error().message;
      ASSERT_EQ(Read(to + from), before) << "every blob opens, wherever it stopped";
    }
    met = postgres_.StopDying();
    died += met ? 1 : 0;
    EXPECT_EQ(failures, met ? 1 : 0) << n;
    ExpectAllSealedWith(to);
    ASSERT_EQ(Read(to), before) << n;
    ASSERT_TRUE(Is("(SELECT retired_at IS NOT NULL FROM key_labels WHERE label = '" + from + "')")) << n;
    std::swap(from, to);
  }
  EXPECT_GT(died, 4);
  std::printf("rotation resumed after PostgreSQL's death at %d statements\n", died);
}

}  // namespace
}  // namespace baton::testing
