#include "orchestrator/wire/differences/compare.h"

#include <google/protobuf/text_format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::wire {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::util::MessageDifferencer;
using Path = std::vector<MessageDifferencer::SpecificField>;

// What differs within an entry of a map, told with the way to it.
class Below final : public MessageDifferencer::Reporter {
 public:
  Below(const Path& above, Reporter& to) : above_(above), to_(to) {}

  void ReportAdded(const Message& one, const Message& other, const Path& path) override {
    to_.ReportAdded(one, other, Whole(path));
  }
  void ReportDeleted(const Message& one, const Message& other, const Path& path) override {
    to_.ReportDeleted(one, other, Whole(path));
  }
  void ReportModified(const Message& one, const Message& other, const Path& path) override {
    to_.ReportModified(one, other, Whole(path));
  }

 private:
  Path Whole(const Path& path) const {
    Path whole = above_;
    whole.insert(whole.end(), path.begin(), path.end());
    return whole;
  }

  const Path& above_;
  Reporter& to_;
};

std::size_t CompareIn(const Message& before, const Message& after, MessageDifferencer::Reporter& reporter);

// Takes maps out of the differencer's hands.
class MapsByKey final : public MessageDifferencer::IgnoreCriteria {
 public:
  MapsByKey(MessageDifferencer::Reporter& reporter, std::size_t& looked) : reporter_(reporter), looked_(looked) {}

  bool IsIgnored(const Message& before, const Message& after, const FieldDescriptor* field,
                 const Path& parents) override {
    ++looked_;
    if (!field->is_map()) return false;
    CompareMaps(before, after, field, parents);
    return true;
  }

 private:
  struct Places {
    int before = -1;
    int after = -1;
  };
  struct Counted {
    std::size_t* looked;
    bool operator()(const std::string& one, const std::string& other) const { return ++*looked, one < other; }
  };

  static std::string KeyOf(const Message& entry) {
    const FieldDescriptor* key = entry.GetDescriptor()->map_key();
    if (key->cpp_type() == FieldDescriptor::CPPTYPE_STRING) return entry.GetReflection()->GetString(entry, key);
    std::string text;
    google::protobuf::TextFormat::PrintFieldValueToString(entry, key, -1, &text);
    return text;
  }

  static const Message& Entry(const Message& message, const FieldDescriptor* field, int index) {
    return message.GetReflection()->GetRepeatedMessage(message, field, index);
  }

  void CompareMaps(const Message& before, const Message& after, const FieldDescriptor* field, const Path& parents) {
    std::map<std::string, Places, Counted> places(Counted{&looked_});
    for (int i = 0; i < before.GetReflection()->FieldSize(before, field); ++i) {
      places[KeyOf(Entry(before, field, i))].before = i;
    }
    for (int i = 0; i < after.GetReflection()->FieldSize(after, field); ++i) {
      places[KeyOf(Entry(after, field, i))].after = i;
    }
    Path path = parents;
    path.emplace_back().field = field;
    for (const auto& [key, at] : places) {
      path.back().index = at.before < 0 ? at.after : at.before;
      path.back().new_index = at.after < 0 ? at.before : at.after;
      if (at.before < 0) {
        reporter_.ReportAdded(before, after, path);
      } else if (at.after < 0) {
        reporter_.ReportDeleted(before, after, path);
      } else {
        Below below(path, reporter_);
        looked_ += CompareIn(Entry(before, field, at.before), Entry(after, field, at.after), below);
      }
    }
  }

  MessageDifferencer::Reporter& reporter_;
  std::size_t& looked_;
};

std::size_t CompareIn(const Message& before, const Message& after, MessageDifferencer::Reporter& reporter) {
  std::size_t looked = 0;
  MessageDifferencer differencer;
  differencer.set_report_moves(false);
  differencer.set_report_matches(false);
  differencer.AddIgnoreCriteria(new MapsByKey(reporter, looked));  // the differencer's from here on
  differencer.ReportDifferencesTo(&reporter);
  differencer.Compare(before, after);
  return looked;
}

}  // namespace

std::size_t Compare(const Message& before, const Message& after, MessageDifferencer::Reporter& reporter) {
  return CompareIn(before, after, reporter);
}

}  // namespace baton::wire
