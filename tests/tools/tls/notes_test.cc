// What a service says of its certificates.
#include "tools/tls/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/tls/pki.h"

namespace baton {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Events final : public Log {
 public:
  void Write(LogLevel, std::string_view event, std::initializer_list<LogField>) override { said.emplace_back(event); }
  std::vector<std::string> said;
};

class Gauge final : public Metrics {
 public:
  void Count(std::string_view, std::string_view, double) override {}
  void Set(std::string_view name, double value, std::string_view) override {
    EXPECT_EQ(name, "baton_tls_certificate_expires_seconds");
    left = value;
  }
  void Observe(std::string_view, double, std::string_view) override {}
  double left = 0;
};

class TlsNotes : public ::testing::Test {
 protected:
  // Of a certificate that began and ends so many days from now.
  tls::Material Used(int from, int to) const {
    tls::Wanted wanted = pki_.Good(Role::kCell, "c1");
    wanted.validity = Pki::Days(from, to);
    auto read = tls::ReadMaterial(pki_.With(wanted), {Role::kCell}, tls::Now());
    EXPECT_TRUE(read);
    return *std::move(read);
  }

  Pki pki_;
  Events log_;
  Gauge gauge_;
  Tls::Options noted_ = NotedTls("", Role::kCell, log_, &gauge_);
};

TEST_F(TlsNotes, TheLastFifthOfALifeIsWarnedOfOnceAnHour) {
  noted_.looked(Used(-20, 10));
  EXPECT_THAT(log_.said, IsEmpty());
  EXPECT_NEAR(gauge_.left, 10 * 86'400, 60);
  const tls::Material old = Used(-27, 3);
  for (int i = 0; i < 100; ++i) noted_.looked(old);
  EXPECT_THAT(log_.said, ElementsAre("tls_certificate_ages"));
  EXPECT_NEAR(gauge_.left, 3 * 86'400, 60);
}

TEST_F(TlsNotes, ANewCertificateIsWarnedOfAnew) {
  noted_.looked(Used(-27, 3));
  noted_.changed(Used(-1, 30));
  noted_.looked(Used(-27, 3));
  EXPECT_THAT(log_.said, ElementsAre("tls_certificate_ages", "tls_files_taken", "tls_certificate_ages"));
}

// Anybody with a certificate could fill the disk.
TEST_F(TlsNotes, RefusalsAreToldTenTimesASecond) {
  for (int i = 0; i < 1000; ++i) noted_.refused("nobody");
  EXPECT_THAT(log_.said, SizeIs(::testing::AllOf(::testing::Ge(10U), ::testing::Le(20U))));
}

}  // namespace
}  // namespace baton
