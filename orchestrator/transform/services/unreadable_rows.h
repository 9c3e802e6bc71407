// The rows of a list that cannot be read. v2 names them in its pages. In v1 the error of the last message says that
// rows are missing, so that no client mistakes a partial list for a whole one; a trailer names them for programs.
#pragma once

#include <grpcpp/server_context.h>

#include <string>

namespace baton::transform {

class UnreadableRows {
 public:
  template <class Page>
  void Take(const Page& page) {
    if constexpr (requires { page.unreadable(); }) {
      for (const auto& one : page.unreadable()) Add(one.row());
    }
  }
  void Add(const std::string& row);

  bool empty() const { return count_ == 0; }
  // What was not found may stand in a row that cannot be read.
  grpc::Status Over(const grpc::Status& made) const { return made.ok() || empty() ? made : AsStatus(); }
  // DATA_LOSS with their number and the first few of them.
  grpc::Status AsStatus() const;
  // For the trailer: "2 app%20shop instance%20i-1%20of%20shop". Empty: there are none.
  std::string Text() const;
  // Nothing where there are none.
  void AddTrailer(grpc::CallbackServerContext& context) const;

 private:
  std::size_t count_ = 0;
  std::string named_;    // encoded
  std::string for_people_;
};

}  // namespace baton::transform
