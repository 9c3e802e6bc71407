#include "tests/fakes/small_disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>

#include "orchestrator/base/check.h"
#include "orchestrator/base/unique_fd.h"
#include "tests/fakes/test_cluster.h"
#include "tools/embedded_postgres/command.h"
#include "tools/stack/wait_for.h"

namespace baton {
namespace {

constexpr std::chrono::seconds kUnmountPatience{10};

// As in fs/ext4/ext4.h, which is no header for programs: without the journal, as when power is lost.
constexpr unsigned long kShutdown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t kWithoutJournal = 2;

}  // namespace

SmallDisk::SmallDisk(std::string at, int mebibytes) : at_(std::move(at)), image_(MakeClusterDir("baton-disk")) {
  const std::string image = image_ + "/disk";
  CHECK(UniqueFd(open(image.c_str(), O_CREAT | O_CLOEXEC | O_WRONLY, 0600)).valid());
  std::filesystem::resize_file(image, static_cast<std::uintmax_t>(mebibytes) << 20);
  const auto made = RunCommand({"/sbin/mkfs.ext4", "-q", "-F", "-m", "0", image}, {});
  CHECK(made.ok() && made->exit_status == 0);
  Mount();
}

SmallDisk::~SmallDisk() {
  if (mounted_) (void)umount2(at_.c_str(), MNT_DETACH);
  std::filesystem::remove_all(image_);
}

void SmallDisk::Mount() {
  std::filesystem::create_directories(at_);
  const auto done = RunCommand({"/bin/mount", "-o", "loop", image_ + "/disk", at_}, {});
  CHECK(done.ok());
  mounted_ = done->exit_status == 0;
  if (!mounted_) why_ = done->output;
}

// Whoever has a file of it open is about to end.
void SmallDisk::Unmount() {
  ASSERT_TRUE(stack::WaitFor(kUnmountPatience, {}, [&] { return umount2(at_.c_str(), 0) == 0; }))
      << std::strerror(errno);
  mounted_ = false;
}

void SmallDisk::Fill() const {
  const UniqueFd file(open(Path("filler").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  ASSERT_TRUE(file.valid()) << std::strerror(errno);
  for (const std::size_t size : {1UL << 20, 4096UL}) {
    const std::string block(size, 'x');
    while (write(file.get(), block.data(), block.size()) > 0) {
    }
    EXPECT_EQ(errno, ENOSPC);
  }
}

void SmallDisk::Free() const { ASSERT_TRUE(std::filesystem::remove(Path("filler"))); }

void SmallDisk::PowerOff() const {
  const UniqueFd root(open(at_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::uint32_t how = kWithoutJournal;
  ASSERT_EQ(ioctl(root.get(), kShutdown, &how), 0) << std::strerror(errno);
}

// A program beside this one may have a mount namespace of its own, in which the file system that lost its power is mounted still: to
// mount its file again would give that one, which answers EIO. A copy has what was written, and is a disk of its own.
void SmallDisk::PowerOn() {
  Unmount();
  const std::string image = image_ + "/disk", copy = image_ + "/copy";
  const auto copied = RunCommand({"/bin/cp", "--sparse=always", image, copy}, {});
  CHECK(copied.ok() && copied->exit_status == 0);
  std::filesystem::rename(copy, image);
  Mount();
  ASSERT_TRUE(mounted_) << why_;
}

}  // namespace baton
