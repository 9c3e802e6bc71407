#include "tools/cell/command_line.h"

#include "orchestrator/model/calls/allowed_hosts.h"
#include "orchestrator/model/version.h"
#include "tools/command_line/config_file.h"
#include "tools/command_line/one_of.h"
#include "tools/logging/log_prefix.h"

namespace baton::cell {
namespace {

// batond refuses every start that names another kind of address.
std::string OneIpAddress(const std::string& text) {
  return IpAddress::From(text) ? "" : "'" + text + "' is no IP address";
}

std::string NetworkOfAddresses(const std::string& text) {
  return IpNetwork::From(text) ? "" : "'" + text + "' is no ADDRESS/BITS, for example 127.0.0.0/8";
}

void AddTls(CLI::App& run, Arguments& arguments) {
  run.add_option(
         "--tls", arguments.tls,
         "Directory with ca.pem, cert.pem and key.pem of this cell (baton certs issue cell ID): mutual TLS to batond; "
         "changed files are taken up")
      ->type_name("DIR")
      ->envname("BATON_CELL_TLS");
  run.add_flag("--insecure-root", arguments.insecure_root,
               "Where the cell is root: run without --tls, too. Each process of the machine can then have anything run "
               "by root. For trying out only")
      ->envname("BATON_CELL_INSECURE_ROOT");
}

void AddDownloads(CLI::App& run, CellOptions& options) {
  run.add_option("--download-dir", options.download_dir,
                 "Directory below which file: URLs of downloads may lead; empty: file: is refused")
      ->envname("BATON_CELL_DOWNLOAD_DIR");
  run.add_option("--download-mb", options.download_mb,
                 "MiB that a download may have, packed and unpacked, for an app without disk_mb")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->envname("BATON_CELL_DOWNLOAD_MB");
  run.add_option("--download-allow", options.download_allow,
                 "Networks (127.0.0.0/8) that downloads may come from although they are loopback, link-local, "
                 "multicast or unspecified")
      ->check(NetworkOfAddresses)
      ->delimiter(',')
      ->envname("BATON_CELL_DOWNLOAD_ALLOW");
  run.add_option("--download-proxy", options.download_proxy,
                 "URL of the proxy that all http and https downloads go through; what it connects to is its own rule. "
                 "Default: none, whatever http_proxy in the environment says")
      ->envname("BATON_CELL_DOWNLOAD_PROXY");
}

void AddRun(CLI::App& app, Arguments& arguments) {
  CellOptions& options = arguments.options;
  CLI::App* run = app.add_subcommand("run", "Run the cell");
  run->configurable();
  options.batond = {kDefaultAddress};
  run->add_option("--id", options.id, "Name of this cell, which must be given; the same after each restart")
      ->envname("BATON_CELL_ID");
  run->add_option("--dir", options.dir, "Its directory, which must be given: instances, their files and logs")
      ->envname("BATON_CELL_DIR");
  run->add_option("--batond", options.batond, "Addresses of batond, tried in turn")
      ->delimiter(',')
      ->capture_default_str()
      ->envname("BATON_CELL_BATOND");
  AddTls(*run, arguments);
  run->add_option("--zone", options.zone, "Zone, for spreading")->envname("BATON_CELL_ZONE");
  run->add_option("--address", options.address, "IP address under which its instances are reached")
      ->check(OneIpAddress)
      ->capture_default_str()
      ->envname("BATON_CELL_ADDRESS");
  run->add_option("--ports", arguments.ports, "Host ports for instances; not shared with another cell of the machine")
      ->capture_default_str()
      ->envname("BATON_CELL_PORTS");
  run->add_option("--memory-mb", options.capacity.memory_mb, "Memory to give away, MiB; 0: that of the machine")
      ->envname("BATON_CELL_MEMORY_MB");
  run->add_option("--disk-mb", options.capacity.disk_mb, "Disk to give away, MiB; 0: what is free now")
      ->envname("BATON_CELL_DISK_MB");
  run->add_option("--pids", options.capacity.pids, "Processes to give away; 0: not limited")
      ->envname("BATON_CELL_PIDS");
  run->add_option("--containers", options.capacity.containers, "Instances; 0: 250")->envname("BATON_CELL_CONTAINERS");
  run->add_option("--stack", options.stacks, "Root file systems; one that ends in ':' stands for all of that scheme")
      ->delimiter(',')
      ->capture_default_str()
      ->envname("BATON_CELL_STACK");
  run->add_option("--tag", options.placement_tags, "Placement tags")->delimiter(',')->envname("BATON_CELL_TAG");
  run->add_option("--grace-ms", options.grace_ms, "From SIGTERM to SIGKILL where the leader does not say")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->envname("BATON_CELL_GRACE_MS");
  run->add_option("--cgroup", options.cgroup,
                  "cgroup v2 directory below which each instance gets one, with limits where it has controllers; "
                  "empty: a scope of systemd, or our own where there is no systemd; scope: that scope or none; none: no cgroups")
      ->envname("BATON_CELL_CGROUP");
  run->add_option("--shim", options.shim_path, "baton-shim; empty: beside this program")->envname("BATON_CELL_SHIM");
  run->add_flag("--allow-root-apps", options.allow_root_apps,
                "Where the cell is root: run apps as root, too, also those without a user. For trying out only")
      ->envname("BATON_CELL_ALLOW_ROOT_APPS");
  AddDownloads(*run, options);
  run->add_flag("--stop-instances-on-exit", options.stop_instances_on_exit,
                "On SIGTERM stop all instances before the end")
      ->envname("BATON_CELL_STOP_INSTANCES_ON_EXIT");
  run->add_flag("--accept-store", options.accept_store,
                "Once: obey the next leader, whatever store it leads and however low its epoch is");
  run->add_option("--metrics", arguments.metrics,
                  "HOST:PORT where Prometheus fetches /metrics, 127.0.0.1:9892 for example; default: nowhere")
      ->envname("BATON_CELL_METRICS");
  run->add_option("--log-level", arguments.log_level, "debug, info, warn or error")
      ->check(OneOf({"debug", "info", "warn", "error"}))
      ->capture_default_str()
      ->envname("BATON_CELL_LOG_LEVEL");
  run->add_option("--log-prefix", arguments.log_prefix, kLogPrefixWhat)
      ->check(OneOf(LogPrefixes()))
      ->capture_default_str()
      ->envname("BATON_CELL_LOG_PREFIX");
}

void AddReaders(CLI::App& app, Arguments& arguments) {
  CLI::App* ps = app.add_subcommand("ps", "The instances, from the directory; works while the cell is down");
  ps->add_option("--dir", arguments.options.dir, "The cell's directory")->required()->envname("BATON_CELL_DIR");
  ps->add_option("-o,--output", arguments.output, "table or json")
      ->check(OneOf({"table", "json"}))
      ->capture_default_str();
  ps->add_flag("-a,--all", arguments.all, "The last dead ones too");
  CLI::App* logs = app.add_subcommand("logs", "The last output of an instance");
  logs->add_option("--dir", arguments.options.dir, "The cell's directory")->required()->envname("BATON_CELL_DIR");
  logs->add_option("ACTUAL_ID", arguments.actual_id, "Actual id, or instance guid")->required();
  logs->add_flag("--raw", arguments.raw, "Every byte as it was written, also what does something to a terminal");
}

}  // namespace

void Declare(CLI::App& app, Arguments& arguments) {
  TakeConfigFile(app, "File with the options as NAME = VALUE, under [run]", "BATON_CELL_CONFIG");
  app.set_version_flag("--version", std::string("baton-cell ") + kAppVersion);
  app.require_subcommand(1);
  AddRun(app, arguments);
  AddReaders(app, arguments);
}

// CLI11 asks at the end of the file's section, before it looks at the environment; so it is asked here.
void CheckComplete(const CLI::App& app, const Arguments& arguments) {
  if (!app.got_subcommand("run")) return;
  if (arguments.options.id.empty()) throw CLI::RequiredError("--id");
  if (arguments.options.dir.empty()) throw CLI::RequiredError("--dir");
}

}  // namespace baton::cell
