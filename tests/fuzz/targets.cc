#include "tests/fuzz/targets.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/message_differencer.h>

#include <fstream>
#include <iterator>

#include "orchestrator/access/identity.h"
#include "orchestrator/base/check.h"
#include "orchestrator/crypto/cipher.h"
#include "orchestrator/model/semver.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/transform/messages/desired_lrp.h"
#include "orchestrator/wire/limits/parse_bounds.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/secrets/redact.h"
#include "tests/fuzz/checks.h"
#include "tools/baton/files/app_file.h"
#include "tools/router/haproxy/haproxy_view.h"

namespace baton::fuzz {
namespace {

using google::protobuf::util::MessageDifferencer;

constexpr char kKeyFile[] = "key a AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\nactive a\n";
constexpr BlobPlace kPlace{"definitions", "run_info", "app/1/v1"};

std::string FileOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

v2::DesiredLRP Full() {
  const auto read = cli::ReadAppFile("full.yaml", FileOf(BATON_EXAMPLES "/full.yaml"), {{"IMAGE_PASSWORD", "s3cr3t"}});
  CHECK(read);
  return read->front().app;
}

void RunIdentity(std::string_view bytes) {
  std::vector<std::string> uris;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    uris.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  if (const auto identity = IdentityOf(uris, "baton.example")) {
    CHECK(uris.size() == 1 && SpiffeId("baton.example", *identity) == uris[0]);
    CHECK(ParseIdentity(Show(*identity)) == *identity);
  }
  for (const std::string& uri : uris) {
    if (const auto shown = ParseIdentity(uri)) CHECK(Show(*shown) == uri);
  }
}
std::vector<std::string> IdentitySeeds() {
  return {"spiffe://baton.example/role/cell/cell-7", "spiffe://baton.example/role/admin/alice\nspiffe://x/role/cell/a", "cell/a"};
}

// What is measured before it is read is what is read then.
void RunShape(std::string_view bytes) {
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  const auto shape = wire::ShapeOf(stream, *v2::DesireLRPRequest::descriptor());
  if (!shape || !wire::Excess(*shape).empty()) return;
  if (const auto message = Parsed<v2::DesireLRPRequest>(bytes)) CHECK(message->SpaceUsedLong() <= 4 * shape->bytes + 65'536);
}
void RunDesire(std::string_view bytes) {
  auto message = Parsed<v2::DesireLRPRequest>(bytes);
  if (!message) return;
  const auto desire = DesireFrom(*message);
  if (!desire) CheckRefusal(desire.error());
  wire::Redact(*message);
}
void RunUpdate(std::string_view bytes) {
  const auto message = Parsed<v2::UpdateDesiredLRPRequest>(bytes);
  if (!message) return;
  const auto update = UpdateFrom(*message);
  if (!update) CheckRefusal(update.error());
}
std::vector<std::string> DesireSeeds() {
  v2::DesireLRPRequest request;
  *request.mutable_desired_lrp() = Full();
  v2::DesireLRPRequest small;
  small.mutable_desired_lrp()->set_process_guid("app");
  return {request.SerializeAsString(), small.SerializeAsString()};
}
std::vector<std::string> UpdateSeeds() {
  v2::UpdateDesiredLRPRequest whole, scaled;
  whole.set_process_guid("app");
  *whole.mutable_update()->mutable_desired_lrp() = Full();
  scaled.set_process_guid("app");
  scaled.mutable_update()->set_instances(3);
  scaled.mutable_update()->mutable_strategy()->mutable_max_surge()->set_percent(25);
  return {whole.SerializeAsString(), scaled.SerializeAsString()};
}

// What an app of baton.v1 is in baton.v2 comes back the same however often it goes.
void RunTransform(std::string_view bytes) {
  const auto given = Parsed<v1::DesiredLRP>(bytes);
  if (!given) return;
  const v1::DesiredLRP once = transform::ToV1(transform::ToV2(*given));
  const v1::DesiredLRP twice = transform::ToV1(transform::ToV2(once));
  CHECK(once.SerializeAsString() == twice.SerializeAsString() || MessageDifferencer::Equivalent(once, twice) ||
        once.DebugString() == twice.DebugString());  // a NaN is not equal to itself
}
std::vector<std::string> TransformSeeds() { return {transform::ToV1(Full()).SerializeAsString()}; }

void RunBlob(std::string_view bytes) {
  static const auto ring = *KeyRing::Parse(kKeyFile);
  const auto inspected = InspectBlob(kPlace, bytes);
  const auto opened = OpenWith(ring.get(), kPlace, bytes);
  CHECK(!opened || inspected);
  if (!opened) CHECK(!opened.error().message.empty());
}
std::vector<std::string> BlobSeeds() {
  return {PlainBlob("payload"), PlainBlob(""), SealUnder(**KeyRing::Parse(kKeyFile), "a", kPlace, "payload")};
}

void RunKeyFile(std::string_view bytes) {
  if (bytes.find("passphrase") != bytes.npos) return;  // a tenth of a second each, in scrypt
  const auto ring = KeyRing::Parse(bytes);
  if (!ring) return CheckRefusal(ring.error());
  CHECK((*ring)->active().empty() || (*ring)->Has((*ring)->active()));
}
std::vector<std::string> KeyFileSeeds() { return {kKeyFile, std::string(kKeyFile) + "sealed only\n# end", "active none"}; }

std::vector<std::string> Answers(std::string_view bytes) {
  std::vector<std::string> answers;
  for (; answers.size() < 4; bytes.remove_prefix(std::min(bytes.find('\0') == bytes.npos ? bytes.size() : bytes.find('\0') + 1, bytes.size()))) {
    answers.emplace_back(bytes.substr(0, bytes.find('\0')));
  }
  return answers;
}
void RunView(std::string_view bytes) {
  auto answers = Answers(bytes);
  (void)router::ParseView(answers);
  answers.resize(2);
  (void)router::ParseSessions(answers);
  (void)router::ParseRequests(answers[0]);
}
std::vector<std::string> ViewSeeds() {
  using namespace std::string_literals;
  return {"Pid: 4711\nName: HAProxy\n\0# name\nb-1\n\0"
          "1\n# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight\n3 b-1 1 s-1 127.0.0.1 2 0 1\n\0"
          "0x1 app.example/ b-1\n"s};
}

void RunAppFile(std::string_view bytes) {
  const auto files = cli::ReadAppFile("file", std::string(bytes), {{"NAME", "value"}});
  if (!files) CHECK(!files.error().message.empty());
}
std::vector<std::string> AppFileSeeds() { return {FileOf(BATON_EXAMPLES "/full.yaml"), FileOf(BATON_EXAMPLES "/hello.yaml")}; }

void RunSemver(std::string_view bytes) {
  if (const auto version = Semver::Parse(bytes)) {
    for (const std::int64_t part : version->parts) CHECK(part >= 0);
  }
}
std::vector<std::string> SemverSeeds() { return {"2.4.0", "0.0.0", "1.2", "9223372036854775807.0.1"}; }

}  // namespace

const std::vector<Target>& Targets() {
  static const std::vector<Target> kTargets = [] {
    std::vector<Target> all = {
      {"identity", RunIdentity, IdentitySeeds}, {"shape", RunShape, DesireSeeds},     {"desire", RunDesire, DesireSeeds},
      {"update", RunUpdate, UpdateSeeds},       {"transform", RunTransform, TransformSeeds}, {"blob", RunBlob, BlobSeeds},
      {"keyfile", RunKeyFile, KeyFileSeeds},    {"view", RunView, ViewSeeds},         {"appfile", RunAppFile, AppFileSeeds},
      {"semver", RunSemver, SemverSeeds},
    };
    for (const auto* more : {&CallerTargets(), &MachineTargets()}) all.insert(all.end(), more->begin(), more->end());
    return all;
  }();
  return kTargets;
}

}  // namespace baton::fuzz
