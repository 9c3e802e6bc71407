// The context `dev` of `baton`, which exists while the stack of ./dev run is up: commands use it without options.
#pragma once

#include <optional>
#include <string>

#include "tools/contexts/contexts.h"
#include "tools/stack/stack.h"

namespace baton::demo {

class DevContext {
 public:
  // Written to the file of contexts; one of the name that an earlier run has left is replaced. It is current where none is.
  explicit DevContext(stack::Stack& stack);
  // Removes the context, unless another program has replaced it.
  ~DevContext();
  DevContext(const DevContext&) = delete;
  DevContext& operator=(const DevContext&) = delete;

  // What `baton` has to be told to use it: nothing where it is current.
  const std::string& words() const { return words_; }
  // Why it could not be written; empty: it was.
  const std::string& trouble() const { return trouble_; }

 private:
  std::optional<Context> written_;
  std::string words_;
  std::string trouble_;
};

// As what `baton` asks the stack where there is no context: "--batond ... --tls ... ".
std::string WordsFor(stack::Stack& stack);

// Puts `context` in the place of one of its name. It is current where none is, or where it was.
void Place(Contexts& contexts, const Context& context);
// Takes it away, where it still is as it was put there.
bool TakeAway(Contexts& contexts, const Context& context);

}  // namespace baton::demo
