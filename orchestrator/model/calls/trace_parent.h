// Where a call stands in a trace of its caller's: the `traceparent` of W3C Trace Context, version 00.
#pragma once

#include <string>
#include <string_view>

namespace baton {

class TraceParent {
 public:
  TraceParent() = default;  // of no trace
  // "00-TRACE-PARENT-FLAGS": 32, 16 and 2 hexadecimal digits in lower case, the first two not all zero. Of no trace
  // where it is anything else: a caller's mistake here is no reason to refuse its call.
  static TraceParent From(std::string_view text);

  bool empty() const { return text_.empty(); }
  // As it was said; empty: of no trace. batond records no spans, so it goes on as it came.
  const std::string& text() const { return text_; }
  // Empty: of no trace.
  std::string_view trace_id() const;

  bool operator==(const TraceParent&) const = default;

 private:
  std::string text_;
};

}  // namespace baton
