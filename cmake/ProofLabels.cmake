# baton_proof(name program [FILES a.cc b.cc ...]): `./dev prove` runs these tests of the program, by their label prove-NAME: all of them, or
# those that stand in some of its files. Which suites a file has is read from it after each link, so that a new one is proven by itself.
# Stands beside the baton_test of the program.
function(baton_proof name program)
  cmake_parse_arguments(P "" "" "FILES" ${ARGN})
  set(proof ${name})
  foreach(file IN LISTS P_FILES)
    get_target_property(sources ${program} SOURCES)
    if(NOT file IN_LIST sources)
      message(FATAL_ERROR "baton_proof(${name} ${program}): ${file} is none of its sources")
    endif()
    string(APPEND proof ">${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  endforeach()
  get_target_property(before ${program} BATON_PROOFS)
  set_property(TARGET ${program} APPEND PROPERTY BATON_PROOFS ${proof})
  if(before)
    return()
  endif()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${program}_proofs.cmake)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${program}_proofs_include.cmake)
  add_custom_command(TARGET ${program} POST_BUILD BYPRODUCTS ${made}
    COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${program}" "-DMADE=${made}" "-DLABEL=$<TARGET_PROPERTY:${program},BATON_LABEL>"
            "-DPROOFS=$<JOIN:$<TARGET_PROPERTY:${program},BATON_PROOFS>,|>" -P ${CMAKE_SOURCE_DIR}/cmake/ProofLabelsScript.cmake
    VERBATIM)
  # Before the first build there is no test to be labelled either.
  file(WRITE ${include} "include(\"${made}\" OPTIONAL)\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
