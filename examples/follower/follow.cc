// Keeps a table of all instances, through restarts of batond and of itself: follower HOST:PORT FILE [TLS-DIR]
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "baton/v2/events_service.grpc.pb.h"

namespace {

using Table = std::map<std::string, nlohmann::json>;

nlohmann::json RowOf(const baton::v2::ActualLRP& lrp) {
  return {{"app", lrp.process_guid()},
          {"index", lrp.index()},
          {"definition", lrp.definition_identifier()},
          {"state", lrp.state()},
          {"presence", baton::v2::Presence_Name(lrp.presence())},
          {"cell", lrp.instance_key().cell_id()}};
}

std::string Content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// As any program of gRPC does it: batond's certificate has to name the HOST that is dialled (baton certs issue batond ... --dns HOST).
std::shared_ptr<grpc::ChannelCredentials> CredentialsOf(const std::string& dir) {
  if (dir.empty()) return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({Content(dir + "/ca.pem"), Content(dir + "/key.pem"), Content(dir + "/cert.pem")});
}

class Follower {
 public:
  Follower(const std::string& address, std::string path, const std::string& tls)
      : stub_(baton::v2::Events::NewStub(grpc::CreateChannel(address, CredentialsOf(tls)))), path_(std::move(path)) {
    std::ifstream file(path_);
    const auto stored = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
    if (stored.is_discarded()) return;
    sequence_ = stored["sequence"].get<std::int64_t>();
    instances_ = stored["instances"].get<Table>();
  }

  // Until the stream ends.
  void Follow() {
    baton::v2::SubscribeRequest request;
    request.add_kinds("actual");
    Table table;  // of a snapshot: it counts only when it is complete
    if (sequence_) {
      request.set_after_sequence(*sequence_);  // exactly what was missed
      table = instances_;
    } else {
      request.set_snapshot(true);
    }
    grpc::ClientContext context;
    const auto stream = stub_->Subscribe(&context, request);
    for (baton::v2::SubscribeResponse answer; stream->Read(&answer);) {
      Take(answer, table);
      if (sequence_ || answer.snapshot_complete()) Keep(answer.sequence(), table);
    }
    if (stream->Finish().error_code() == grpc::StatusCode::OUT_OF_RANGE) sequence_.reset();  // too long ago: list again
  }

 private:
  static void Take(const baton::v2::SubscribeResponse& answer, Table& table) {
    for (const auto& lrp : answer.snapshot().actual_lrps()) table[lrp.actual_id()] = RowOf(lrp);
    for (const auto& event : answer.events()) {
      if (event.has_actual_after()) {
        table[event.actual_after().actual_id()] = RowOf(event.actual_after());
      } else {
        table.erase(event.actual_before().actual_id());
      }
    }
  }

  // Table and place change together.
  void Keep(std::int64_t sequence, const Table& table) {
    sequence_ = sequence;
    instances_ = table;
    std::ofstream(path_ + ".new") << nlohmann::json{{"sequence", sequence}, {"instances", table}};
    std::rename((path_ + ".new").c_str(), path_.c_str());
  }

  std::unique_ptr<baton::v2::Events::Stub> stub_;
  const std::string path_;
  std::optional<std::int64_t> sequence_;
  Table instances_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: follower HOST:PORT FILE [TLS-DIR]\n");
    return 2;
  }
  Follower follower(argv[1], argv[2], argc == 4 ? argv[3] : "");
  for (;;) {
    follower.Follow();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // whoever leads next needs a moment
  }
}
