// `baton context`: named ways to batonds. It works on its file alone.
#include <filesystem>

#include "tools/baton/contexts/own_tls.h"
#include "tools/baton/session.h"
#include "tools/baton/value_of.h"
#include "tools/baton/views/joined.h"
#include "tools/contexts/context_file.h"
#include "tools/tls/material.h"
#include "tools/words/table.h"
#include "tools/words/text.h"

namespace baton::cli {
namespace {

Contexts Load() { return ValueOf(LoadContexts(ContextFile())); }

void Save(const Contexts& contexts) { ValueOf(SaveContexts(ContextFile(), contexts)); }

std::string Absolute(const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

Result<tls::Material> MaterialOf(const Tls::Options& options) {
  auto files = options.apart ? tls::ReadFiles(*options.apart) : tls::ReadFiles(options.dir);
  if (!files) return files.error();
  return tls::Check(*std::move(files), options.roles, tls::Now());
}

std::string WhoIn(const Context& context) {
  const auto options = TlsOf(context);
  if (!options) return "nobody: without TLS";
  const auto material = MaterialOf(*options);
  return material ? Show(material->self) : "?";
}

}  // namespace

int ContextList(Session& session) {
  const Contexts contexts = Load();
  Table table{.header = {"", "NAME", "BATOND", "WHO", "TRUST DOMAIN"}};
  for (const Context& context : contexts.all) {
    table.rows.push_back({context.name == contexts.current ? "*" : " ", context.name,
                          OneLine(Joined(context.batond, ",")), OneLine(WhoIn(context)),
                          OneLine(context.trust_domain)});
  }
  session.io.out << Render(table);
  return kDone;
}

int ContextUse(Session& session) {
  Contexts contexts = Load();
  ValueOf(Use(contexts, session.arguments.name));
  Save(contexts);
  session.io.out << "context " << session.arguments.name << " is the current one\n";
  return kDone;
}

int ContextAdd(Session& session) {
  const Arguments& a = session.arguments;
  Context context{.name = a.name,
                  .batond = a.batond,
                  .trust_domain = a.trust_domain,
                  .tls = Absolute(a.tls),
                  .ca = Absolute(a.ca_file),
                  .cert = Absolute(a.cert_file),
                  .key = Absolute(a.key_file)};
  if (const auto options = TlsOf(context)) {
    const tls::Material material = ValueOf(MaterialOf(*options), kUsage);
    if (context.trust_domain.empty()) context.trust_domain = material.trust_domain;
    if (context.trust_domain != material.trust_domain) {
      throw Failure(kUsage, "the certificate is of the trust domain " + material.trust_domain + ", not of " + context.trust_domain);
    }
  }
  Contexts contexts = Load();
  ValueOf(Add(contexts, context));
  Save(contexts);
  session.io.out << "context " << context.name << " is in " << ContextFile()
                 << (contexts.current == context.name ? ", and the current one\n" : "; baton --context " + context.name + " asks it\n");
  return kDone;
}

int ContextShow(Session& session) {
  const Contexts contexts = Load();
  const Context* chosen = ValueOf(Chosen(contexts, session.arguments.name));
  if (chosen == nullptr) throw Failure(kFailed, "no context is the current one: baton context use NAME, or add NAME");
  std::vector<Fact> facts{{"name", chosen->name + (chosen->name == contexts.current ? ", the current one" : "")},
                          {"batond", OneLine(Joined(chosen->batond, ","))},
                          {"trust domain", OneLine(chosen->trust_domain)},
                          {"tls", OneLine(chosen->tls)},
                          {"ca", OneLine(chosen->ca)},
                          {"cert", OneLine(chosen->cert)},
                          {"key", OneLine(chosen->key)}};
  int exit_status = kDone;
  if (const auto options = TlsOf(*chosen)) {
    if (const auto material = MaterialOf(*options)) {
      facts.push_back({"you are", Show(material->self) + " of " + material->trust_domain + ", until " + tls::Show(material->not_after) + " UTC"});
    } else {
      facts.push_back({"you are", "nobody: " + OneLine(material.error().message)});
      exit_status = kFailed;
    }
  } else {
    facts.push_back({"you are", "nobody: without TLS"});
  }
  facts.push_back({"file", OneLine(ContextFile())});
  session.io.out << Render(facts);
  return exit_status;
}

int ContextRemove(Session& session) {
  Contexts contexts = Load();
  ValueOf(Remove(contexts, session.arguments.name));
  Save(contexts);
  session.io.out << "context " << session.arguments.name << " is gone"
                 << (contexts.current.empty() ? ", and none is the current one\n" : "\n");
  return kDone;
}

}  // namespace baton::cli
