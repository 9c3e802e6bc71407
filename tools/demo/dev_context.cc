#include "tools/demo/dev_context.h"

#include "tools/contexts/context_file.h"

namespace baton::demo {
namespace {

constexpr char kName[] = "dev";

Context ContextOf(stack::Stack& stack) {
  Context context{.name = kName, .batond = stack.api_addresses()};
  if (stack::StackCertificates* certificates = stack.certificates()) {
    context.trust_domain = certificates->trust_domain();
    context.tls = certificates->For(stack::kStackAdmin);
  }
  return context;
}

}  // namespace

void Place(Contexts& contexts, const Context& context) {
  const bool was_current = contexts.current == context.name;
  (void)Remove(contexts, context.name);
  const Status added = Add(contexts, context);
  CHECK(added.ok());  // it is ours, and well made
  if (was_current) contexts.current = context.name;
}

bool TakeAway(Contexts& contexts, const Context& context) {
  const Context* there = Find(contexts, context.name);
  return there != nullptr && *there == context && Remove(contexts, context.name).ok();
}

DevContext::DevContext(stack::Stack& stack) : words_(WordsFor(stack)) {
  auto contexts = LoadContexts(ContextFile());
  if (!contexts) {
    trouble_ = contexts.error().message;
    return;
  }
  const Context context = ContextOf(stack);
  Place(*contexts, context);
  if (const Status saved = SaveContexts(ContextFile(), *contexts); !saved) {
    trouble_ = saved.error().message;
    return;
  }
  written_ = context;
  words_ = contexts->current == kName ? "" : std::string("--context ") + kName + " ";
}

DevContext::~DevContext() {
  if (!written_) return;
  auto contexts = LoadContexts(ContextFile());
  if (contexts && TakeAway(*contexts, *written_)) (void)SaveContexts(ContextFile(), *contexts);
}

std::string WordsFor(stack::Stack& stack) {
  std::string words = "--batond " + stack.api_address() + " ";
  if (stack::StackCertificates* certificates = stack.certificates())
    words += "--tls " + certificates->For(stack::kStackAdmin) + " ";
  return words;
}

}  // namespace baton::demo
