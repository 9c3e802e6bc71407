// How Baton asks libpq to reach a database.
#include "sql/session/database_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace baton {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DatabaseUrl, AServerThatVanishesIsNoticed) {
  EXPECT_EQ(WithTimeouts("host=/run dbname=baton"),
            "connect_timeout='5' dbname='baton' host='/run' keepalives_count='3' keepalives_idle='3' "
            "keepalives_interval='1' tcp_user_timeout='5000'");
}

TEST(DatabaseUrl, WhatIsSaidStays) {
  EXPECT_THAT(WithTimeouts("postgresql://me:p%27w%5C@db:6432/b?sslmode=require&connect_timeout=60"),
              AllOf(HasSubstr("connect_timeout='60'"), HasSubstr("host='db'"), HasSubstr("port='6432'"),
                    HasSubstr(R"(password='p\'w\\')"), HasSubstr("sslmode='require'"), HasSubstr("user='me'")));
}

TEST(DatabaseUrl, OfSeveralHostsThePrimaryIsLookedForAndNoneHoldsUpTheNextForLong) {
  for (const char* url :
       {"host=db1,db2 dbname=baton", "hostaddr=10.0.0.1,10.0.0.2", "postgresql://db1,db2:6432/baton"}) {
    EXPECT_THAT(WithTimeouts(url),
                AllOf(HasSubstr("connect_timeout='2'"), HasSubstr("target_session_attrs='read-write'")))
        << url;
  }
  EXPECT_THAT(WithTimeouts("host=db1,db2 target_session_attrs=any connect_timeout=3"),
              AllOf(HasSubstr("connect_timeout='3'"), HasSubstr("target_session_attrs='any'")));
}

TEST(DatabaseUrl, TwiceIsAsOnce) {
  const std::string once = WithTimeouts("host=a application_name='two words'");
  EXPECT_EQ(WithTimeouts(once), once);
}

TEST(DatabaseUrl, WhatLibpqCannotReadIsLeftToIt) { EXPECT_EQ(WithTimeouts("host"), "host"); }

// Variables of libpq's for one test: what it inherits does not count.
class DatabaseOfTheEnvironment : public ::testing::Test {
 protected:
  DatabaseOfTheEnvironment() { Forget(); }
  ~DatabaseOfTheEnvironment() override {
    Forget();
    std::filesystem::remove(service_file_);
  }
  static void Forget() {
    for (const char* name : kVariables) unsetenv(name);
  }
  void HaveService(const std::string& settings) {
    std::ofstream(service_file_) << "[baton]\n" << settings;
    setenv("PGSERVICEFILE", service_file_.c_str(), 1);
  }
  static std::string WhyNot(const std::string& url) {
    const auto checked = CheckedDatabase(url, /*insecure=*/false);
    return checked ? "" : checked.error().message;
  }
  // Where libpq goes by what was checked.
  static std::string Goes(const std::string& url) {
    const auto checked = CheckedDatabase(url, /*insecure=*/true);
    return checked ? *checked : checked.error().message;
  }

 private:
  static constexpr std::array kVariables{"PGHOST", "PGHOSTADDR", "PGPORT", "PGSSLMODE", "PGREQUIRESSL", "PGSERVICE", "PGSERVICEFILE"};
  const std::string service_file_ = ::testing::TempDir() + "baton-service-" + std::to_string(getpid());
};

TEST_F(DatabaseOfTheEnvironment, AnotherMachineTakesVerifiedTls) {
  for (const char* url :
       {"host=db.example dbname=baton", "postgresql://baton@db.example/baton", "host=10.0.0.5 sslmode=require", "host=localhost,db.example",
        "host=db.example sslmode=verify-ca", "hostaddr=10.0.0.5 host=localhost", "host=127.0.0.1.example",
        // Each place of the lists has its address, or else its host.
        "hostaddr=127.0.0.1,10.0.0.5 host=localhost,localhost", "hostaddr=127.0.0.1, host=localhost,db.example",
        "postgresql://localhost,db.example/baton", "postgresql://localhost/baton?hostaddr=10.0.0.5"}) {
    EXPECT_THAT(WhyNot(url), HasSubstr("sslmode=verify-full")) << url;
    EXPECT_TRUE(CheckedDatabase(url, /*insecure=*/true).ok()) << url;
  }
  for (const char* url : {"dbname=baton", "host=/run/postgresql", "host=localhost", "host=127.0.0.1", "host=::1", "host=127.3.2.1,/run",
                          "hostaddr=127.0.0.1 host=db.example", "hostaddr=127.0.0.1, host=db.example,/run",
                          "postgresql://baton@localhost/baton", "host=db.example sslmode=verify-full",
                          "postgresql://baton@db.example/baton?sslmode=verify-full", "no url ="}) {
    EXPECT_EQ(WhyNot(url), "") << url;
  }
}

TEST_F(DatabaseOfTheEnvironment, APasswordThatIsTakenForTheHostIsNotShown) {
  EXPECT_THAT(WhyNot("postgresql://user:secret@part-secret@127.0.0.1/db"), AllOf(HasSubstr("%40"), Not(HasSubstr("secret"))));
}

TEST_F(DatabaseOfTheEnvironment, AVariableThatLeadsToAnotherMachineIsLookedAt) {
  constexpr char kUrl[] = "host=127.0.0.1 user=u dbname=x";
  setenv("PGHOSTADDR", "10.1.2.3", 1);
  EXPECT_THAT(WhyNot(kUrl), AllOf(HasSubstr("(10.1.2.3)"), HasSubstr("sslmode=verify-full")));
  EXPECT_THAT(WhyNot("host=/run/postgresql"), HasSubstr("(10.1.2.3)"));
  EXPECT_EQ(WhyNot("host=127.0.0.1 hostaddr=127.0.0.1"), "");
  EXPECT_EQ(WhyNot("host=db.example sslmode=verify-full"), "");
  setenv("PGSSLMODE", "verify-full", 1);
  EXPECT_EQ(WhyNot(kUrl), "");
  EXPECT_THAT(WhyNot("host=127.0.0.1 sslmode=prefer"), HasSubstr("(10.1.2.3)")) << "the url goes before the variable";
  Forget();
  setenv("PGHOST", "db.example", 1);
  EXPECT_THAT(WhyNot("dbname=x"), HasSubstr("(db.example)"));
  EXPECT_EQ(WhyNot(kUrl), "");
}

TEST_F(DatabaseOfTheEnvironment, WhatAServiceFileSaysIsLookedAt) {
  HaveService("hostaddr=10.1.2.3\nsslmode=require\n");
  EXPECT_THAT(WhyNot("service=baton host=127.0.0.1"), AllOf(HasSubstr("(10.1.2.3)"), HasSubstr("sslmode=verify-full")));
  EXPECT_EQ(WhyNot("service=baton sslmode=verify-full"), "");
  EXPECT_EQ(WhyNot("host=127.0.0.1"), "") << "a service that nobody names";
  setenv("PGSERVICE", "baton", 1);
  EXPECT_THAT(WhyNot("host=127.0.0.1"), HasSubstr("(10.1.2.3)"));
  unsetenv("PGSERVICE");
  HaveService("host=db.example\nsslmode=verify-full\n");
  EXPECT_EQ(WhyNot("service=baton user=baton_service"), "");
  EXPECT_THAT(WhyNot("service=baton sslmode=require"), HasSubstr("(db.example)"));
  HaveService("host=/run/postgresql\n");
  EXPECT_EQ(WhyNot("service=baton"), "");
  for (const char* url : {"service=another", "host=127.0.0.1 hostaddr=127.0.0.1,127.0.0.2", "host=127.0.0.1 sslmode=often"}) {
    EXPECT_THAT(WhyNot(url), HasSubstr("where --database leads cannot be made out")) << url;
  }
}

TEST_F(DatabaseOfTheEnvironment, NoVariableChangesWhatWasChecked) {
  const std::string here = Goes("dbname=x target_session_attrs=any");
  EXPECT_EQ(here, "dbname='x' host='' hostaddr='' port='5432' sslmode='prefer' target_session_attrs='any'");
  const std::string by_host = Goes("host=127.0.0.1");
  setenv("PGHOST", "db.example", 1);
  setenv("PGHOSTADDR", "10.1.2.3", 1);
  setenv("PGPORT", "1", 1);
  setenv("PGSSLMODE", "disable", 1);
  HaveService("host=db.example\nhostaddr=10.1.2.3\n");
  setenv("PGSERVICE", "baton", 1);
  EXPECT_EQ(Goes(here), here) << "libpq makes the same of it";
  EXPECT_EQ(Goes(by_host), by_host);
  EXPECT_EQ(WhyNot(here), "");
  EXPECT_EQ(Goes("user=u"), "host='db.example' hostaddr='10.1.2.3' port='1' sslmode='disable' user='u'");
}

}  // namespace
}  // namespace baton
