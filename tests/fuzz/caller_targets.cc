// What batond reads of callers, cells, verdicts and its operator's own files.
#include "orchestrator/access/access_rules.h"
#include "orchestrator/access/deny_list.h"
#include "orchestrator/base/check.h"
#include "orchestrator/server/apps/requests.h"
#include "orchestrator/server/callers/caller_name.h"
#include "orchestrator/server/cells/cell_messages.h"
#include "orchestrator/wire/limits/text.h"
#include "orchestrator/wire/messages/routes.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/targets.h"
#include "tools/batond/http_verdict_client.h"

namespace baton::fuzz {
namespace {

using namespace std::string_literals;

// Of an operator's own files, whose words are repeated as they are: the log cleans them.
void CheckFileRefusal(const Error& error) {
  CHECK(error.kind == ErrorKind::kInvalidArgument && error.message.starts_with("file"));
}
void RunAccess(std::string_view bytes) {
  const auto rules = ParseAccess(bytes, "file");
  if (!rules) return CheckFileRefusal(rules.error());
  CHECK(!rules->unlimited());
  for (const auto& [page, most] : rules->webs) CHECK(most == Role::kViewer || most == Role::kOperator || most == Role::kAdmin);
  CHECK(rules->controllers.contains("nobody") || rules->controllers.contains("*") || rules->DomainsOf({Role::kController, "nobody"}) == Domains{});
}
std::vector<std::string> AccessSeeds() {
  return {"controller cc  domains cf-apps,cf-tasks  hostnames *.apps.example,shop.example,tcp:*\ncontroller ci domains * hostnames *\n"
          "cell cell-7 networks 10.0.7.0/24\ncell diego-cell-1 pulls\nrouter *\nweb dashboard most operator\n",
          "# nothing\n", "cell a networks fd00::/8,10.0.0.1/33\n"};
}

void RunDeny(std::string_view bytes) {
  const auto list = ParseDenyList(bytes, "file");
  if (!list) CheckFileRefusal(list.error());
}
std::vector<std::string> DenySeeds() { return {"cert " + std::string(64, 'a') + "\nname role/cell/cell-7 # why\n"}; }

void RunReplace(std::string_view bytes) {
  const auto message = Parsed<v2::ReplaceDesiredLRPRequest>(bytes);
  if (!message) return;
  const auto replace = ReplaceFrom(*message);
  if (!replace) CheckRefusal(replace.error());
}
std::vector<std::string> ReplaceSeeds() {
  v2::ReplaceDesiredLRPRequest request;
  v2::DesiredLRP& app = *request.mutable_desired_lrp();
  app.set_process_guid("app");
  app.set_domain("a");
  app.set_instances(2);
  app.mutable_definition()->set_definition_identifier("v1");
  app.mutable_definition()->mutable_resource()->set_root_fs("host:any");
  app.mutable_definition()->mutable_run_info()->mutable_action()->mutable_run_action()->set_path("/bin/app");
  return {request.SerializeAsString()};
}

// Names of routers and their JSON, one after the other, each with a NUL behind it.
void RunRoutes(std::string_view bytes) {
  v1::ProtoRoutes message;
  while (!bytes.empty()) {
    std::string part[2];
    for (std::string& one : part) {
      const std::size_t end = std::min(bytes.find('\0'), bytes.size());
      one = bytes.substr(0, end);
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    (*message.mutable_routes())[part[0]] = part[1];
  }
  for (const auto origin : {wire::RoutesOrigin::kRequest, wire::RoutesOrigin::kStored}) {
    const auto routes = wire::RoutesFrom(message, origin);
    if (!routes) {
      CheckRefusal(routes.error());
      continue;
    }
    CHECK(wire::RoutesFrom(wire::ToMessage(*routes), origin).ok());
  }
  (void)wire::CheckOnePortEach(message);
}
std::vector<std::string> RoutesSeeds() {
  return {"cf-router\0[{\"hostnames\":[\"a.example\",\"*.b.example\"],\"port\":8080}]\0"
          "tcp-router\0[{\"router_group_guid\":\"g\",\"external_port\":1024,\"container_port\":8080}]\0other\0{}"s,
          "cf-router\0[{\"hostnames\":[\"a.example/x\"],\"port\":70000}]"s, "cf-router\0null"s};
}

void RunHello(std::string_view bytes) {
  const auto hello = Parsed<v2::CellHello>(bytes);
  if (!hello) return;
  const auto greeting = GreetingFrom(*hello);
  if (!greeting) return CheckRefusal(greeting.error());
  CHECK(greeting->record.id.str() == hello->cell_id() && wire::IsUtf8(greeting->record.zone));
}
std::vector<std::string> HelloSeeds() {
  v2::CellHello hello;
  hello.set_protocol_version(1);
  hello.set_cell_id("cell-1");
  hello.set_zone("z1\x1b[2J");
  hello.mutable_capacity()->set_memory_mb(4096);
  hello.mutable_capacity()->set_containers(100);
  hello.add_stacks("host:");
  hello.add_abilities("run");
  hello.set_host_port_first(61'000);
  hello.set_host_port_last(61'010);
  v2::CellInstance& one = *hello.add_instances();
  one.set_actual_id("i-1");
  one.set_instance_guid("g-1");
  one.set_process_guid("app");
  return {hello.SerializeAsString()};
}

void RunReport(std::string_view bytes) {
  const auto message = Parsed<v2::CellReport>(bytes);
  if (!message) return;
  const auto report = ReportFrom(*message);
  if (!report) return CheckRefusal(report.error());
  CHECK(report->id.str() == message->actual_id());
}
std::vector<std::string> ReportSeeds() {
  std::vector<std::string> seeds;
  v2::CellReport report;
  report.set_report_id(1);
  report.set_actual_id("i-1");
  report.set_instance_guid("g-1");
  v1::ActualLRPNetInfo& net = *report.mutable_started()->mutable_net_info();
  net.set_address("127.0.0.1");
  net.add_ports()->set_container_port(8080);
  net.mutable_ports(0)->set_host_port(61'001);
  seeds.push_back(report.SerializeAsString());
  report.mutable_crashed()->set_exit_status(-11);
  report.mutable_crashed()->set_reason("it fell over");
  report.mutable_crashed()->set_last_output("Segmen\x01\x02tation fault");
  seeds.push_back(report.SerializeAsString());
  report.mutable_rejected()->set_reason("no");
  seeds.push_back(report.SerializeAsString());
  return seeds;
}

void RunVerdict(std::string_view bytes) {
  const VerdictAnswer answer = batond::ReadVerdict(200, std::string(bytes));
  CHECK(wire::IsUtf8(answer.text) && answer.text.size() <= 1024);
  CHECK(batond::ReadVerdict(500, std::string(bytes)).verdict == Verdict::kWait);
}
std::vector<std::string> VerdictSeeds() {
  return {R"({"verdict": "promote", "reason": "all is well"})", R"({"verdict": "fail", "reason": "\u001b[2J\ud83d\ude00"})", R"({"verdict": 1})"};
}

void RunCaller(std::string_view bytes) {
  std::string part[3];
  for (std::string& one : part) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    one = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  const std::string name = CallerName(part[0], part[1], part[2]);
  CHECK(name.size() <= kCallerNameMax);
  for (const char c : name) CHECK(c >= ' ' && c <= '~');
}
std::vector<std::string> CallerSeeds() {
  return {"ci\n\nipv4:10.0.0.1:4711", "\ncapi/1.2 grpc-go/1.58\nipv6:%5B::1%5D:4711", "\ngrpc-c++/1.51.1\nunix:/x", "\x1b[2J\n\n"};
}

}  // namespace

const std::vector<Target>& CallerTargets() {
  static const std::vector<Target> kTargets = {
      {"access", RunAccess, AccessSeeds}, {"deny", RunDeny, DenySeeds},       {"replace", RunReplace, ReplaceSeeds},
      {"routes", RunRoutes, RoutesSeeds}, {"hello", RunHello, HelloSeeds},    {"report", RunReport, ReportSeeds},
      {"verdict", RunVerdict, VerdictSeeds}, {"caller", RunCaller, CallerSeeds},
  };
  return kTargets;
}

}  // namespace baton::fuzz
