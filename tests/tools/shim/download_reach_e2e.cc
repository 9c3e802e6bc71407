// Where downloads may come from, by which way, and as whom they are fetched.
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/tools/shim/archives.h"
#include "tests/tools/shim/http_server.h"
#include "tests/tools/shim/shim_run.h"

namespace baton::shim {
namespace {

using testing::Archive;
using testing::HttpServer;
using testing::Sh;
using testing::ShimRun;

std::string Why(const std::string& address) {
  return "download failed: it leads to " + address +
         ", and downloads come from no loopback, link-local, multicast or unspecified address that baton-cell run "
         "--download-allow does not name\n";
}

class DownloadReach : public ::testing::Test {
 protected:
  // The output of a set-up that downloads it and an action that shows what was in it.
  static std::string OutputOf(const std::string& url, Launch launch) {
    ShimRun run("setup { download_action { from: '" + url + "' to: '.' } } action { " +
                    Sh("cat hello") + " }",
                std::move(launch));
    EXPECT_EQ(run.Start(), 0);
    return run.Finish().last_output;
  }

  const std::string tgz_ = Archive("tgz", {{"hello", "from the archive"}});
  const Launch here_ = {.download_allow = {"127.0.0.1/32"}};
};

// The set-up of any app asked what listens on the cell's loopback, and had its HTTP status for an answer.
TEST_F(DownloadReach, IsNoLoopbackUnlessTheCellIsToldSo) {
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  EXPECT_EQ(OutputOf(server.Url("/app.tgz"), {}), Why("127.0.0.1"));
  const std::string there = ":" + std::to_string(server.port()) + "/app.tgz";
  EXPECT_EQ(OutputOf("http://0x7f.1" + there, {}), Why("127.0.0.1")) << "however it is written";
  EXPECT_EQ(OutputOf("http://[::ffff:127.0.0.1]" + there, {}), Why("127.0.0.1"));
  EXPECT_EQ(OutputOf("http://0.0.0.0" + there, here_), Why("0.0.0.0")) << "which Linux takes for loopback";
  EXPECT_EQ(OutputOf("http://127.0.0.2" + there, here_), Why("127.0.0.2"));
  EXPECT_TRUE(OutputOf("http://localhost" + there, {}).starts_with("download failed: it leads to ")) << "nor by a name";
  EXPECT_EQ(server.requests(), 0);
  EXPECT_EQ(OutputOf(server.Url("/app.tgz"), here_), "from the archive\n");
}

TEST_F(DownloadReach, IsNoCloudsWordToItsMachine) {
  EXPECT_EQ(OutputOf("http://169.254.169.254/latest/meta-data/", here_), Why("169.254.169.254"));
  EXPECT_EQ(OutputOf("http://[fd00:ec2::254]/latest/meta-data/", here_), Why("fd00:ec2::254"));
}

TEST_F(DownloadReach, IsAskedAboutAtEachRedirect) {
  HttpServer server;
  HttpServer inside("127.0.0.2");
  inside.Put("/metrics", tgz_);
  server.Redirect("/app.tgz", inside.Url("/metrics"));
  server.Redirect("/deeper", server.Url("/app.tgz"));
  EXPECT_EQ(OutputOf(server.Url("/app.tgz"), here_), Why("127.0.0.2"));
  EXPECT_EQ(OutputOf(server.Url("/deeper"), here_), Why("127.0.0.2"));
  EXPECT_EQ(inside.requests(), 0);
  EXPECT_EQ(OutputOf(server.Url("/deeper"), {.download_allow = {"127.0.0.0/8"}}), "from the archive\n");
}

TEST_F(DownloadReach, IsThroughAProxyOnlyWhereTheCellIsToldSo) {
  HttpServer server;
  HttpServer proxy("127.0.0.3");
  server.Put("/app.tgz", tgz_);
  proxy.Put("http://apps.example/app.tgz", tgz_);
  const Launch by_proxy = {.download_proxy = proxy.Url("")};
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) setenv(name, proxy.Url("").c_str(), 1);
  EXPECT_EQ(OutputOf(server.Url("/app.tgz"), here_), "from the archive\n");
  EXPECT_EQ(proxy.requests(), 0) << "the environment is the cell's";
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) unsetenv(name);
  setenv("no_proxy", "*", 1);
  EXPECT_EQ(OutputOf("http://apps.example/app.tgz", by_proxy), "from the archive\n");
  EXPECT_EQ(OutputOf(server.Url("/app.tgz"), by_proxy), "download failed: HTTP 404\n") << "all go through it";
  unsetenv("no_proxy");
  EXPECT_EQ(proxy.requests(), 2);
}

TEST_F(DownloadReach, IsThatOfTheAppsUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another";
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  const auto fetch = [&](const std::string& path) {
    ShimRun run("setup { download_action { from: '" + server.Url(path) +
                    "' to: '.' } } action { run_action { path: '/bin/true' dir: '/' user: 'nobody' } }",
                here_);
    EXPECT_EQ(run.Start(), 0);
    const ShimState last = run.Finish();
    return last.last_output + run.RootFile("hello");
  };
  EXPECT_EQ(fetch("/app.tgz"), "from the archive");
  EXPECT_EQ(server.last_uid(), static_cast<long>(getpwnam("nobody")->pw_uid));
  EXPECT_EQ(fetch("/none"), "download failed: HTTP 404\n(none)") << "and says why";
  EXPECT_EQ(OutputOf(server.Url("/app.tgz"), here_), "from the archive\n");
  EXPECT_EQ(server.last_uid(), 0) << "of an app that runs as root";
}

}  // namespace
}  // namespace baton::shim
