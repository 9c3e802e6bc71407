#include "tests/orchestrator/wire/full_definition.h"

#include <fstream>
#include <iterator>

#include "orchestrator/base/check.h"
#include "tools/baton/files/app_file.h"

namespace baton {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

v2::DesiredLRP FullApp() {
  std::ifstream file(BATON_EXAMPLES "/full.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto read = cli::ReadAppFile("full.yaml", text, {{"IMAGE_PASSWORD", "s3cr3t"}});
  CHECK(read.ok());
  return read->front().app;
}

void ForEachValue(Message& message, const FieldVisitor& visit) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      visit(message, *field);
    } else if (field->is_repeated()) {
      for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
        ForEachValue(*reflection->MutableRepeatedMessage(&message, field, i), visit);
      }
    } else {
      ForEachValue(*reflection->MutableMessage(&message, field), visit);
    }
  }
}

}  // namespace baton
