# One CMake target a floor's folder: what a target does not link, it cannot reach at link time; tests/tidy reads the
# includes as the second, independent means. baton_floor(name DEPS targets...) takes every .cc beside it and in its rooms: the
# folders below it. A room is no target.
function(baton_floor name)
  cmake_parse_arguments(F "" "" "DEPS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(sources)
    add_library(${name} STATIC ${sources})
    list(FILTER sources INCLUDE REGEX "law\\.cc$")  # its tables name states and events in an unnamed namespace
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_link_libraries(${name} PUBLIC ${F_DEPS} PRIVATE baton_warnings ${F_PRIVATE})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${F_DEPS})
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
  endif()
endfunction()

# baton_program(name DEPS targets...): an executable from every .cc beside it.
function(baton_program name)
  cmake_parse_arguments(F "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE baton_warnings ${F_DEPS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
endfunction()

# Sources that run once a process and take long to optimise (command lines of CLI11 cost 18 seconds each, 8 without). A cold build
# took 16 minutes on two cores (2026-11-25). Not -O0: the linker may take its copies of functions in headers, those of
# std::string for one, for all others of the program, which costs a quarter of batond's CPU.
function(baton_quick_to_build)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O1)
endfunction()
