#include "orchestrator/wire/limits/cross_rules.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "baton/v2/desired_lrps_service.pb.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/routes.h"
#include "orchestrator/wire/messages/stands_within.h"

namespace baton::wire {
namespace {

using google::protobuf::Message;

template <class M>
std::string Checksum(const M& m) {
  if (m.checksum_algorithm().empty() == m.checksum_value().empty()) return {};
  return ": checksum_algorithm and checksum_value are given both or neither";
}

std::string Timeout(const v1::TimeoutAction& m) {
  if (m.timeout_ms() > 0 || m.deprecated_timeout_ns() > 0) return {};
  return ".timeout_ms is " + std::to_string(m.timeout_ms()) + "; it takes 1 at least";
}

std::string Reversed(const v1::PortRange& m) {
  if (m.start() <= m.end()) return {};
  return " goes from " + std::to_string(m.start()) + " to " + std::to_string(m.end()) + "; it goes upward";
}

std::string EgressPorts(const v1::SecurityGroupRule& m) {
  const bool ported = m.protocol() == "tcp" || m.protocol() == "udp";
  if (ported && m.ports().empty() == !m.has_port_range()) {
    return " is of " + m.protocol() + "; it takes ports or port_range, one of the two";
  }
  if (!ported && (!m.ports().empty() || m.has_port_range())) return " is of " + m.protocol() + ", which has no ports";
  return {};
}

std::string EgressIcmp(const v1::SecurityGroupRule& m) {
  const bool icmp = m.protocol() == "icmp" || m.protocol() == "icmpv6";
  if (icmp == m.has_icmp_info()) return {};
  return (icmp ? ".icmp_info is missing: protocol is " : ".icmp_info is given, and protocol is ") + m.protocol();
}

std::string Digest(const v1::ImageLayer& m) {
  const bool algorithm = m.digest_algorithm() != v1::ImageLayer::DigestAlgorithmInvalid;
  if (algorithm == m.digest_value().empty()) return ": digest_algorithm and digest_value are given both or neither";
  if (m.layer_type() == v1::ImageLayer::EXCLUSIVE && !algorithm)
    return " is EXCLUSIVE; it takes digest_algorithm and digest_value";
  return {};
}

std::string Device(const v1::VolumeMount& m) {
  return m.has_shared() != m.has_dedicated() ? "" : " takes one of shared and dedicated";
}

std::string Until(const v2::Stage& m) {
  if (m.until_case() == v2::Stage::kDurationMs || m.until_case() == v2::Stage::kVerdict || m.promotion()) return {};
  return " does not say until when: duration_ms, promotion: true, or verdict";
}

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

bool IsFile(const FieldDescriptor& field) { return field.message_type() == v1::File::descriptor(); }

// The fields of a kind in which a file may stand: found once, what else an app says is not looked at. For each thread its own.
const std::vector<const FieldDescriptor*>& WaysToFiles(const Descriptor& kind) {
  thread_local std::map<const Descriptor*, std::vector<const FieldDescriptor*>> known;
  const auto [at, unknown] = known.try_emplace(&kind);
  if (!unknown) return at->second;
  for (int i = 0; i < kind.field_count(); ++i) {
    const FieldDescriptor& field = *kind.field(i);
    const bool leads = IsFile(field) || (field.message_type() && StandsWithin(*field.message_type(), IsFile));
    if (leads) at->second.push_back(&field);
  }
  return at->second;
}

void CollectFiles(const Message& message, std::vector<const v1::File*>& files) {
  if (const auto* file = dynamic_cast<const v1::File*>(&message)) files.push_back(file);
  const auto& reflection = *message.GetReflection();
  for (const FieldDescriptor* field : WaysToFiles(*message.GetDescriptor())) {
    if (!field->is_repeated()) {
      if (reflection.HasField(message, field)) CollectFiles(reflection.GetMessage(message, field), files);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      CollectFiles(reflection.GetRepeatedMessage(message, field, i), files);
    }
  }
}

// On a cell the one that is written later would find a folder where its file is to be, or a file where its folder is.
std::string FileBelowFile(const v1::DesiredLRPRunInfo& m) {
  std::vector<const v1::File*> files;
  CollectFiles(m, files);
  std::set<std::filesystem::path> paths;
  for (const v1::File* file : files) {
    paths.insert(std::filesystem::path(file->path()).relative_path().lexically_normal());
  }
  for (const auto& path : paths) {
    for (auto above = path.parent_path(); !above.empty(); above = above.parent_path()) {
      if (paths.contains(above)) {
        return ": the file " + Shown(above.string()) + " is a directory of the file " + Shown(path.string());
      }
    }
  }
  return {};
}

// What else listens on a cell's machine is not for an app's owner to ask.
std::string ChecksOfPorts(const v1::DesiredLRPRunInfo& m) {
  const auto strange = [&](const v1::Check& check, const std::string& name) -> std::string {
    if (!check.has_tcp_check() && !check.has_http_check()) return {};
    const std::uint32_t port = check.has_tcp_check() ? check.tcp_check().port() : check.http_check().port();
    if (std::ranges::find(m.ports(), port) != m.ports().end()) return {};
    return ".check_definition." + name + (check.has_tcp_check() ? ".tcp_check" : ".http_check") + ".port is " +
           std::to_string(port) + ", which is none of ports";
  };
  const v1::CheckDefinition& all = m.check_definition();
  for (int i = 0; i < all.checks_size(); ++i) {
    if (auto broken = strange(all.checks(i), "checks[" + std::to_string(i) + "]"); !broken.empty()) return broken;
  }
  for (int i = 0; i < all.readiness_checks_size(); ++i) {
    const std::string name = "readiness_checks[" + std::to_string(i) + "]";
    if (auto broken = strange(all.readiness_checks(i), name); !broken.empty()) return broken;
  }
  return {};
}

template <class M>
std::string Credentials(const M& m) {
  if (m.image_username().empty() == m.image_password().empty()) return {};
  return ": image_username and image_password are given both or neither";
}

std::string MetricsGuid(const v2::DesiredLRP& m) {
  const std::string& guid = m.definition().run_info().metrics_guid();
  const auto tag = m.metric_tags().find("source_id");
  if (guid.empty() || tag == m.metric_tags().end() || tag->second.static_() == guid) return {};
  return ".definition.run_info.metrics_guid and metric_tags['source_id'] are not the same: they must be equal if both are given";
}

std::string RoutesToPorts(const v2::DesiredLRP& m) {
  const auto& ports = m.definition().run_info().ports();
  const auto routes = RoutesFrom(m.routes());
  if (!routes) return {};  // said where routes are read
  for (const MappedRoute& route : routes->mapped) {
    if (std::ranges::find(ports, route.port) != ports.end()) continue;
    return "routes: " + Name(route.route) + " leads to port " + std::to_string(route.port) +
           ", which is none of definition.run_info.ports";
  }
  return {};
}

std::string RoutesOfNew(const v2::DesireLRPRequest& m) {
  const std::string broken = RoutesToPorts(m.desired_lrp());
  return broken.empty() ? broken : ".desired_lrp." + broken;
}

std::string RoutesOfPlanned(const v2::PlanUpdateRequest& m) {
  const std::string broken = m.has_create() ? RoutesToPorts(m.create()) : "";
  return broken.empty() ? broken : ".create." + broken;
}

std::string SameGuid(const v2::UpdateDesiredLRPRequest& m) {
  const std::string& named = m.update().desired_lrp().process_guid();
  if (named.empty() || named == m.process_guid()) return {};
  return ".update.desired_lrp.process_guid is " + Shown(named) + ", process_guid is " + Shown(m.process_guid());
}

std::string SameInstances(const v2::DesiredLRPUpdate& m) {
  const int full = m.desired_lrp().instances();
  if (full == 0 || !m.has_instances() || full == m.instances()) return {};
  return ".desired_lrp.instances is " + std::to_string(full) + ", update.instances is " +
         std::to_string(m.instances()) + ": they must be equal if both are given";
}

std::string SameIdentifier(const v2::DesiredLRPUpdate& m) {
  const std::string& named = m.desired_lrp().definition().definition_identifier();
  if (named.empty() || m.update_identifier().empty() || named == m.update_identifier()) return {};
  return ".desired_lrp.definition.definition_identifier is " + Shown(named) + ", update.update_identifier is " +
         Shown(m.update_identifier()) + ": they must be equal if both are given";
}

std::string NamesADefinition(const v2::DesiredLRPUpdate& m) {
  if (m.update_identifier().empty() || m.desired_lrp().has_definition()) return {};
  return ".update_identifier names a definition, and update.desired_lrp.definition is missing";
}

// Of the message that the rule is about.
template <class M, std::string (*rule)(const M&)>
std::string Broken(const Message& message) {
  return rule(static_cast<const M&>(message));
}

template <class M, std::string (*rule)(const M&)>
CrossRule Of(const char* name, const char* says) {
  return {M::descriptor(), name, says, &Broken<M, rule>};
}

}  // namespace

const std::vector<CrossRule>& CrossRules() {
  static const std::vector<CrossRule> kRules = {
      Of<v1::DownloadAction, Checksum>("download.checksum",
                                       "`checksum_algorithm` and `checksum_value`: both or neither"),
      Of<v1::CachedDependency, Checksum>("dependency.checksum",
                                         "`checksum_algorithm` and `checksum_value`: both or neither"),
      Of<v1::TimeoutAction, Timeout>("timeout.nothing",
                                     "`timeout_ms`, or the deprecated `deprecated_timeout_ns`, is greater than 0"),
      Of<v1::PortRange, Reversed>("port_range.reversed", "`end` is not less than `start`"),
      Of<v1::SecurityGroupRule, EgressPorts>(
          "egress.ports", "tcp and udp have `ports` or `port_range`, one of the two; others have neither"),
      Of<v1::SecurityGroupRule, EgressIcmp>("egress.icmp", "icmp and icmpv6 have `icmp_info`; others do not"),
      Of<v1::ImageLayer, Digest>("layer.digest",
                                 "`digest_algorithm` and `digest_value`: both or neither; of an EXCLUSIVE layer both"),
      Of<v1::VolumeMount, Device>("volume.device", "one of `shared` and `dedicated`"),
      Of<v1::DesiredLRPRunInfo, FileBelowFile>("run_info.file_below_file",
                                               "no file of `volume_mounted_files`, of the app or of an action, is a directory of another"),
      Of<v1::DesiredLRPRunInfo, ChecksOfPorts>("run_info.check_ports",
                                               "each check of `check_definition` is of a port in `ports`"),
      Of<v2::Stage, Until>("stage.until", "says until when: `duration_ms`, `promotion: true`, or `verdict`"),
      Of<v2::DesiredLRP, Credentials>("app.credentials", "`image_username` and `image_password`: both or neither"),
      Of<v2::DesiredLRPUpdate, Credentials>("update.credentials",
                                            "`image_username` and `image_password`: both or neither"),
      Of<v2::DesiredLRP, MetricsGuid>(
          "app.metrics_guid", "the deprecated `metrics_guid` and the tag `source_id` are equal where both are given"),
      Of<v2::DesireLRPRequest, RoutesOfNew>("desire.route_ports", "each route leads to a port that the definition has"),
      Of<v2::PlanUpdateRequest, RoutesOfPlanned>("plan.route_ports",
                                                 "each route of `create` leads to a port that the definition has"),
      Of<v2::UpdateDesiredLRPRequest, SameGuid>("update.guid",
                                                "`update.desired_lrp.process_guid` is empty or the app's"),
      Of<v2::DesiredLRPUpdate, SameInstances>("update.instances",
                                              "`desired_lrp.instances` is 0 or `instances`, where that is given"),
      Of<v2::DesiredLRPUpdate, SameIdentifier>(
          "update.identifier",
          "`desired_lrp.definition.definition_identifier` is empty or `update_identifier`, where that is given"),
      Of<v2::DesiredLRPUpdate, NamesADefinition>("update.unnamed", "`update_identifier` comes with a definition"),
  };
  return kRules;
}

}  // namespace baton::wire
