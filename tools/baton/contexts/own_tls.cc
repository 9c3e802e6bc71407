#include "tools/baton/contexts/own_tls.h"

#include "tools/baton/failure.h"
#include "tools/baton/outcome.h"
#include "tools/contexts/context_file.h"

namespace baton::cli {
namespace {

// What the messages call it.
std::string Source(const Arguments& arguments) {
  return arguments.tls.empty() && arguments.context ? "context " + arguments.context->name : "--tls";
}

}  // namespace

std::optional<Tls::Options> TlsOf(const Context& context) {
  Tls::Options options{.dir = context.tls, .roles = tls::RolesOfPeople()};
  if (context.HasFiles()) options.apart = tls::Places{context.ca, context.cert, context.key};
  if (options.dir.empty() && !options.apart) return std::nullopt;
  return options;
}

std::function<ClientCredentials()> CredentialsOf(const Arguments& arguments) {
  std::optional<Tls::Options> options;
  std::string domain;  // "": whichever
  if (arguments.context) {
    options = TlsOf(*arguments.context);
    domain = arguments.context->trust_domain;
  }
  if (!arguments.tls.empty()) options = Tls::Options{.dir = arguments.tls, .roles = tls::RolesOfPeople()};
  if (!options) return [] { return ClientCredentials(); };
  return [options = *std::move(options), domain, source = Source(arguments), tls = std::shared_ptr<Tls>()]() mutable {
    if (tls) return tls->ForClient();
    auto opened = Tls::Open(options);
    if (!opened) throw Failure(kUsage, source + ": " + opened.error().message);
    if (!domain.empty() && (*opened)->trust_domain() != domain) {
      throw Failure(kUsage, source + ": the certificate is of the trust domain " + (*opened)->trust_domain() + ", the context of " + domain);
    }
    tls = *std::move(opened);
    return tls->ForClient();
  };
}

void TakeContext(Arguments& arguments, bool batond_given) {
  // Who says where to go, and names no context, goes there as he says: another batond's certificate would be no help.
  if (arguments.context_name.empty() && batond_given) return;
  const std::string file = ContextFile();
  const auto contexts = LoadContexts(file);
  if (!contexts) throw Failure(kUsage, contexts.error().message);
  const auto chosen = Chosen(*contexts, arguments.context_name);
  if (!chosen) throw Failure(kUsage, file + ": " + chosen.error().message);
  if (*chosen == nullptr) return;
  arguments.context = **chosen;
  if (!batond_given) arguments.batond = arguments.context->batond;
}

}  // namespace baton::cli
