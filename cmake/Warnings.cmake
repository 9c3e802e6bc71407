# Warnings are errors in our own code. Generated code (protobuf) does not link against this.
add_library(baton_warnings INTERFACE)
target_compile_options(baton_warnings INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor
  # Designated initialisers name what they set; g++ 12 warns about the rest.
  -Wno-missing-field-initializers
  # False alarms of g++ 12 in std::string and std::variant (gcc bugs 105651, 105562); 13 does not give them.
  -Wno-restrict -Wno-maybe-uninitialized
  # A class of one .cc may hold what is in its unnamed namespace: eight files are compiled as one (BuildKind.cmake).
  -Wno-subobject-linkage)
