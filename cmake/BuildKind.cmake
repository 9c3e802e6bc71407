# Which kind of build this is: Release (default), or one with a sanitizer. Assertions (CHECK) stay on in all of them.
#   -DBATON_SANITIZE=address   AddressSanitizer and UndefinedBehaviorSanitizer
#   -DBATON_SANITIZE=thread    ThreadSanitizer; only with -DBATON_PURE_ONLY=ON, because Debian's gRPC is not
#                              instrumented: it gives false reports, and suppressing them hides the true ones.
option(BATON_PURE_ONLY "Build only what needs neither gRPC nor PostgreSQL" OFF)
set(BATON_SANITIZE "" CACHE STRING "address, thread or nothing")

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
if(BATON_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
elseif(BATON_SANITIZE STREQUAL "thread")
  if(NOT BATON_PURE_ONLY)
    message(FATAL_ERROR "BATON_SANITIZE=thread needs -DBATON_PURE_ONLY=ON: Debian's gRPC is not instrumented")
  endif()
  add_compile_options(-fsanitize=thread -g1)
  add_link_options(-fsanitize=thread)
elseif(BATON_SANITIZE)
  message(FATAL_ERROR "BATON_SANITIZE is '${BATON_SANITIZE}'; it can be empty, address or thread")
endif()

# What Debian builds its own packages with, and a few more. An overrun ends the program instead of being used.
# tests/supply reads what came out of it from the built files.
if(NOT BATON_SANITIZE)
  add_compile_definitions(_FORTIFY_SOURCE=2)
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_compile_options(-fstack-protector-strong -fstack-clash-protection)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-fcf-protection)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
  add_compile_options(-mbranch-protection=standard)
endif()
# No table of functions that could be written to while a program runs, and no fixed place for its code.
add_link_options(-Wl,-z,relro,-z,now $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)

# Files are small for those who read them. Most of what the compiler does for a small file is to read its headers, so
# eight files of a target are compiled as one. Names in unnamed namespaces are therefore of the target, not of the file.
option(BATON_UNITY "Compile eight files of a target as one" ON)
set(CMAKE_UNITY_BUILD ${BATON_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
if(BATON_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ looks for garbage each time its memory has grown by a third from 128 MB, and finds little in one of ours: a gigabyte
  # without saves a tenth to a quarter of its time.
  add_compile_options(--param=ggc-min-heapsize=1000000)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Paths relative to the sources: another clone or another build folder finds the same objects. How g++ keeps its memory changes
  # none of them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_IGNOREOPTIONS=--param=ggc-min-heapsize=1000000 ${CCACHE_PROGRAM})
endif()
