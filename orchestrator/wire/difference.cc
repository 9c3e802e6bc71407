#include "orchestrator/wire/difference.h"

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/message_differencer.h>

#include <memory>

#include "orchestrator/wire/redact.h"

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using Path = std::vector<MessageDifferencer::SpecificField>;

std::unique_ptr<Message> Redacted(const Message& message) {
  std::unique_ptr<Message> copy(message.New());
  copy->CopyFrom(message);
  Redact(*copy);
  return copy;
}

std::string Value(const Message& message, const FieldDescriptor* field, int index) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  printer.SetUseUtf8StringEscaping(true);
  std::string text;
  printer.PrintFieldValueToString(message, field, index, &text);
  while (text.ends_with(' ')) text.pop_back();
  return field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE ? "{" + text + "}" : text;
}

// Follows the path in a message; `after`: by the indexes of the second one.
std::string ValueAt(const Message& root, const Path& path, bool after) {
  const Message* message = &root;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const FieldDescriptor* field = path[i].field;
    const int index = after ? path[i].new_index : path[i].index;
    const auto* reflection = message->GetReflection();
    const bool last = i + 1 == path.size();
    if (field->is_repeated()) {
      if (index < 0 || index >= reflection->FieldSize(*message, field)) return {};
      if (last) return Value(*message, field, index);
      message = &reflection->GetRepeatedMessage(*message, field, index);
    } else {
      if (field->has_presence() && !reflection->HasField(*message, field)) return {};
      if (last) return Value(*message, field, -1);
      message = &reflection->GetMessage(*message, field);
    }
  }
  return {};
}

class Collector final : public MessageDifferencer::Reporter {
 public:
  Collector(const Message& before, const Message& after, std::vector<Difference>& out)
      : before_(Redacted(before)), after_(Redacted(after)), out_(out) {}

  void ReportAdded(const Message&, const Message&, const Path& path) override {
    out_.push_back({Name(path, true), "", ValueAt(*after_, path, true)});
  }
  void ReportDeleted(const Message&, const Message&, const Path& path) override {
    out_.push_back({Name(path, false), ValueAt(*before_, path, false), ""});
  }
  void ReportModified(const Message&, const Message&, const Path& path) override {
    if (path.back().field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return;  // what differs in it is told
    out_.push_back({Name(path, true), ValueAt(*before_, path, false), ValueAt(*after_, path, true)});
  }

 private:
  static std::string Name(const Path& path, bool after) {
    std::string name;
    for (const auto& part : path) {
      if (!name.empty()) name += '.';
      name += part.field->name();
      if (part.field->is_repeated()) name += "[" + std::to_string(after ? part.new_index : part.index) + "]";
    }
    return name;
  }

  std::unique_ptr<Message> before_;
  std::unique_ptr<Message> after_;
  std::vector<Difference>& out_;
};

}  // namespace

std::vector<Difference> Differences(const Message& before, const Message& after) {
  std::vector<Difference> differences;
  Collector collector(before, after, differences);
  MessageDifferencer differencer;
  differencer.set_report_moves(false);
  differencer.set_report_matches(false);
  differencer.ReportDifferencesTo(&collector);
  differencer.Compare(before, after);
  return differences;
}

}  // namespace baton::wire
