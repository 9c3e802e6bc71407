// A text that several pages show, and that is made once for all of them: each page is sent the newest one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tools/web/live/view.h"

namespace baton::web {

struct SharedText {
  std::string text;           // JSON; empty: not there yet
  std::uint64_t version = 0;  // +1 with each other text

  void Set(std::string other) {
    if (other == text) return;
    text = std::move(other);
    ++version;
  }
};

// Shows one, kept alive by whoever makes it as long as a page looks.
class TextView final : public View {
 public:
  TextView(std::string event, std::shared_ptr<const SharedText> text, std::function<std::int64_t()> sequence)
      : event_(std::move(event)), text_(std::move(text)), sequence_(std::move(sequence)) {}

  void Show(Viewer& viewer, bool whole) override {
    if (text_->text.empty() || (!whole && seen_ == text_->version)) return;
    seen_ = text_->version;
    viewer.Send(event_, text_->text, sequence_());
  }

 private:
  std::string event_;
  std::shared_ptr<const SharedText> text_;
  std::function<std::int64_t()> sequence_;
  std::uint64_t seen_ = 0;
};

}  // namespace baton::web
