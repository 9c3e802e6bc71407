// A leader that does what a test tells it: serves Cells and Definitions, keeps every message of the cell, answers
// reports as told.
#pragma once

#include <grpcpp/server.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "baton/v2/cells_service.grpc.pb.h"
#include "baton/v2/definitions_service.grpc.pb.h"

namespace baton::testing {

class FakeLeader {
 public:
  using Outcome = v2::CellReportResult::Outcome;
  // Decides each report's answer; nothing: none is given.
  using Policy = std::function<std::optional<Outcome>(const v2::CellReport&)>;

  explicit FakeLeader(std::int64_t epoch = 1);
  ~FakeLeader();

  // Again on the same address after Stop.
  void Start();
  void Stop();
  const std::string& address() const { return address_; }

  void set_epoch(std::int64_t epoch) { epoch_ = epoch; }
  // Default: everything is APPLIED.
  void set_policy(Policy policy);
  // Cells' streams end with it, as an older batond ends them; OK: no more.
  void set_refusal(const grpc::Status& refusal);
  // What each stream said of its cell's version.
  std::vector<std::string> client_versions() const;
  // Kept under a hash of its own, which is given back. Replaces one of the same identifier.
  std::string Define(const std::string& identifier, v2::LRPDefinition definition);
  // The next `times` that it is asked for another content comes under its hash.
  void Falsify(const std::string& identifier, v2::LRPDefinition definition, int times);

  // To the cell that is connected now. Carries the present epoch, unless `epoch` is given.
  void Send(v2::LeaderToCell message, std::int64_t epoch = 0);
  void Run(const std::string& actual_id, const std::string& definition, std::int64_t start_timeout_ms = 20'000,
           bool egress_unenforced = false);
  void StopInstance(const std::string& actual_id, std::int64_t grace_ms = 5000);

  // Copies of what came, in order, over all streams.
  std::vector<v2::CellHello> hellos() const;
  std::vector<v2::CellReport> reports() const;
  std::vector<v2::CellReport> reports(const std::string& actual_id) const;
  int heartbeats() const { return heartbeats_; }
  int streams_ended_in_order() const { return ended_in_order_; }
  int definitions_asked() const { return definitions_asked_; }

  // The first report of `actual_id` at or after the `from`-th for which `is` holds; waits for it.
  std::optional<v2::CellReport> WaitFor(const std::string& actual_id,
                                        const std::function<bool(const v2::CellReport&)>& is,
                                        std::size_t from = 0) const;
  bool WaitForHello(std::size_t count) const;

 private:
  class CellsService;
  class DefinitionsService;
  using Stream = grpc::ServerReaderWriter<v2::LeaderToCell, v2::CellMessage>;

  grpc::Status Admit(const grpc::ServerContext& context);
  void Serve(Stream& stream);
  void Take(const v2::CellMessage& message, Stream& stream);

  std::atomic<std::int64_t> epoch_;
  std::string address_ = "127.0.0.1:0";
  std::unique_ptr<CellsService> cells_;
  std::unique_ptr<DefinitionsService> definitions_service_;
  std::unique_ptr<grpc::Server> server_;

  mutable std::mutex mutex_;
  Stream* stream_ = nullptr;
  Policy policy_;
  grpc::Status refusal_;
  std::vector<std::string> client_versions_;
  std::map<std::string, v2::LRPDefinition> definitions_;
  std::map<std::string, std::pair<v2::LRPDefinition, int>> falsified_;
  std::vector<v2::CellHello> hellos_;
  std::vector<v2::CellReport> reports_;
  std::atomic<int> heartbeats_ = 0;
  std::atomic<int> ended_in_order_ = 0;
  std::atomic<int> definitions_asked_ = 0;
};

}  // namespace baton::testing
