// The rows of a list that cannot be read. v2 names them in its pages; v1's messages have no place for them, so a
// trailer does.
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

  // Their number, and the first few of them: "2 app%20shop instance%20i-1%20of%20shop". Empty: there are none.
  std::string Text() const;
  // Nothing where there are none.
  void AddTrailer(grpc::CallbackServerContext& context) const;

 private:
  std::size_t count_ = 0;
  std::string named_;
};

}  // namespace baton::transform
