// The options that an operator gives a cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/model/definition.h"
#include "tools/cell/machine/ports.h"
#include "tools/client/channel.h"

namespace baton::cell {

struct CellOptions {
  std::string id;
  std::string dir;                  // absolute
  ClientCredentials credentials;
  std::vector<std::string> batond;  // tried one after the other
  std::string zone;
  std::string address = "127.0.0.1";
  PortRange ports;
  Resources capacity;
  std::vector<std::string> stacks{"host:"};
  std::vector<std::string> placement_tags;
  std::string shim_path;
  std::string cgroup;  // "": a scope of systemd, or below our own; "none": none; else a path
  std::int64_t grace_ms = 10'000;
  bool allow_root_apps = false;  // where the cell is root
  std::string download_dir;      // absolute; file: URLs lead below it; empty: to nowhere
  std::int64_t download_mb = 4096;  // most of one download where the app has no disk_mb
  std::vector<std::string> download_allow;  // "127.0.0.0/8": downloads may come from there, too
  std::string download_proxy;               // URL; empty: none
  bool stop_instances_on_exit = false;
  bool accept_store = false;  // whatever store the first leader leads
};

inline constexpr std::size_t kDeadKept = 20;

}  // namespace baton::cell
