#include "orchestrator/server/calls/counted_calls.h"

#include <google/protobuf/descriptor.h>
#include <grpcpp/server_context.h>

#include <functional>
#include <map>

#include "orchestrator/base/check.h"
#include "orchestrator/model/calls/wire_names.h"
#include "orchestrator/server/callers/caller_name.h"
#include "orchestrator/server/calls/call_context.h"

namespace baton {
namespace {

std::string_view Metadata(const grpc::ServerContextBase& context, const char* key) {
  const auto at = context.client_metadata().find(key);
  return at == context.client_metadata().end() ? std::string_view() : std::string_view(at->second.data(), at->second.size());
}

using Methods = std::map<std::string, ApiMethod, std::less<>>;  // by path: "/baton.v2.Admin/Ping"

const Methods& CountedMethods() {
  static const Methods kMethods = [] {
    Methods methods;
    for (const std::string& name : CountedServices()) {
      const auto* service = google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(name);
      CHECK(service);
      const std::string package = service->file()->package();  // "baton.v1"
      for (int i = 0; i < service->method_count(); ++i) {
        const std::string& method = service->method(i)->name();
        methods["/" + name + "/" + method] = {package.substr(package.rfind('.') + 1), service->name() + "." + method};
      }
    }
    return methods;
  }();
  return kMethods;
}

}  // namespace

// gRPC has bound the call's metadata when it asks for interceptors, so none is made: it would cost every call a piece of
// memory and three more visits.
grpc::experimental::Interceptor* CountedCalls::CreateServerInterceptor(grpc::experimental::ServerRpcInfo* info) {
  const auto method = CountedMethods().find(std::string_view(info->method()));
  const grpc::ServerContextBase& context = *info->server_context();
  if (method == CountedMethods().end() || AskedInV1(context)) return nullptr;
  const std::string_view actor = Metadata(context, kActorKey);
  const std::string_view agent = Metadata(context, "user-agent");
  usage_.Count(method->second, CallerName(actor, agent, actor.empty() ? context.peer() : ""));
  return nullptr;
}

const std::vector<std::string>& CountedServices() {
  static const std::vector<std::string> kServices = {
      "baton.v1.ActualLRPs",  "baton.v1.Cells",  "baton.v1.DesiredLRPs", "baton.v1.Domains",
      "baton.v1.Evacuation",  "baton.v1.Events", "baton.v1.Ping",        "baton.v2.ActualLRPs",
      "baton.v2.Admin",       "baton.v2.Cells",  "baton.v2.Definitions", "baton.v2.DesiredLRPs",
      "baton.v2.Domains",     "baton.v2.Events", "baton.v2.Rolls",       "baton.v2.Routes",
      "baton.v2.Upgrades"};
  return kServices;
}

}  // namespace baton
