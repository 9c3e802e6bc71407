# Warnings are errors in our own code. Generated code (protobuf) does not link against this.
add_library(baton_warnings INTERFACE)
target_compile_options(baton_warnings INTERFACE -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor
  -Wno-missing-field-initializers)  # designated initialisers name what they set; g++ 12 warns about the rest
