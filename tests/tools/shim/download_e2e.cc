// Downloads: fetched, checked, kept and unpacked by a real shim.
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/tools/shim/archives.h"
#include "tests/tools/shim/http_server.h"
#include "tests/tools/shim/shim_run.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/checksum.h"

namespace baton {
namespace {

using testing::Archive;
using testing::HttpServer;
using testing::ScratchDir;
using testing::Sh;
using testing::ShimRun;

std::string DownloadText(const std::string& from, const std::string& to, const std::string& more = "") {
  return "download_action { from: '" + from + "' to: '" + to + "' " + more + " }";
}

// Downloads in the set-up, shows `file` in the action.
std::string PlanText(const std::string& download, const std::string& file) {
  return "setup { " + download + " } action { " + Sh("cat " + file + "; exit 1") + " }";
}

class Downloads : public ::testing::Test {
 protected:
  std::string InFile(const std::string& bytes) {
    const std::string path = scratch_ / "archive";
    EXPECT_TRUE(WriteWholeFile(path, bytes).ok());
    return "file://" + path;
  }
  ScratchDir scratch_;
  const std::string tgz_ = Archive("tgz", {{"app/hello", "from the archive"}});
};

TEST_F(Downloads, UnpacksAnArchiveFromAFile) {
  ShimRun run(PlanText(DownloadText(InFile(tgz_), "."), "app/hello"));
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "from the archive\n");
}

TEST_F(Downloads, UnpacksTarAndZipIntoAFolder) {
  for (const char* kind : {"tar", "zip"}) {
    ShimRun run(PlanText(DownloadText(InFile(Archive(kind, {{"hello", kind}})), "deep/down"), "deep/down/hello"));
    ASSERT_EQ(run.Start(), 0);
    run.Finish();
    EXPECT_EQ(run.log(), std::string(kind) + "\n");
  }
}

TEST_F(Downloads, ComesByHttpWithTheRightChecksum) {
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  for (const std::string algorithm : {"md5", "sha1", "sha256"}) {
    Result<Checksum> sum = Checksum::Of(algorithm);
    sum->Add(tgz_);
    ShimRun run(PlanText(DownloadText(server.Url("/app.tgz"), ".",
                                      "checksum_algorithm: '" + algorithm + "' checksum_value: '" + sum->Hex() + "'"),
                         "app/hello"));
    ASSERT_EQ(run.Start(), 0);
    run.Finish();
    EXPECT_EQ(run.log(), "from the archive\n");
  }
  EXPECT_EQ(server.requests(), 3);
}

TEST_F(Downloads, WrongChecksumFailsAndNothingIsUnpacked) {
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  ShimRun run(PlanText(DownloadText(server.Url("/app.tgz"), ".", "checksum_algorithm: 'sha256' checksum_value: 'abcd'"),
                       "app/hello"));
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.failed_action, "setup: download of an archive");
  EXPECT_EQ(last.last_output, "download failed: wrong sha256 checksum: " + Sha256Of(tgz_) + " instead of abcd\n");
  EXPECT_FALSE(std::filesystem::exists(run.dir().Root() + "/app"));
}

TEST_F(Downloads, SaysWhyItFailedWithoutNamingTheUrl) {
  HttpServer server;
  ShimRun missing(PlanText(DownloadText(server.Url("/secret-path"), "."), "x"));
  ASSERT_EQ(missing.Start(), 0);
  EXPECT_EQ(missing.Finish().last_output, "download failed: HTTP 404\n");
  EXPECT_EQ(server.requests(), 1);
  server.Put("/busy", "", 503);
  ShimRun busy(PlanText(DownloadText(server.Url("/busy"), "."), "x"));
  ASSERT_EQ(busy.Start(), 0);
  EXPECT_EQ(busy.Finish().last_output, "download failed: HTTP 503\n");
  EXPECT_EQ(server.requests(), 4);  // tried again
}

TEST_F(Downloads, IsKeptForTheNextInstanceByItsCacheKeyAndChecksum) {
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  const std::string plan =
      PlanText(DownloadText(server.Url("/app.tgz"), ".",
                            "cache_key: 'app' checksum_algorithm: 'sha256' checksum_value: '" + Sha256Of(tgz_) + "'"),
               "app/hello");
  Launch launch;
  launch.cache_dir = scratch_ / "cache";
  for (int i = 0; i < 2; ++i) {
    ShimRun run(plan, launch);
    ASSERT_EQ(run.Start(), 0);
    run.Finish();
    EXPECT_EQ(run.log(), "from the archive\n");
  }
  EXPECT_EQ(server.requests(), 1);
  // A damaged entry is noticed and fetched again.
  for (const auto& entry : std::filesystem::directory_iterator(launch.cache_dir)) std::ofstream(entry.path()) << "junk";
  ShimRun run(plan, launch);
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "from the archive\n");
  EXPECT_EQ(server.requests(), 2);
}

TEST_F(Downloads, CachedDependenciesComeBeforeTheSetup) {
  ShimRun run("cached_dependencies { name: 'lifecycle' from: '" + InFile(tgz_) + "' to: 'lifecycle' } setup { " +
              Sh("cat lifecycle/app/hello") + " } action { " + Sh("exit 1") + " }");
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "from the archive\n");
}

TEST_F(Downloads, LeavesTheInstancesDirectoryByNoWay) {
  const std::string up = Archive("tar", {{"../up", "x"}});
  const std::string absolute = Archive("tar", {{"/tmp/baton-absolute", "x"}});
  for (const std::string& archive : {up, absolute}) {
    ShimRun run(PlanText(DownloadText(InFile(archive), "."), "x"));
    ASSERT_EQ(run.Start(), 0);
    EXPECT_EQ(run.Finish().failed_action, "setup: download of an archive");
  }
  EXPECT_FALSE(std::filesystem::exists("/tmp/baton-absolute"));
  // A name through a link of the archive's own replaces the link by a folder.
  ShimRun link(PlanText(
      DownloadText(InFile(Archive("tar", {{"link", "->/tmp"}, {"link/baton-through-link", "kept inside"}})), "."),
      "link/baton-through-link"));
  ASSERT_EQ(link.Start(), 0);
  link.Finish();
  EXPECT_EQ(link.log(), "kept inside\n");
  EXPECT_FALSE(std::filesystem::exists("/tmp/baton-through-link"));
  for (const char* to : {"..", "/tmp", "a/../../b"}) {
    ShimRun run(PlanText(DownloadText(InFile(tgz_), to), "x"));
    ASSERT_EQ(run.Start(), 0);
    EXPECT_EQ(run.Finish().last_output,
              std::string("download failed: 'to' is not a path below the instance's directory: ") + to + "\n");
  }
}

TEST_F(Downloads, WhatIsNoArchiveFails) {
  ShimRun run(PlanText(DownloadText(InFile("just a text\n"), "."), "x"));
  ASSERT_EQ(run.Start(), 0);
  EXPECT_TRUE(run.Finish().last_output.starts_with("download failed: neither tar nor zip"));
}

}  // namespace
}  // namespace baton
