# baton_embed_files(TARGET lib NAMESPACE ns NAME name FILES a.sql b.sql ...)
# Makes <name>.h and <name>.cc in the build folder: `std::span<const ns::EmbeddedFile> ns::Name()`, with each file's
# name and text. The text is split into literals under the compiler's limit; nothing in it is interpreted here.
function(baton_embed_files)
  cmake_parse_arguments(E "" "TARGET;NAMESPACE;NAME;FUNCTION" "FILES" ${ARGN})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(script ${CMAKE_SOURCE_DIR}/cmake/EmbedFilesScript.cmake)
  set(absolute "")
  foreach(file IN LISTS E_FILES)
    get_filename_component(file ${file} ABSOLUTE)  # a file that is made itself is absolute already
    list(APPEND absolute ${file})
  endforeach()
  add_custom_command(
    OUTPUT ${dir}/${E_NAME}.h ${dir}/${E_NAME}.cc
    COMMAND ${CMAKE_COMMAND} "-DFILES=${absolute}" -DDIR=${dir} -DNAME=${E_NAME} -DNAMESPACE=${E_NAMESPACE}
            -DFUNCTION=${E_FUNCTION} -P ${script}
    DEPENDS ${absolute} ${script}
    VERBATIM)
  target_sources(${E_TARGET} PRIVATE ${dir}/${E_NAME}.cc ${dir}/${E_NAME}.h)
  target_include_directories(${E_TARGET} PUBLIC ${dir})
endfunction()
