# baton_discover_suites(program COST cost TIMEOUT seconds PROPERTIES name value...): one ctest test, "Suite.*", for each suite of a
# GoogleTest program, where gtest_discover_tests makes one for each test. The tests of a suite share what their process sets up: a
# PostgreSQL, its migrated template, often a batond. COST and TIMEOUT are of one test.
function(baton_discover_suites program)
  cmake_parse_arguments(D "" "COST;TIMEOUT" "PROPERTIES" ${ARGN})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${program}_suites.cmake)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${program}_include.cmake)
  set(script ${CMAKE_SOURCE_DIR}/cmake/DiscoverSuitesScript.cmake)
  # After each link: the list is of the program that is run.
  add_custom_command(TARGET ${program} POST_BUILD BYPRODUCTS ${made}
    COMMAND ${CMAKE_COMMAND} "-DNAME=${program}" "-DPROGRAM=$<TARGET_FILE:${program}>" "-DMADE=${made}" "-DCOST=${D_COST}" "-DTIMEOUT=${D_TIMEOUT}"
            "-DPROPERTIES=${D_PROPERTIES}" "-DDIR=${CMAKE_CURRENT_BINARY_DIR}" -P ${script}
    VERBATIM)
  file(WRITE ${include} "if(EXISTS \"${made}\")\n  include(\"${made}\")\nelse()\n  add_test(${program}_NOT_BUILT ${program}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
