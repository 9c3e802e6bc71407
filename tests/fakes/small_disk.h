// A disk of a test's own: it can be filled to the last block, and lose its power. Needs root and a loop device.
#pragma once

#include <string>

namespace baton {

class SmallDisk {
 public:
  // Mounted at `at`, which is made if missing.
  SmallDisk(std::string at, int mebibytes);
  ~SmallDisk();
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  // Where it is not: what is to be said for a test that is skipped.
  const std::string& why() const { return why_; }
  std::string Path(const std::string& name) const { return at_ + "/" + name; }

  // To the last block; what was freed meanwhile as well.
  void Fill() const;
  void Free() const;
  // What no fsync has brought to the disk is gone, and every later write fails. The files stay open in those who have
  // them; they are to end before PowerOn.
  void PowerOff() const;
  // The file system is as the disk has it.
  void PowerOn();

 private:
  void Mount();
  void Unmount();

  std::string at_;
  std::string image_;
  std::string why_;
  bool mounted_ = false;
};

}  // namespace baton
