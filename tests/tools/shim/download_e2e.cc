// Downloads: fetched, checked, kept and unpacked by a real shim.
#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "orchestrator/wire/stored/hash.h"
#include "tests/tools/shim/archives.h"
#include "tests/tools/shim/http_server.h"
#include "tests/tools/shim/shim_run.h"
#include "tools/shim/atomic_file.h"
#include "tools/shim/downloads/checksum.h"
#include "tools/shim/downloads/unpack.h"

namespace baton::shim {
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
  // What the shim says that it cannot do with this download.
  std::string Failure(const std::string& download, Launch launch) {
    ShimRun run(PlanText(download, "x"), std::move(launch));
    EXPECT_EQ(run.Start(), 0);
    return run.Finish().last_output;
  }
  std::string Failure(const std::string& download) { return Failure(download, launch_); }

  ScratchDir scratch_;
  Launch launch_ = {.download_dir = scratch_.path(), .download_mb = 1, .download_allow = {"127.0.0.1/32"}};
  const std::string tgz_ = Archive("tgz", {{"app/hello", "from the archive"}});
};

TEST_F(Downloads, UnpacksAnArchiveFromAFile) {
  ShimRun run(PlanText(DownloadText(InFile(tgz_), "."), "app/hello"), launch_);
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "from the archive\n");
}

TEST_F(Downloads, UnpacksTarAndZipIntoAFolder) {
  for (const char* kind : {"tar", "zip"}) {
    ShimRun run(PlanText(DownloadText(InFile(Archive(kind, {{"hello", kind}})), "deep/down"), "deep/down/hello"), launch_);
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
                         "app/hello"), launch_);
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
                       "app/hello"), launch_);
  ASSERT_EQ(run.Start(), 0);
  const ShimState last = run.Finish();
  EXPECT_EQ(last.failed_action, "setup: download of an archive");
  EXPECT_EQ(last.last_output,
            "download failed: wrong sha256 checksum: " + wire::Sha256Hex(tgz_) + " instead of abcd\n");
  EXPECT_FALSE(std::filesystem::exists(run.dir().Root() + "/app"));
}

TEST_F(Downloads, SaysWhyItFailedWithoutNamingTheUrl) {
  HttpServer server;
  ShimRun missing(PlanText(DownloadText(server.Url("/secret-path"), "."), "x"), launch_);
  ASSERT_EQ(missing.Start(), 0);
  EXPECT_EQ(missing.Finish().last_output, "download failed: HTTP 404\n");
  EXPECT_EQ(server.requests(), 1);
  server.Put("/busy", "", 503);
  ShimRun busy(PlanText(DownloadText(server.Url("/busy"), "."), "x"), launch_);
  ASSERT_EQ(busy.Start(), 0);
  EXPECT_EQ(busy.Finish().last_output, "download failed: HTTP 503\n");
  EXPECT_EQ(server.requests(), 4);  // tried again
}

TEST_F(Downloads, IsKeptForTheNextInstanceByItsCacheKeyAndChecksum) {
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  const std::string plan = PlanText(
      DownloadText(server.Url("/app.tgz"), ".",
                   "cache_key: 'app' checksum_algorithm: 'sha256' checksum_value: '" + wire::Sha256Hex(tgz_) + "'"),
      "app/hello");
  Launch launch = launch_;
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
              Sh("cat lifecycle/app/hello") + " } action { " + Sh("exit 1") + " }", launch_);
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "from the archive\n");
}

TEST_F(Downloads, LeavesTheInstancesDirectoryByNoWay) {
  const std::string up = Archive("tar", {{"../up", "x"}});
  const std::string absolute = Archive("tar", {{"/tmp/baton-absolute", "x"}});
  for (const std::string& archive : {up, absolute}) {
    ShimRun run(PlanText(DownloadText(InFile(archive), "."), "x"), launch_);
    ASSERT_EQ(run.Start(), 0);
    EXPECT_EQ(run.Finish().failed_action, "setup: download of an archive");
  }
  EXPECT_FALSE(std::filesystem::exists("/tmp/baton-absolute"));
  // A name through a link of the archive's own replaces the link by a folder.
  ShimRun link(PlanText(
      DownloadText(InFile(Archive("tar", {{"link", "->/tmp"}, {"link/baton-through-link", "kept inside"}})), "."),
      "link/baton-through-link"), launch_);
  ASSERT_EQ(link.Start(), 0);
  link.Finish();
  EXPECT_EQ(link.log(), "kept inside\n");
  EXPECT_FALSE(std::filesystem::exists("/tmp/baton-through-link"));
  for (const char* to : {"..", "/tmp", "a/../../b"}) {
    ShimRun run(PlanText(DownloadText(InFile(tgz_), to), "x"), launch_);
    ASSERT_EQ(run.Start(), 0);
    EXPECT_EQ(run.Finish().last_output,
              std::string("download failed: 'to' is not a path below the instance's directory: ") + to + "\n");
  }
}

TEST_F(Downloads, WhatIsNoArchiveFails) {
  ShimRun run(PlanText(DownloadText(InFile("just a text\n"), "."), "x"), launch_);
  ASSERT_EQ(run.Start(), 0);
  EXPECT_TRUE(run.Finish().last_output.starts_with("download failed: neither tar nor zip"));
}

// Archive A brings a link, B is unpacked "into" it: that was anywhere on the machine, as root.
TEST_F(Downloads, ALinkOfAnEarlierArchiveLeadsNowhere) {
  const ScratchDir outside;
  std::filesystem::create_directory(outside / "deep");
  HttpServer server;
  server.Put("/a", Archive("tar", {{"x", "->" + outside.path()}, {"y/z", "->" + outside.path()}}));
  server.Put("/b", Archive("tar", {{"planted", "here"}}));
  for (const std::string to : {"x", "x/deep", "x/new", "y/z"}) {
    ShimRun run("setup { serial_action { actions { " + DownloadText(server.Url("/a"), ".") + " } actions { " +
                    DownloadText(server.Url("/b"), to) + " } } } action { " + Sh("exit 1") + " }",
                launch_);
    ASSERT_EQ(run.Start(), 0);
    EXPECT_EQ(run.Finish().last_output, "download failed: 'to' is not a folder of the instance's directory: " + to +
                                            " cannot be opened: a part of it is a link, or no directory\n");
  }
  for (const char* planted : {"planted", "deep/planted", "new"}) {
    EXPECT_FALSE(std::filesystem::exists(outside / planted)) << planted;
  }
}

TEST_F(Downloads, FileUrlsLeadOnlyBelowTheDownloadDir) {
  const ScratchDir outside;
  ASSERT_TRUE(WriteWholeFile(outside / "secret", tgz_).ok());
  Launch none;
  EXPECT_EQ(Failure(DownloadText(InFile(tgz_), "."), none),
            "download failed: file: URLs are refused: the cell has no --download-dir\n");
  EXPECT_EQ(Failure(DownloadText("file://" + outside / "secret", ".")),
            "download failed: the file is not below --download-dir\n");
  // Neither by a link of the directory's own, nor by dots however they are written, nor with the name as a prefix.
  std::filesystem::create_symlink(outside / "secret", scratch_ / "link");
  std::filesystem::create_directory_symlink(outside.path(), scratch_ / "dir");
  const std::string name = outside.path().substr(5);
  for (const std::string& path : {std::string("/link"), std::string("/dir/secret"), "/%2e%2e/" + name + "/secret", "/..%2f" + name + "/secret"}) {
    EXPECT_TRUE(Failure(DownloadText("file://" + scratch_.path() + path, ".")).ends_with("not below --download-dir\n"))
        << path;
  }
}

TEST_F(Downloads, ARedirectLeadsToNoFile) {
  HttpServer server;
  server.Put("/app.tgz", tgz_);
  server.Redirect("/same", server.Url("/app.tgz"));
  server.Redirect("/file", InFile(tgz_));
  ShimRun run(PlanText(DownloadText(server.Url("/same"), "."), "app/hello"), launch_);
  ASSERT_EQ(run.Start(), 0);
  run.Finish();
  EXPECT_EQ(run.log(), "from the archive\n");
  EXPECT_EQ(Failure(DownloadText(server.Url("/file"), ".")), "download failed: it redirects to a scheme that is not followed\n");
}

TEST_F(Downloads, IsCutOffWhereItIsLargerThanItMayBe) {
  HttpServer server;
  const std::string large(3 << 20, 'x');
  server.Put("/said", large);
  server.PutOfUnknownLength("/unsaid", large);
  const std::string why = "download failed: it is larger than the 1 MiB that it may have\n";
  launch_.cache_dir = scratch_ / "cache";
  EXPECT_EQ(Failure(DownloadText(server.Url("/said"), ".")), why);
  EXPECT_EQ(Failure(DownloadText(server.Url("/unsaid"), ".")), why);
  EXPECT_EQ(Failure(DownloadText(InFile(large), ".")), why);
  EXPECT_EQ(server.requests(), 2) << "another try would not help";
  EXPECT_TRUE(std::filesystem::is_empty(launch_.cache_dir));
}

TEST_F(Downloads, UnpacksNoMoreThanItMayHave) {
  const std::string many = Archive("tgz", {{"a", std::string(700 << 10, '\0')}, {"b", std::string(700 << 10, '\0')}});
  ASSERT_LT(many.size(), 10'000u);
  EXPECT_EQ(Failure(DownloadText(InFile(many), ".")),
            "download failed: the archive holds more than the 1 MiB that it may have, unpacked\n");
  launch_.download_mb = 2;
  ShimRun fits(PlanText(DownloadText(InFile(many), "."), "a"), launch_);
  ASSERT_EQ(fits.Start(), 0);
  EXPECT_EQ(fits.Finish().failed_action, "action: run /bin/sh") << "there is room for both";
}

TEST_F(Downloads, UnpacksNoNamesOfMoreFoldersThanItMay) {
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "d/";
  EXPECT_EQ(Failure(DownloadText(InFile(Archive("tar", {{deep + "f", "x"}})), ".")),
            "download failed: the archive holds a name of more than 64 folders\n");
}

TEST_F(Downloads, UnpacksNoMoreEntriesThanItMay) {
  const std::filesystem::path before = std::filesystem::current_path();
  const UniqueFd file(memfd_create("archive", MFD_CLOEXEC));
  const std::string tar = Archive("tar", {{"a", "1"}, {"b", "2"}, {"c", "3"}});
  ASSERT_EQ(write(file.get(), tar.data(), tar.size()), static_cast<ssize_t>(tar.size()));
  std::filesystem::current_path(scratch_.path());
  lseek(file.get(), 0, SEEK_SET);
  EXPECT_TRUE(UnpackHere(file.get(), {.bytes_max = 3, .entries_max = 3}).ok());
  lseek(file.get(), 0, SEEK_SET);
  const Status refused = UnpackHere(file.get(), {.bytes_max = 3, .entries_max = 2});
  std::filesystem::current_path(before);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the archive holds more than 2 entries");
  EXPECT_EQ(UnpackLimits{}.entries_max, 200'000u);
}

// libarchive would take more, and for some of that it starts programs that it finds in PATH.
TEST_F(Downloads, UnpacksOnlyWhatIsNamed) {
  EXPECT_TRUE(Failure(DownloadText(InFile(Archive("tar.uu", {{"hello", "x"}})), ".")).starts_with(
      "download failed: neither tar nor zip"));
}

TEST_F(Downloads, WhatNamesNoUserIsUnpackedAsTheAppsUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another";
  for (const std::string& download :
       {"cached_dependencies { from: '" + InFile(tgz_) + "' to: 'deep/down' }",
        "setup { " + DownloadText(InFile(tgz_), "deep/down") + " }"}) {
    ShimRun run(download + " action { run_action { path: '/bin/true' dir: '/' user: 'nobody' } }", launch_);
    ASSERT_EQ(run.Start(), 0);
    run.Finish();
    for (const char* made : {"/deep", "/deep/down", "/deep/down/app/hello"}) {
      struct stat what {};
      ASSERT_EQ(stat((run.dir().Root() + made).c_str(), &what), 0) << run.log();
      EXPECT_EQ(what.st_uid, getpwnam("nobody")->pw_uid) << made;
    }
  }
}

}  // namespace
}  // namespace baton::shim
