#include "tools/law/api_print.h"

#include <google/protobuf/descriptor.h>

#include "baton/v1/bbs_service.pb.h"
#include "baton/v1/versioning.pb.h"

namespace baton::law {
namespace {

using google::protobuf::MethodDescriptor;

template <class Texts>
std::string Joined(const Texts& texts, const std::string& before, const std::string& after, const std::string& between) {
  std::string joined;
  for (const auto& text : texts) joined += (joined.empty() ? "" : between) + before + text + after;
  return joined;
}

std::string Row(const MethodDescriptor& method) {
  const v1::Versioning& versioning = method.options().GetExtension(v1::versioning);
  return "| `" + method.service()->name() + "." + method.name() + "`" + (method.server_streaming() ? " (stream)" : "") +
         " | " + Joined(versioning.diego(), "`", "`", ", ") + " | `" + versioning.replacement() + "` | " +
         Joined(versioning.differs(), "", "", " ") + " |\n";
}

}  // namespace

std::string PrintOldApi() {
  std::string table = "| baton.v1 | Diego's endpoint | becomes, in baton.v2 | what differs |\n|---|---|---|---|\n";
  const auto& file = *v1::PingRequest::descriptor()->file();
  for (int s = 0; s < file.service_count(); ++s) {
    for (int m = 0; m < file.service(s)->method_count(); ++m) table += Row(*file.service(s)->method(m));
  }
  return "# The calls of baton.v1\n\n"
         "Printed by `build/bin/baton-law api` from the options of the methods in `proto/baton/v1/bbs_service.proto`; "
         "a "
         "test\ncompares. What holds for all of them stands in [the API policy](../reference/api.md).\n\n" +
         table;
}

}  // namespace baton::law
