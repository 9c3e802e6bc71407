#include "tools/contexts/contexts.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "orchestrator/model/calls/socket_address.h"

namespace baton {
namespace {

constexpr std::size_t kNameMax = 64;

Error Wrong(ErrorKind kind, std::string message) { return {kind, std::move(message), {}}; }

bool IsName(const std::string& name) {
  return !name.empty() && name.size() <= kNameMax && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
  });
}

// What is wrong with it; empty: nothing.
std::string FaultOf(const Context& context) {
  if (!IsName(context.name)) return "'" + context.name + "' is no name of a context: 1 to 64 of a-z, A-Z, 0-9, '.', '_', '-'";
  const std::string of = "context " + context.name;
  if (context.batond.empty()) return of + " has no batond: HOST:PORT of one or several";
  for (const std::string& address : context.batond) {
    if (!IsHostAndPort(address)) return of + ": batond takes HOST:PORT, not '" + address + "'";
  }
  const int files = !context.ca.empty() + !context.cert.empty() + !context.key.empty();
  if (files != 0 && files != 3) return of + " has not all of ca, cert and key";
  if (files != 0 && !context.tls.empty()) return of + " has tls, a directory, and ca, cert and key: one of both";
  return "";
}

// Somewhere deep in the file; caught in ReadContexts, and nowhere else seen.
struct Fault : std::runtime_error {
  Fault(const YAML::Node& at, const std::string& sentence) : std::runtime_error(sentence), line(at.Mark().line + 1) {}
  int line;
};

std::string Text(const YAML::Node& node, const std::string& what) {
  if (!node.IsScalar()) throw Fault(node, what + " takes a text");
  return node.Scalar();
}

Context ContextFrom(const YAML::Node& node) {
  if (!node.IsMap()) throw Fault(node, "a context is a map with name and batond");
  Context context;
  for (const auto& entry : node) {
    const std::string key = Text(entry.first, "a key");
    if (key == "batond") {
      if (!entry.second.IsSequence()) throw Fault(entry.second, "batond takes a list of HOST:PORT");
      for (const YAML::Node& address : entry.second) context.batond.push_back(Text(address, "batond"));
      continue;
    }
    std::string* field = key == "name"           ? &context.name
                         : key == "trust_domain" ? &context.trust_domain
                         : key == "tls"          ? &context.tls
                         : key == "ca"           ? &context.ca
                         : key == "cert"         ? &context.cert
                         : key == "key"          ? &context.key
                                                 : nullptr;
    if (field == nullptr) throw Fault(entry.first, "'" + key + "' is no key of a context: name, batond, trust_domain, tls, ca, cert, key");
    *field = Text(entry.second, key);
  }
  if (const std::string fault = FaultOf(context); !fault.empty()) throw Fault(node, fault);
  return context;
}

Contexts ContextsFrom(const YAML::Node& document) {
  Contexts contexts;
  if (document.IsNull()) return contexts;
  if (!document.IsMap()) throw Fault(document, "expected current and contexts");
  for (const auto& entry : document) {
    const std::string key = Text(entry.first, "a key");
    if (key == "current") {
      contexts.current = Text(entry.second, key);
    } else if (key == "contexts") {
      if (!entry.second.IsSequence()) throw Fault(entry.second, "contexts takes a list");
      for (const YAML::Node& node : entry.second) {
        Context context = ContextFrom(node);
        if (Find(contexts, context.name) != nullptr) throw Fault(node, "context " + context.name + " is there twice");
        contexts.all.push_back(std::move(context));
      }
    } else {
      throw Fault(entry.first, "'" + key + "' is no key here: current, contexts");
    }
  }
  return contexts;
}

std::string Names(const Contexts& contexts) {
  std::string all;
  for (const Context& context : contexts.all) all += (all.empty() ? "" : ", ") + context.name;
  return all.empty() ? "there is none" : "there are " + all;
}

Error NoSuch(const Contexts& contexts, const std::string& name) {
  return Wrong(ErrorKind::kNotFound, "there is no context '" + name + "': " + Names(contexts));
}

void Emit(YAML::Emitter& out, const char* key, const std::string& value) {
  if (!value.empty()) out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value;
}

}  // namespace

Result<Contexts> ReadContexts(const std::string& file, const std::string& text) {
  const auto wrong = [&file](int line, const std::string& sentence) {
    return Wrong(ErrorKind::kInvalidArgument, file + ":" + std::to_string(line) + ": " + sentence);
  };
  try {
    return ContextsFrom(YAML::Load(text));
  } catch (const YAML::Exception& malformed) {
    return wrong(malformed.mark.line + 1, "malformed YAML: " + malformed.msg);
  } catch (const Fault& fault) {
    return wrong(fault.line, fault.what());
  }
}

std::string TextOf(const Contexts& contexts) {
  YAML::Emitter out;
  out << YAML::Comment("Written by `baton context`.") << YAML::BeginMap;
  Emit(out, "current", contexts.current);
  out << YAML::Key << "contexts" << YAML::Value << YAML::BeginSeq;
  for (const Context& context : contexts.all) {
    out << YAML::BeginMap;
    Emit(out, "name", context.name);
    out << YAML::Key << "batond" << YAML::Value << YAML::BeginSeq;
    for (const std::string& address : context.batond) out << YAML::DoubleQuoted << address;
    out << YAML::EndSeq;
    Emit(out, "trust_domain", context.trust_domain);
    Emit(out, "tls", context.tls);
    Emit(out, "ca", context.ca);
    Emit(out, "cert", context.cert);
    Emit(out, "key", context.key);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

const Context* Find(const Contexts& contexts, const std::string& name) {
  const auto found = std::ranges::find(contexts.all, name, &Context::name);
  return found == contexts.all.end() ? nullptr : &*found;
}

Result<const Context*> Chosen(const Contexts& contexts, const std::string& name) {
  const std::string& wanted = name.empty() ? contexts.current : name;
  if (wanted.empty()) return static_cast<const Context*>(nullptr);
  if (const Context* found = Find(contexts, wanted)) return found;
  Error error = NoSuch(contexts, wanted);
  if (name.empty()) error.message += "; it is the current one: baton context use NAME chooses another";
  return error;
}

Status Add(Contexts& contexts, Context context) {
  if (const std::string fault = FaultOf(context); !fault.empty()) return Wrong(ErrorKind::kInvalidArgument, fault);
  if (Find(contexts, context.name) != nullptr) {
    return Wrong(ErrorKind::kAlreadyExists, "context " + context.name + " is there already: baton context remove " + context.name);
  }
  if (contexts.current.empty()) contexts.current = context.name;
  contexts.all.push_back(std::move(context));
  return Done{};
}

Status Remove(Contexts& contexts, const std::string& name) {
  if (std::erase_if(contexts.all, [&name](const Context& context) { return context.name == name; }) == 0) return NoSuch(contexts, name);
  if (contexts.current == name) contexts.current.clear();
  return Done{};
}

Status Use(Contexts& contexts, const std::string& name) {
  if (Find(contexts, name) == nullptr) return NoSuch(contexts, name);
  contexts.current = name;
  return Done{};
}

}  // namespace baton
