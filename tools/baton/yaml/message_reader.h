// Fills a protobuf message from YAML, field by field, by the message's own description: so every field of the API can
// be written in a file, today's and tomorrow's. (protobuf's JSON reader would do the same, and could not say where.)
#pragma once

#include <google/protobuf/message.h>

#include <set>
#include <utility>

#include "tools/baton/yaml/spelling.h"
#include "tools/baton/yaml/yaml_cursor.h"

namespace baton::cli {

// Whose file it is.
enum class Origin {
  kWritten,
  // What the server sets is there, too, and is not read. Messages are taken as they were stored, also those that a check
  // would refuse today.
  kExported,
};

class MessageReader {
 public:
  explicit MessageReader(Origin origin = Origin::kWritten) : origin_(origin) {}

  // Keys mean what MeaningOf says, scalars are read by the field's type. Besides, these may be written short:
  //   IntOrPercent            2 or 25%
  //   environment variables   a map NAME: VALUE         mounted files  a map PATH: CONTENT
  //   a metric tag            its static value
  //   an action               {command: [PATH, ARGUMENT...]}, or {command: LINE} for /bin/sh -c LINE
  //   serial, parallel and codependent actions          the list of their actions
  //   routes                  see app_routes.h
  // A secret that is null or left out becomes a mark of hidden.h. "<redacted>" is no value of one.
  // FileFault: an unknown key, one that cannot be given, one given twice, another type, more than one field of a
  // message that takes exactly one.
  void Read(const YamlCursor& at, google::protobuf::Message& message);

 private:
  using Field = google::protobuf::FieldDescriptor;
  using Message = google::protobuf::Message;

  bool ReadShort(const YamlCursor& at, Message& message);
  bool ReadShortList(const YamlCursor& at, const Field& field, Message& message);
  void ReadKey(const YamlCursor::Entry& entry, Message& message);
  void ReadField(const YamlCursor& at, const Field& field, Reading reading, Message& message);
  void ReadMap(const YamlCursor& at, const Field& field, Message& message);
  void ReadScalar(const YamlCursor& at, const Field& field, Reading reading, Message& message);
  void MarkLeftOut(Message& message);

  Origin origin_;
  // A field has several names: this is how a second one for the same field is seen.
  std::set<std::pair<const Message*, const Field*>> given_;
};

}  // namespace baton::cli
