// Calls of the API as the commands make them.
#pragma once

#include <grpcpp/support/sync_stream.h>

#include <optional>
#include <set>
#include <string>

#include "tools/baton/connection.h"
#include "tools/words/text.h"

namespace baton::cli {

class Api {
 public:
  explicit Api(Connection& connection) : connection_(connection) {}

  // A unary call, for example Ask<v2::Rolls>("roll", &v2::Rolls::Stub::GetRoll, request); `what` is named in the
  // Failure that is thrown for every other status than OK.
  template <class Service, class Request, class Response>
  Response Ask(const std::string& what,
               grpc::Status (Service::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
               const Request& request) {
    Response response;
    const grpc::Status status = Try<Service>(method, request, response);
    if (!status.ok()) throw FailureOf(status, what, connection_.options());
    return response;
  }

  // The same, for callers that go on after a refusal: how batond answered. Failure only where none took the call.
  template <class Service, class Request, class Response>
  grpc::Status Answer(const std::string& what,
                      grpc::Status (Service::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const Request& request, Response& response) {
    const grpc::Status status = Try<Service>(method, request, response);
    if (IsUnreachable(status)) throw FailureOf(status, what, connection_.options());
    return status;
  }

  // The same; nothing where the answer is NOT_FOUND.
  template <class Service, class Request, class Response>
  std::optional<Response> Find(const std::string& what,
                               grpc::Status (Service::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                               const Request& request) {
    return AskUnless<Service>(grpc::StatusCode::NOT_FOUND, what, method, request);
  }

  // The same; nothing where the answer is `expected`.
  template <class Service, class Request, class Response>
  std::optional<Response> AskUnless(grpc::StatusCode expected, const std::string& what,
                                    grpc::Status (Service::Stub::*method)(grpc::ClientContext*, const Request&,
                                                                          Response*),
                                    const Request& request) {
    Response response;
    const grpc::Status status = Try<Service>(method, request, response);
    if (status.error_code() == expected) return std::nullopt;
    if (!status.ok()) throw FailureOf(status, what, connection_.options());
    return response;
  }

  // A streamed list, all of its pages in one message. A list that breaks off is read again from its start. What it has
  // under `unreadable` goes to `warn`, once a row.
  template <class Service, class Request, class Response>
  Response List(const std::string& what,
                std::unique_ptr<grpc::ClientReader<Response>> (Service::Stub::*method)(grpc::ClientContext*,
                                                                                       const Request&),
                const Request& request) {
    Response all;
    const grpc::Status status = connection_.Call([&](const auto& channel, grpc::ClientContext& context) {
      all.Clear();
      const auto stub = Service::NewStub(channel);
      const auto reader = ((*stub).*method)(&context, request);
      for (Response page; reader->Read(&page);) all.MergeFrom(page);
      return reader->Finish();
    });
    if (!status.ok()) throw FailureOf(status, what, connection_.options());
    if constexpr (requires { all.unreadable(); }) {
      for (const auto& row : all.unreadable()) Warn(row.row(), row.fault());
    }
    return all;
  }

  // A list of this process lacked rows.
  bool short_of_rows() const { return !unreadable_.empty(); }

  Connection& connection() { return connection_; }

 private:
  void Warn(const std::string& row, const std::string& fault) {
    if (unreadable_.insert(row).second) {
      connection_.options().warn(OneLine(row) + " cannot be read: " + OneLine(fault));
    }
  }

  template <class Service, class Request, class Response>
  grpc::Status Try(grpc::Status (Service::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                   const Request& request, Response& response) {
    return connection_.Call([&](const auto& channel, grpc::ClientContext& context) {
      response.Clear();
      return ((*Service::NewStub(channel)).*method)(&context, request, &response);
    });
  }

  Connection& connection_;
  std::set<std::string> unreadable_;
};

}  // namespace baton::cli
