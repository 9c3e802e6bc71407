// Names of types: one in a namespace is of one type. Two of one name, linked into one program, are one of them for the
// linker (ODR), and no compiler says so. Each program has a namespace of its own for that.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace baton::tidy {

// Classes, structs, unions and enumerations that a source defines in a namespace, "baton::cell::Ports". Not those
// within a class, nor in an anonymous namespace.
std::vector<std::string> TypesIn(const std::string& source);

// Each type that is defined twice, as "baton::Ports: is in a/x.h and in b/y.h"; by paths of sources.
std::vector<std::string> CheckTypeNames(const std::map<std::string, std::string>& sources);

// The faults of a program's source, each as "path:line: what": its names are in the program's namespace.
std::vector<std::string> CheckProgramNamespace(const std::string& path, const std::string& text);

}  // namespace baton::tidy
