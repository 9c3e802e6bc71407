#include <chrono>
#include <thread>

#include "baton/v2/admin_service.grpc.pb.h"
#include "tools/baton/outcome.h"
#include "tools/baton/session.h"
#include "tools/baton/yaml/proto_text.h"
#include "tools/words/table.h"
#include "tools/words/text.h"
#include "tools/words/times.h"

namespace baton::cli {
namespace {

constexpr auto kRotationPollInterval = std::chrono::milliseconds(300);

std::string LabelOr(const std::string& label, const char* empty) { return label.empty() ? empty : "key " + label; }

std::string Percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, share > 0 && share < 0.0001 ? "< 0.01 %%" : "%.2f %%", share * 100);
  return text;
}

std::string UseOf(const v2::KeyLabel& label) {
  if (label.active()) return "active";
  if (label.retired()) return label.known() ? "retired: may go from the key file" : "retired";
  if (!label.known()) return "MISSING from the key file";
  return label.encryptions() > 0 ? "in use until the rotation is done" : "not used yet";
}

std::string ProgressWords(const v2::KeyRotation& r) {
  const std::string target = r.target().empty() ? "plain" : "key " + r.target();
  if (r.state() == "done") return "done: all data is " + (r.target().empty() ? "plain" : "encrypted with " + target);
  std::string text = r.state() + ": to " + target + ", " + std::to_string(r.rows_done()) + " of " +
                     std::to_string(r.rows_total()) + " rows";
  if (r.rows_per_s() > 0) text += ", " + std::to_string(static_cast<std::int64_t>(r.rows_per_s())) + " a second";
  if (r.seconds_left() > 0) text += ", " + HumanDuration(static_cast<std::int64_t>(r.seconds_left() * 1000)) + " left";
  if (r.faults() > 0) text += "; " + std::to_string(r.faults()) + " blobs do not open";
  if (!r.last_error().empty()) text += "; " + r.last_error();
  return text;
}

std::string KeysWords(const v2::KeysResponse& keys) {
  std::string text = "Rotation: " + OneLine(ProgressWords(keys.rotation())) + "\n\n";
  Table labels{{"KEY", "ENCRYPTIONS", "OF 2^32", "ALL DATA", "USE"}, {}};
  for (const auto& label : keys.labels()) {
    labels.rows.push_back({label.label(), std::to_string(label.encryptions()), Percent(label.share()),
                           label.stored() ? "yes" : "", UseOf(label)});
  }
  const bool all_sealed = keys.rotation().state() == "done" && !keys.rotation().target().empty();
  if (keys.sealed_only()) text += "Sealed only: nothing plain is opened.\n\n";
  if (all_sealed && !keys.sealed_only()) {
    text += "To open nothing plain from now on, add a line `sealed only` to the key file of every batond.\n\n";
  }
  text += labels.rows.empty() ? "No keys: what is stored is plain. batond --keys FILE takes some.\n" : Render(labels);
  Table counts{{"TABLE", "COLUMN", "SEALED WITH", "BLOBS"}, {}};
  for (const auto& count : keys.counts()) {
    const std::string with = count.label() == "?" ? "no envelope: damaged" : LabelOr(count.label(), "plain");
    counts.rows.push_back({count.table(), count.column(), with, std::to_string(count.blobs())});
  }
  if (!counts.rows.empty()) text += "\n" + Render(counts);
  for (const auto& blob : keys.quarantine()) text += "\nquarantined: " + OneLine(blob.reason());
  if (!keys.quarantine().empty()) text += "\n";
  return text;
}

void PrintKeys(Session& session, const v2::KeysResponse& keys) {
  switch (session.arguments.output) {
    case Output::kJson: session.io.out << ToJson(keys); break;
    case Output::kYaml: session.io.out << ToYaml(keys); break;
    default: session.io.out << KeysWords(keys);
  }
}

bool MissesAKey(const v2::KeysResponse& keys) {
  for (const auto& label : keys.labels()) {
    if (!label.known() && !label.retired()) return true;
  }
  return false;
}

}  // namespace

int KeysStatus(Session& session) {
  v2::KeysRequest request;
  request.set_count(session.arguments.count);
  const auto keys = session.api.Ask<v2::Admin>("keys", &v2::Admin::Stub::Keys, request);
  PrintKeys(session, keys);
  return keys.rotation().state() == "stuck" || MissesAKey(keys) ? kFailed : kDone;
}

// Goes on in batond, whatever becomes of this program.
int KeysRotate(Session& session) {
  auto keys = session.api.Ask<v2::Admin>("rotate", &v2::Admin::Stub::RotateKeys, v2::RotateKeysRequest());
  for (std::string told; keys.rotation().state() == "working";) {
    const std::string words = OneLine(ProgressWords(keys.rotation()));
    if (!ForPrograms(session) && std::exchange(told, words) != words) session.io.out << words << "\n" << std::flush;
    std::this_thread::sleep_for(kRotationPollInterval);
    keys = session.api.Ask<v2::Admin>("keys", &v2::Admin::Stub::Keys, v2::KeysRequest());
  }
  PrintKeys(session, keys);
  return keys.rotation().state() == "done" ? kDone : kFailed;
}

}  // namespace baton::cli
