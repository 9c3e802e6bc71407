// What the table allows is done: each role sends requests that do their work, over TLS, and an admin looks what became of them.
#include <gtest/gtest.h>

#include "baton/v2/admin_service.grpc.pb.h"
#include "tests/proto/access_page.h"
#include "tests/server/objects_fixture.h"

namespace baton {
namespace {

using grpc::StatusCode;

struct OneRole {
  Role role;
  char letter;
};
constexpr OneRole kRoles[] = {{Role::kViewer, 'V'}, {Role::kOperator, 'O'}, {Role::kAdmin, 'A'},
                              {Role::kController, 'C'}, {Role::kCell, 'N'}, {Role::kRouter, 'R'}};

constexpr char kWorkAccess[] =
    "controller * domains * hostnames *\n"
    "cell * networks 127.0.0.0/8\n"
    "router *\n";

class AccessWork : public ::testing::TestWithParam<OneRole> {
 protected:
  void SetUp() override {
    secure.running().WaitForLead();
    ASSERT_TRUE(admin.Desire(AppIn("there", "a")).ok());
  }
  static bool May(const std::string& path) {
    const std::string& letters = AccessTable().at(path);
    const std::size_t at = letters.find(GetParam().letter);
    return at < std::min(letters.find('+'), letters.size());
  }
  // As the table says; whether it was done. `call` is made either way.
  template <class Call>
  bool Does(const std::string& path, const Call& call) {
    const grpc::Status status = call();
    const bool may = May(path);
    EXPECT_EQ(status.error_code(), may ? StatusCode::OK : StatusCode::PERMISSION_DENIED) << path << ": " << status.error_message();
    if (may) ++done;
    return may;
  }
  std::string Annotation(const std::string& guid) {
    v2::GetDesiredLRPRequest request;
    request.set_process_guid(guid);
    request.set_reveal_secrets(true);
    v2::GetDesiredLRPResponse response;
    return admin.apps->GetDesiredLRP(Context().get(), request, &response).ok() ? response.desired_lrp().annotation() : "none";
  }
  bool IsDraining(const std::string& id) {
    v2::ListCellsResponse listed;
    EXPECT_TRUE(admin.cells->ListCells(Context().get(), v2::ListCellsRequest(), &listed).ok());
    for (const auto& cell : listed.cells()) {
      if (cell.cell_id() == id) return cell.draining();
    }
    ADD_FAILURE() << "there is no cell " << id;
    return false;
  }

  AccessText file{kWorkAccess};
  SecureService secure{With(file.path())};
  As admin{secure, Role::kAdmin, "root"};
  As caller{secure, GetParam().role, "one"};
  int done = 0;
};

TEST_P(AccessWork, OnAppsIsDoneOrRefused) {
  const std::string before = Annotation("there");
  const bool desired = Does("/baton.v2.DesiredLRPs/DesireLRP", [&] { return caller.Desire(AppIn("its-own", "a", 0, "its-own.example")); });
  EXPECT_EQ(admin.Get("its-own").ok(), desired);
  const bool updated = Does("/baton.v2.DesiredLRPs/UpdateDesiredLRP", [&] {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid("there");
    request.mutable_update()->set_annotation("by the caller");
    v2::UpdateDesiredLRPResponse response;
    return caller.apps->UpdateDesiredLRP(Context().get(), request, &response);
  });
  EXPECT_EQ(Annotation("there"), updated ? "by the caller" : before);
  Does("/baton.v2.DesiredLRPs/GetDesiredLRP", [&] { return caller.Get("there"); });
  Does("/baton.v2.DesiredLRPs/ListDesiredLRPs", [&] {
    const auto context = Context();
    const auto reader = caller.apps->ListDesiredLRPs(context.get(), v2::ListDesiredLRPsRequest());
    int apps = 0;
    for (v2::ListDesiredLRPsResponse page; reader->Read(&page);) apps += page.desired_lrps_size();
    const grpc::Status status = reader->Finish();
    EXPECT_EQ(apps, !status.ok() ? 0 : desired ? 2 : 1);
    return status;
  });
  const bool fresh = Does("/baton.v2.Domains/UpsertDomain", [&] {
    v2::UpsertDomainRequest request;
    request.set_domain("a");
    request.set_ttl_s(60);
    v2::UpsertDomainResponse response;
    return caller.domains->UpsertDomain(Context().get(), request, &response);
  });
  v2::ListDomainsResponse domains;
  ASSERT_TRUE(admin.domains->ListDomains(Context().get(), v2::ListDomainsRequest(), &domains).ok());
  EXPECT_EQ(domains.domains_size(), fresh ? 1 : 0);
  const bool removed = Does("/baton.v2.DesiredLRPs/RemoveDesiredLRP", [&] {
    v2::RemoveDesiredLRPRequest request;
    request.set_process_guid("there");
    v2::RemoveDesiredLRPResponse response;
    return caller.apps->RemoveDesiredLRP(Context().get(), request, &response);
  });
  EXPECT_EQ(admin.Get("there").error_code(), removed ? StatusCode::NOT_FOUND : StatusCode::OK);
}

TEST_P(AccessWork, OnCellsAndStreamsIsDoneOrRefused) {
  const bool is_cell = GetParam().role == Role::kCell;
  const As another(secure, Role::kCell, "one");
  ScriptedCell cell(is_cell ? *caller.cells : *another.cells, "one");  // the caller's own, where it is a cell
  cell.Hello();
  cell.KeepBeating();
  ASSERT_TRUE(cell.IsWelcome());
  ASSERT_TRUE(Eventually([&] {  // it is welcome before its row is written
    v2::ListCellsResponse listed;
    return admin.cells->ListCells(Context().get(), v2::ListCellsRequest(), &listed).ok() && listed.cells_size() == 1;
  }));
  v2::ChangeCellRequest request;
  request.set_cell_id("one");
  v2::ChangeCellResponse response;
  const bool drained = Does("/baton.v2.Cells/DrainCell", [&] { return caller.cells->DrainCell(Context().get(), request, &response); });
  EXPECT_EQ(IsDraining("one"), drained);
  ASSERT_TRUE(admin.cells->DrainCell(Context().get(), request, &response).ok());
  const bool back = Does("/baton.v2.Cells/UndrainCell", [&] { return caller.cells->UndrainCell(Context().get(), request, &response); });
  EXPECT_EQ(IsDraining("one"), !back);
  Does("/baton.v2.Admin/Status", [&] {
    v2::StatusResponse status;
    const auto stub = v2::Admin::NewStub(caller.channel);
    const grpc::Status answer = stub->Status(Context().get(), v2::StatusRequest(), &status);
    EXPECT_EQ(status.state(), answer.ok() ? "LEADING" : "");
    return answer;
  });
  Does("/baton.v2.Cells/Connect", [&] {
    if (is_cell) return grpc::Status::OK;  // it was welcome
    ScriptedCell mine(*caller.cells, "two");
    mine.Hello();
    return mine.Finish();
  });
  // A hello that is answered with the routes is OK, however the stream ends then.
  Does("/baton.v2.Routes/Connect", [&] {
    const auto context = Context();
    const auto stream = caller.routes->Connect(context.get());
    v2::RouteConsumerMessage hello;
    hello.mutable_hello()->set_protocol_version(1);
    hello.mutable_hello()->set_consumer_id("one");
    stream->Write(hello);
    v2::RouteMessage first;
    if (stream->Read(&first)) {
      EXPECT_TRUE(first.has_snapshot());
      context->TryCancel();
      (void)stream->Finish();
      return grpc::Status::OK;
    }
    return stream->Finish();
  });
  EXPECT_GT(done, 0) << "each role may something of these";
}

INSTANTIATE_TEST_SUITE_P(Roles, AccessWork, ::testing::ValuesIn(kRoles),
                         [](const auto& one) { return std::string(Name(one.param.role)); });

}  // namespace
}  // namespace baton
