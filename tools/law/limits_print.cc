#include "tools/law/limits_print.h"

#include <set>
#include <vector>

#include "orchestrator/wire/limits/cross_rules.h"
#include "orchestrator/wire/limits/field_limits.h"

namespace baton::law {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// In the order in which they are met.
void Collect(const Descriptor& message, std::set<const Descriptor*>& seen, std::vector<const Descriptor*>& found) {
  if (!seen.insert(&message).second) return;
  found.push_back(&message);
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    if (field.message_type()) Collect(*field.message_type(), seen, found);
  }
}

std::string Cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

std::string Rows(const Descriptor& message) {
  std::string rows;
  for (int i = 0; i < message.field_count(); ++i) {
    std::string limits;
    for (const std::string& words : wire::LimitWords(*message.field(i))) limits += (limits.empty() ? "" : "; ") + words;
    if (!limits.empty())
      rows += "| `" + message.name() + "." + message.field(i)->name() + "` | " + Cell(limits) + " |\n";
  }
  return rows;
}

}  // namespace

std::string PrintLimits() {
  std::set<const Descriptor*> seen;
  std::vector<const Descriptor*> messages;
  for (const Descriptor* request : wire::RequestTypes()) Collect(*request, seen, messages);
  std::string page =
      "# What the API takes\n\n"
      "Printed by `build/bin/baton-law limits` from the options of the fields in `proto/` (`baton.v1.limits`) and the "
      "table\n"
      "in `orchestrator/wire/limits/cross_rules.cc`; a test compares, and another one breaks each limit.\n\n"
      "What breaks one is `INVALID_ARGUMENT` (in v1: `InvalidRequest`) with the field, its value where that is a "
      "number, and the\n"
      "limit; nothing is changed. Each text is UTF-8 without NUL. A field, or a value of an enumeration, that this "
      "batond does\n"
      "not know is refused, too: in v2 as in v1. A call of v1 is held to the limits of what it becomes in v2. What is "
      "stored is\n"
      "never read through these ([why](../decisions/0029-limits-are-held-at-the-door.md)).\n\n"
      "## Fields\n\n| field | takes |\n|---|---|\n";
  for (const Descriptor* message : messages) page += Rows(*message);
  page += "\n## Between fields\n\n| rule | of | says |\n|---|---|---|\n";
  for (const wire::CrossRule& rule : wire::CrossRules()) {
    page += std::string("| `") + rule.name + "` | `" + rule.of->name() + "` | " + rule.says + " |\n";
  }
  return page +
         "\nRoutes, actions and port aliases are read as a whole, and refused by the place where they are wrong; a "
         "strategy is "
         "checked\ntogether with what the app has.\n";
}

}  // namespace baton::law
