// A service whose convergence is asked to run, and what its tests do with it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/fakes/pg_fixture.h"
#include "tests/server/scripted_cell.h"

namespace baton {

class ConvergencePass : public ::testing::Test {
 protected:
  explicit ConvergencePass(batond::ServiceOptions options = {}) : service({}, options) {}
  void SetUp() override { service.WaitForLead(); }

  v2::ConvergenceResponse Run() {
    v2::ConvergenceRequest request;
    request.set_run(true);
    v2::ConvergenceResponse report;
    EXPECT_TRUE(service.admin->Convergence(Context().get(), request, &report).ok());
    return report;
  }
  // Nothing of it is found by audits beside an app that is written all the time.
  void ExpectNoneBesideWrites(const std::string& category, const std::string& guid,
                              const std::function<void(int number, v2::DesiredLRPUpdate&)>& write) {
    std::atomic<bool> over{false};
    std::thread writer([&] {
      for (int i = 0; !over; ++i) {
        v2::UpdateDesiredLRPRequest update;
        update.set_process_guid(guid);
        write(i, *update.mutable_update());
        EXPECT_TRUE(service.Update(update).ok());
      }
    });
    for (int i = 0; i < 20; ++i) EXPECT_EQ(Of(Run(), category).found(), 0);
    over = true;
    writer.join();
  }
  static v2::ConvergenceCategory Of(const v2::ConvergenceResponse& report, const std::string& name) {
    for (const auto& category : report.categories()) {
      if (category.name() == name) return category;
    }
    ADD_FAILURE() << "there is no category " << name;
    return {};
  }
  void Sql(const std::string& script) {
    const auto session = OpenSession(service.url());
    const SessionError error =
        session->Transact(Session::Isolation::kReadCommitted, [&](Session& s) { return s.RunScript(script), true; });
    ASSERT_TRUE(error.ok()) << error.detail;
  }
  // An app with one instance that runs on the cell.
  std::string RunOne(ScriptedCell& cell, const std::string& guid, const std::string& definition = "v1") {
    auto app = RunningService::SmallApp(guid);
    app.mutable_desired_lrp()->mutable_strategy()->set_min_healthy_time_ms(0);
    app.mutable_desired_lrp()->mutable_definition()->set_definition_identifier(definition);
    EXPECT_TRUE(service.Desire(app).ok());
    return Start(cell);
  }
  static std::string Start(ScriptedCell& cell) {
    const v2::RunOrder order = cell.NextRun();
    cell.Report(ScriptedCell::Claimed(order.actual_id()));
    cell.Report(ScriptedCell::Started(order.actual_id()));
    return order.actual_id();
  }
  void UpdateTo(const std::string& guid, const std::string& definition) {
    v2::UpdateDesiredLRPRequest request;
    request.set_process_guid(guid);
    auto& full = *request.mutable_update()->mutable_desired_lrp();
    *full.mutable_definition() = RunningService::SmallApp(guid).desired_lrp().definition();
    full.mutable_definition()->set_definition_identifier(definition);
    auto* variable = full.mutable_definition()->mutable_run_info()->add_environment_variables();
    variable->set_name("V");
    variable->set_value(definition);
    request.mutable_update()->set_reactivate(true);
    const grpc::Status status = service.Update(request);
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
  std::vector<std::string> Definitions(const std::string& guid) {
    v2::ListDefinitionsRequest request;
    request.set_process_guid(guid);
    const auto context = Context();
    const auto stream = service.definitions->ListDefinitions(context.get(), request);
    std::vector<std::string> names;
    for (v2::ListDefinitionsResponse page; stream->Read(&page);) {
      for (const auto& definition : page.definitions()) names.push_back(definition.definition_identifier());
    }
    (void)stream->Finish();
    return names;
  }
  grpc::Status Pin(const std::string& guid, const std::string& definition, bool pinned) {
    v2::PinDefinitionRequest request;
    request.set_process_guid(guid);
    request.set_definition_identifier(definition);
    request.set_pinned(pinned);
    v2::PinDefinitionResponse response;
    return service.definitions->PinDefinition(Context().get(), request, &response);
  }
  std::string StateOf(const std::string& cell) {
    v2::ListCellsResponse cells;
    EXPECT_TRUE(service.cells->ListCells(Context().get(), {}, &cells).ok());
    for (const auto& one : cells.cells()) {
      if (one.cell_id() == cell) return one.state();
    }
    return "UNKNOWN";
  }

  RunningService service;
};

}  // namespace baton
