// Each call of baton.v1 says what becomes of it, and docs/generated/api-v1.md says the same.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "baton/v1/bbs_service.pb.h"
#include "baton/v1/versioning.pb.h"
#include "baton/v2/actual_lrps_service.pb.h"
#include "baton/v2/admin_service.pb.h"
#include "baton/v2/cells_service.pb.h"
#include "baton/v2/desired_lrps_service.pb.h"
#include "baton/v2/domains_service.pb.h"
#include "baton/v2/events_service.pb.h"
#include "tools/law/api_print.h"

namespace baton {
namespace {

using google::protobuf::FileDescriptor;

std::vector<const FileDescriptor*> NewFiles() {
  return {v2::DesireLRPRequest::descriptor()->file(), v2::ListActualLRPsRequest::descriptor()->file(),
          v2::ListCellsRequest::descriptor()->file(), v2::ListDomainsRequest::descriptor()->file(),
          v2::SubscribeRequest::descriptor()->file(), v2::PingRequest::descriptor()->file()};
}

bool IsThere(const std::string& method) {
  for (const FileDescriptor* file : NewFiles()) {
    if (file->pool()->FindMethodByName("baton.v2." + method)) return true;
  }
  return false;
}

TEST(Versioning, EveryCallNamesOneThatIsThere) {
  const FileDescriptor& file = *v1::PingRequest::descriptor()->file();
  for (int s = 0; s < file.service_count(); ++s) {
    for (int m = 0; m < file.service(s)->method_count(); ++m) {
      const auto& method = *file.service(s)->method(m);
      const v1::Versioning& versioning = method.options().GetExtension(v1::versioning);
      EXPECT_TRUE(IsThere(versioning.replacement())) << method.full_name() << ": " << versioning.replacement();
      EXPECT_GT(versioning.diego_size(), 0) << method.full_name();
    }
  }
}

TEST(Versioning, IsThePageInTheDocumentation) {
  std::ifstream in(BATON_API_PAGE);
  std::stringstream page;
  page << in.rdbuf();
  EXPECT_EQ(page.str(), law::PrintOldApi()) << "refresh it: build/bin/baton-law api > docs/generated/api-v1.md";
}

}  // namespace
}  // namespace baton
