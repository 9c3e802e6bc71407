#include "tools/definitions/findings.h"

#include <algorithm>

#include "baton/v2/event.pb.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/actions.h"
#include "orchestrator/wire/messages/definition.h"
#include "orchestrator/wire/stored/stored.h"

namespace baton::definitions {
namespace {

template <class T>
std::string FaultOf(const Result<T>& decoded) {
  return decoded ? "" : decoded.error().message;
}

// The columns in the clear that placement and routing go by, against what they were read off.
std::string ClearColumnsFault(const Definition& stored, const v1::DesiredLRPRunInfo& run) {
  const bool ports = std::ranges::equal(stored.ports, run.ports());
  if (ports && stored.needs == wire::NeedsOf(run)) return "";
  return std::string("its column ") + (ports ? "needs" : "ports") + " does not say what its run info says";
}

}  // namespace

std::string Sentence(const CheckFinding& finding) {
  std::string text;
  if (!finding.app.empty()) text += "app " + finding.app;
  if (!finding.identifier.empty()) text += (text.empty() ? "definition " : ", definition ") + finding.identifier;
  if (!text.empty()) text += ": ";
  return text + finding.fault + "; " + finding.remedy + ".";
}

std::vector<CheckFinding> DanglingReferences(const AppState& app) {
  std::vector<CheckFinding> findings;
  const auto look = [&](std::int64_t incarnation, const DefinitionId& id, const std::string& who, const char* remedy) {
    if (app.definitions.contains({incarnation, id})) return;
    findings.push_back({app.guid.str(), id.str(),
                        id.empty() ? who + " names no definition"
                                   : who + " refers to it, and it does not exist in incarnation " + std::to_string(incarnation),
                        remedy});
  };
  const auto look_if_named = [&](std::int64_t incarnation, const DefinitionId& id, const std::string& who, const char* remedy) {
    if (!id.empty()) look(incarnation, id, who, remedy);
  };
  if (app.desired) {
    const DesiredLrp& d = *app.desired;
    look(d.incarnation, d.active, "the desired row's active_definition",
         "restore it from a backup, or update the app to a new definition");
    look_if_named(d.incarnation, d.healthy, "the desired row's healthy_definition",
                  "restore it from a backup, or complete an update, which names another");
  }
  if (app.roll) {
    const std::string roll = "roll " + app.roll->id.str();
    look_if_named(app.roll->incarnation, app.roll->source, roll + " as its source",
                  "restore it from a backup; the roll cannot go back");
    look(app.roll->incarnation, app.roll->target, roll + " as its target",
         "restore it from a backup, or update the app to a new definition");
  }
  for (const auto& [id, lrp] : app.actuals) {
    look(lrp.incarnation, lrp.definition, "instance " + id.str(),
         "restore it from a backup, or stop the instance, which cannot be started again");
  }
  return findings;
}

std::optional<std::string> BlobFault(const Cipher& cipher, const BlobPlace& place, const std::string& sealed,
                                     const std::set<std::string>& labels, const PayloadCheck& check) {
  const auto info = InspectBlob(place, sealed);
  if (!info) return info.error().message;
  const auto at_place = [&](const std::string& fault) {
    return std::string(place.table) + "." + std::string(place.column) + " of " + std::string(place.key) + ": " + fault;
  };
  if (!info->label.empty() && !labels.contains(info->label)) {
    return at_place("it was sealed with a key that the table key_labels does not know");
  }
  const auto payload = cipher.Open(place, sealed);
  if (!payload) return payload.error().message;
  if (const std::string fault = check(*payload); !fault.empty()) return at_place(fault);
  return std::nullopt;
}

std::string RunInfoFault(const Definition& definition, const std::string& payload) {
  const auto message = wire::ToMessage(definition, payload);
  if (!message) return "the run info does not parse";
  const std::string hash = wire::ContentHash(*message);
  if (hash != definition.content_hash) {
    return "the content hash is " + hash + ", and " + definition.content_hash + " is stored";
  }
  return ClearColumnsFault(definition, message->run_info());
}

std::string RoutesFault(const std::string& payload) { return FaultOf(wire::DecodeRoutes(payload)); }

std::string MetricTagsFault(const std::string& payload) {
  return v2::StoredMetricTags().ParseFromString(payload) ? "" : "the stored metric tags do not parse";
}

std::string CredentialsFault(const std::string& payload) { return FaultOf(wire::DecodeCredentials(payload)); }
std::string StrategyFault(const std::string& payload) { return FaultOf(wire::DecodeStrategy(payload)); }
std::string NetInfoFault(const std::string& payload) {
  ActualLrp lrp;
  return FaultOf(wire::DecodeStart(payload, lrp));
}

std::string EventFault(const std::string& payload) {
  return v2::Event().ParseFromString(payload) ? "" : "the stored event does not parse";
}

std::string TextFault(const std::string& payload) { return wire::IsUtf8(payload) ? "" : "it is no UTF-8 text"; }
std::string AnyBytes(const std::string&) { return ""; }

}  // namespace baton::definitions
