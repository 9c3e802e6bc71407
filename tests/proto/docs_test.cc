// Holds the .proto sources to their documentation: whatever a client can name (message, field, enum value, service,
// rpc) is described above it. In v1 each has a comment of its own. In v2 a comment may also serve what follows it
// without a blank line: fields of one group, or the first group in a message that is described itself.
#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace baton {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FileDescriptor;
using google::protobuf::OneofDescriptor;
using google::protobuf::ServiceDescriptor;
using google::protobuf::SourceLocation;

// Something with a comment, or what stands in for a group of such: a file, a oneof.
struct Part {
  std::string name;
  bool must_be_described = true;
  bool has_comment = false;
  int first_line = -1;
  int last_line = -1;
  std::vector<Part> parts;
};

template <typename T>
Part MakePart(const T& descriptor) {
  SourceLocation at;
  Part part{.name = descriptor.full_name()};
  if (!descriptor.GetSourceLocation(&at)) return part;
  part.has_comment = !at.leading_comments.empty();
  part.first_line = at.start_line;
  part.last_line = at.end_line;
  return part;
}

Part ReadEnum(const EnumDescriptor& type) {
  Part part = MakePart(type);
  for (int i = 0; i < type.value_count(); ++i) part.parts.push_back(MakePart(*type.value(i)));
  return part;
}

Part ReadOneof(const OneofDescriptor& oneof) {
  Part part = MakePart(oneof);
  part.must_be_described = false;
  for (int i = 0; i < oneof.field_count(); ++i) part.parts.push_back(MakePart(*oneof.field(i)));
  return part;
}

Part ReadMessage(const Descriptor& message) {
  Part part = MakePart(message);
  for (int i = 0; i < message.field_count(); ++i) {
    if (message.field(i)->real_containing_oneof() == nullptr) part.parts.push_back(MakePart(*message.field(i)));
  }
  for (int i = 0; i < message.real_oneof_decl_count(); ++i) part.parts.push_back(ReadOneof(*message.oneof_decl(i)));
  for (int i = 0; i < message.enum_type_count(); ++i) part.parts.push_back(ReadEnum(*message.enum_type(i)));
  for (int i = 0; i < message.nested_type_count(); ++i) {
    if (!message.nested_type(i)->options().map_entry()) part.parts.push_back(ReadMessage(*message.nested_type(i)));
  }
  return part;
}

Part ReadService(const ServiceDescriptor& service) {
  Part part = MakePart(service);
  for (int i = 0; i < service.method_count(); ++i) part.parts.push_back(MakePart(*service.method(i)));
  return part;
}

Part ReadFile(const FileDescriptor& file) {
  Part part{.name = file.name(), .must_be_described = false};
  for (int i = 0; i < file.message_type_count(); ++i) part.parts.push_back(ReadMessage(*file.message_type(i)));
  for (int i = 0; i < file.enum_type_count(); ++i) part.parts.push_back(ReadEnum(*file.enum_type(i)));
  for (int i = 0; i < file.service_count(); ++i) part.parts.push_back(ReadService(*file.service(i)));
  return part;
}

enum class Rule { kOwnComment, kOwnOrGroup };

// Walks in the order of the source. A part is served by its own comment, or by that of its group: its neighbour above
// (the last one before it, or the opening line of what it is in) is served and there is no line between them.
void CollectUndescribed(Part part, Rule rule, bool served, std::set<std::string>& out) {
  std::sort(part.parts.begin(), part.parts.end(),
            [](const Part& a, const Part& b) { return a.first_line < b.first_line; });
  int line_above = part.first_line;
  bool above_served = served;
  for (const Part& child : part.parts) {
    const bool in_group = rule == Rule::kOwnOrGroup && above_served && child.first_line == line_above + 1;
    const bool child_served = child.has_comment || in_group;
    if (child.must_be_described && !child_served) out.insert(child.name);
    CollectUndescribed(child, rule, child_served, out);
    line_above = child.last_line;
    above_served = child_served;
  }
}

// What protoc read from the sources at build time, comments included. (Not with protobuf's own Importer: its header is
// in a package that nothing else needs.)
google::protobuf::FileDescriptorSet Sources() {
  google::protobuf::FileDescriptorSet sources;
  std::ifstream in(BATON_PROTO_SOURCES, std::ios::binary);
  EXPECT_TRUE(sources.ParseFromIstream(&in)) << BATON_PROTO_SOURCES;
  return sources;
}

std::set<std::string> UndescribedIn(const google::protobuf::FileDescriptorSet& sources, const std::string& folder,
                                    Rule rule) {
  google::protobuf::DescriptorPool pool;
  std::set<std::string> out;
  int files = 0;
  for (const auto& source : sources.file()) {  // in the order of their imports
    const FileDescriptor* file = pool.BuildFile(source);
    if (file == nullptr) {
      ADD_FAILURE() << source.name();
    } else if (source.name().starts_with(folder)) {
      CollectUndescribed(ReadFile(*file), rule, false, out);
      ++files;
    }
  }
  EXPECT_GT(files, 0) << folder;
  return out;
}

TEST(DocsTest, EverythingInV1HasACommentOfItsOwn) {
  EXPECT_THAT(UndescribedIn(Sources(), "baton/v1", Rule::kOwnComment), ::testing::IsEmpty());
}

TEST(DocsTest, EverythingInV2IsDescribed) {
  EXPECT_THAT(UndescribedIn(Sources(), "baton/v2", Rule::kOwnOrGroup), ::testing::IsEmpty());
}

}  // namespace
}  // namespace baton
