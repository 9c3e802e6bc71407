#include "tools/baton/contexts/context_options.h"

namespace baton::cli {

void DeclareContexts(CLI::App& app, Arguments& a, Command& command) {
  CLI::App* context = app.add_subcommand("context", "Keep ways to batonds by name: addresses, and who you are there; asks no batond");
  context->require_subcommand(1);
  AddCommand(*context, "list", "All contexts; the current one has a *", command, ContextList);
  const auto named = [&a](CLI::App* of, const char* help) { return of->add_option("NAME", a.name, help); };
  named(AddCommand(*context, "use", "Make one the current one: what is asked without --context and --batond", command,
                   ContextUse),
        "The context")
      ->required();
  CLI::App* add =
      AddCommand(*context, "add", "A new one, of --batond and --tls; the first one is current", command, ContextAdd);
  named(add, "1 to 64 of a-z, A-Z, 0-9, '.', '_', '-'")->required();
  add->add_option("--trust-domain", a.trust_domain, "Of batond's certificate and yours; default: what yours says");
  auto* ca = add->add_option("--ca", a.ca_file, "Instead of --tls: whom to believe, PEM")->type_name("FILE");
  auto* cert = add->add_option("--cert", a.cert_file, "Who you are, PEM, with the chain up to the authority")->type_name("FILE");
  auto* key = add->add_option("--key", a.key_file, "Its key, PEM, mode 0600")->type_name("FILE");
  ca->needs(cert)->needs(key);
  cert->needs(ca)->needs(key);
  key->needs(ca)->needs(cert);
  named(AddCommand(*context, "show", "One, and who its certificate says that you are", command, ContextShow),
        "Default: the current one");
  named(AddCommand(*context, "remove", "Forget it; its certificates stay", command, ContextRemove), "The context")
      ->required();
}

}  // namespace baton::cli
