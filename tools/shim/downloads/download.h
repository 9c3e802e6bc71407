// Fetching an archive, checking it, keeping it for the next instance, and unpacking it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "baton/v1/actions.pb.h"
#include "baton/v1/desired_lrp.pb.h"
#include "tools/shim/instance_dir.h"

namespace baton::shim {

struct Download {
  std::string from;  // http, https, or file (below file_dir); may hold a password: never printed
  std::string to;    // relative to the instance's root
  std::string cache_key;
  std::string checksum_algorithm;
  std::string checksum;   // empty: not checked, and then not kept either
  std::string user;       // fetches by http and https, and unpacks, as this one; empty: as we are
  std::string cache_dir;  // empty: nothing is kept
  std::string file_dir;   // file: URLs lead below it; empty: they are refused
  std::uint64_t bytes_max = 0;  // packed, and unpacked
  std::vector<std::string> allow;  // networks, as "127.0.0.0/8", that it may come from beside others' machines
  std::string proxy;               // of http and https; empty: none
};

// One that names no user unpacks as `app_user`: what it brings is the app's, and the app is not who we are.
Download DownloadOf(const v1::DownloadAction& action, const Launch& launch, const std::string& app_user);
v1::DownloadAction AsDownload(const v1::CachedDependency& dependency);

// In a process of its own, whose directory is the instance's root. Says on stdout why it failed; the exit code is 0
// or 1.
int RunDownload(const Download& download);

}  // namespace baton::shim
