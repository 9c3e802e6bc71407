#include "tests/tools/baton/any_app.h"

#include <rapidcheck.h>

#include <limits>
#include <vector>

#include "tools/baton/yaml/spelling.h"

namespace baton::cli {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr int kDeepest = 7;  // from there on actions are plain

int Below(int end) { return *rc::gen::inRange(0, end); }

void AppendUtf8(char32_t c, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6)), tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0);
  }
}

std::string AnyCharacters() {
  std::string text;
  for (int left = Below(12); left > 0; --left) {
    const int kind = Below(4);
    const int c = kind == 0   ? 1 + Below(0x9F)
                  : kind == 1 ? 0x20 + Below(0x5F)
                  : kind == 2 ? 0xA0 + Below(0xD7FF - 0xA0)
                              : 0xE000 + Below(0x10FFFF - 0xE000);
    AppendUtf8(static_cast<char32_t>(c), text);
  }
  return text;
}

std::string AnyText() {
  static const std::vector<std::string> kTexts{
      "",       "a",      "${X}",   "$${",   "$$${a}", "${",        "true",  "null",   "~",     "1.10",
      "0x1F",   "-",      "<redacted>", "!raw", "a: b",  "# c",      " a",    "a ",     "\n",    "a\nb\n",
      "\t",     "\r\n",   "é",      "😀",    "\x7f",   "\xc2\x85",  "\u2028", "\ufeff", "\ufffe", "\x01",  "\x04",
      "*a",     "&a",     "|",      ">",     "---",    "...",       "'",     "\"",     "\\",    "%",
      "@",      "`",      "{",      "[a]",   "? b",    "<<",        "yes",   "2026-11-23", ",", std::string(3000, 'k')};
  return Below(3) == 0 ? AnyCharacters() : kTexts[static_cast<std::size_t>(Below(static_cast<int>(kTexts.size())))];
}

std::string AnyPayload() {
  static const std::vector<std::string> kPayloads{
      R"([{"hostnames":["a.example"],"port":8080}])",
      R"([{"hostnames":["a.example","b.example/api"],"port":1},{"hostnames":["*.c"],"port":65535}])",
      R"([ {"hostnames": ["a.example"], "port": 8080} ])",
      R"([{"port":8080,"hostnames":["a.example"]}])",
      R"([{"hostnames":["a.example"],"port":8080,"route_service_url":null,"isolation_segment":""}])",
      R"([{"hostnames":[],"port":8080}])",
      R"([{"hostnames":["\u00e9"],"port":8080}])",
      R"([{"external_port":1024,"container_port":9000}])",
      R"({"a":"8080","b":1e5,"c":12345678901234567890,"d":null,"e":true,"f":"${X}","a":1})",
      "[]", "{}", "", "null", "7", "\"text\"", "no JSON: [", "\xff\xfe", std::string("\0a", 2), "a\nb", "${X}",
      std::string(5000, '[') + std::string(5000, ']')};
  return kPayloads[static_cast<std::size_t>(Below(static_cast<int>(kPayloads.size())))];
}

template <class Number>
Number AnyNumber() {
  using Limits = std::numeric_limits<Number>;
  return *rc::gen::element<Number>(0, 1, 8080, Limits::max(), Limits::min(), static_cast<Number>(Limits::max() / 3));
}

// Exactly one of its fields says what it is.
bool TakesOne(const google::protobuf::Descriptor& type) {
  return &type == v1::Action::descriptor() || &type == v1::Check::descriptor() ||
         &type == v1::MetricTagValue::descriptor();
}

class Filler {
 public:
  void Fill(Message& message, int depth) {
    const auto& type = *message.GetDescriptor();
    if (auto* routes = dynamic_cast<v1::ProtoRoutes*>(&message)) return FillRoutes(*routes);
    if (TakesOne(type) && Below(20) == 0) return;  // nobody looked when it was stored
    if (TakesOne(type)) {
      const bool plain = depth >= kDeepest && &type == v1::Action::descriptor();
      return Set(message, plain ? *type.FindFieldByName("run_action") : *type.field(Below(type.field_count())), depth);
    }
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      if (!BelongsToTheApp(field) && Below(3) == 0) Set(message, field, depth);
    }
  }

 private:
  static void FillRoutes(v1::ProtoRoutes& routes) {
    for (int left = Below(3); left > 0; --left) {
      (*routes.mutable_routes())[*rc::gen::element<std::string>("cf-router", "tcp-router", "x", "1", "null")] =
          AnyPayload();
    }
  }

  void Set(Message& message, const FieldDescriptor& field, int depth) {
    const auto* r = message.GetReflection();
    if (!field.is_repeated()) {
      if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return Fill(*r->MutableMessage(&message, &field), depth + 1);
      return SetScalar(message, field);
    }
    for (int left = Below(4); left > 0; --left) {
      if (field.is_map()) {
        AddEntry(message, field, depth);
      } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        Fill(*r->AddMessage(&message, &field), depth + 1);
      } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        r->AddString(&message, &field, AnyText());
      } else {
        r->AddUInt32(&message, &field, AnyNumber<std::uint32_t>());
      }
    }
  }

  void AddEntry(Message& message, const FieldDescriptor& field, int depth) {
    if (auto* app = dynamic_cast<v2::DesiredLRP*>(&message)) {
      return Fill((*app->mutable_metric_tags())[AnyText()], depth + 1);
    }
    (*dynamic_cast<v1::Network&>(message).mutable_properties())[AnyText()] = AnyText();
    RC_ASSERT(field.full_name() == "baton.v1.Network.properties");  // another map needs its own line here
  }

  static void SetScalar(Message& message, const FieldDescriptor& field) {
    const auto* r = message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32: return r->SetInt32(&message, &field, AnyNumber<std::int32_t>());
      case FieldDescriptor::CPPTYPE_INT64: return r->SetInt64(&message, &field, AnyNumber<std::int64_t>());
      case FieldDescriptor::CPPTYPE_UINT32: return r->SetUInt32(&message, &field, AnyNumber<std::uint32_t>());
      case FieldDescriptor::CPPTYPE_UINT64: return r->SetUInt64(&message, &field, AnyNumber<std::uint64_t>());
      case FieldDescriptor::CPPTYPE_BOOL: return r->SetBool(&message, &field, Below(2) == 1);
      case FieldDescriptor::CPPTYPE_ENUM: return r->SetEnumValue(&message, &field, Below(6));
      case FieldDescriptor::CPPTYPE_STRING: return r->SetString(&message, &field, AnyText());
      default: RC_FAIL("a field of a type that no app has yet: " + field.full_name());
    }
  }
};

}  // namespace

v2::DesiredLRP AnyApp() {
  v2::DesiredLRP app;
  Filler().Fill(app, 0);
  app.set_process_guid("shop");
  app.set_domain("demo");
  app.mutable_routes();
  app.mutable_strategy();
  app.mutable_modification_tag()->set_epoch("epoch");
  if (app.image_username().empty()) app.clear_image_password();
  v2::LRPDefinition& definition = *app.mutable_definition();
  definition.set_content_hash("hash");
  definition.set_definition_identifier(*rc::gen::element<std::string>("hash", "v1", "true", "1.10"));
  definition.mutable_resource()->set_root_fs("host:any");
  auto& action = *definition.mutable_run_info()->mutable_action();
  if (action.ByteSizeLong() == 0) action.mutable_run_action();
  return app;
}

}  // namespace baton::cli
