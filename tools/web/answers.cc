#include "tools/web/answers.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace baton::web {
namespace {

struct Code {
  grpc::StatusCode code;
  const char* word;
  int http;
};

// https://connectrpc.com/docs/protocol#error-codes
constexpr Code kCodes[] = {
    {grpc::StatusCode::CANCELLED, "canceled", 499},
    {grpc::StatusCode::UNKNOWN, "unknown", 500},
    {grpc::StatusCode::INVALID_ARGUMENT, "invalid_argument", 400},
    {grpc::StatusCode::DEADLINE_EXCEEDED, "deadline_exceeded", 504},
    {grpc::StatusCode::NOT_FOUND, "not_found", 404},
    {grpc::StatusCode::ALREADY_EXISTS, "already_exists", 409},
    {grpc::StatusCode::PERMISSION_DENIED, "permission_denied", 403},
    {grpc::StatusCode::RESOURCE_EXHAUSTED, "resource_exhausted", 429},
    {grpc::StatusCode::FAILED_PRECONDITION, "failed_precondition", 400},
    {grpc::StatusCode::ABORTED, "aborted", 409},
    {grpc::StatusCode::OUT_OF_RANGE, "out_of_range", 400},
    {grpc::StatusCode::UNIMPLEMENTED, "unimplemented", 501},
    {grpc::StatusCode::INTERNAL, "internal", 500},
    {grpc::StatusCode::UNAVAILABLE, "unavailable", 503},
    {grpc::StatusCode::DATA_LOSS, "data_loss", 500},
    {grpc::StatusCode::UNAUTHENTICATED, "unauthenticated", 401},
};
const Code& CodeOf(grpc::StatusCode code) {
  const Code* found = std::ranges::find(kCodes, code, &Code::code);
  return found == std::end(kCodes) ? kCodes[1] : *found;
}

// Texts of apps may hold any bytes: what is no UTF-8 becomes a mark.
std::string Dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

http::Response Json(std::string text) {
  return {
      .content_type = "application/json", .body = std::move(text) + '\n', .headers = {{"Cache-Control", "no-store"}}};
}

http::Response Problem(const std::string& code, const std::string& message) {
  const Code* found = std::ranges::find_if(kCodes, [&](const Code& c) { return c.word == code; });
  http::Response response = Json(Dump({{"code", code}, {"message", message}}));
  response.status = found == std::end(kCodes) ? 500 : found->http;
  return response;
}

http::Response Problem(const grpc::Status& status, const Hints& hints) {
  http::Response response = Json(ProblemText(status, hints));
  response.status = CodeOf(status.error_code()).http;
  return response;
}

std::string ProblemText(const grpc::Status& status, const Hints& hints) {
  nlohmann::ordered_json json{{"code", CodeWord(status.error_code())}, {"message", status.error_message()}};
  if (hints.retry_after.count() > 0) json["retry_after_ms"] = hints.retry_after.count();
  if (!hints.leader.empty()) json["leader"] = hints.leader;
  return Dump(json);
}

std::string CodeWord(grpc::StatusCode code) { return CodeOf(code).word; }

}  // namespace baton::web
