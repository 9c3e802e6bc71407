# What the Debian packages hold: each is a component of its name, and debian/rules installs one component into one package.
# Man pages, completions and configuration files are printed by baton-law from the programs' command lines.
set(programs_1 baton baton-definitions)              # by section of the manual
set(programs_8 batond baton-cell baton-router baton-web)
set(component_of_baton-definitions baton)
set(conf_of_batond batond.conf)
set(conf_of_baton-cell cell.conf)
set(conf_of_baton-router router.conf)
set(conf_of_baton-web web.conf)

set(printed)
# baton_printed(FILE ARGUMENTS...): what `baton-law ARGUMENTS` prints.
function(baton_printed file)
  set(path ${CMAKE_BINARY_DIR}/packaged/${file})
  add_custom_command(OUTPUT ${path} COMMAND $<TARGET_FILE:baton-law> ${ARGN} > ${path} DEPENDS baton-law VERBATIM)
  set(printed ${printed} ${path} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/packaged)
foreach(section 1 8)
  foreach(program ${programs_${section}})
    set(component ${program})
    if(component_of_${program})
      set(component ${component_of_${program}})
    endif()
    install(TARGETS ${program} RUNTIME DESTINATION bin COMPONENT ${component})
    baton_printed(${program}.${section} man ${program})
    install(FILES ${CMAKE_BINARY_DIR}/packaged/${program}.${section} DESTINATION share/man/man${section} COMPONENT ${component})
    baton_printed(${program}.bash completion ${program} bash)
    install(FILES ${CMAKE_BINARY_DIR}/packaged/${program}.bash DESTINATION share/bash-completion/completions RENAME ${program} COMPONENT ${component})
    baton_printed(${program}.zsh completion ${program} zsh)
    install(FILES ${CMAKE_BINARY_DIR}/packaged/${program}.zsh DESTINATION share/zsh/vendor-completions RENAME _${program} COMPONENT ${component})
    if(conf_of_${program})
      baton_printed(${conf_of_${program}} conf ${program})
      install(FILES ${CMAKE_BINARY_DIR}/packaged/${conf_of_${program}} DESTINATION /etc/baton COMPONENT ${component})
    endif()
  endforeach()
endforeach()

install(DIRECTORY docs/guide docs/reference DESTINATION share/doc/baton COMPONENT baton)
install(FILES schema/roles.sql DESTINATION share/baton COMPONENT batond)
install(DIRECTORY deploy/monitoring DESTINATION share/baton COMPONENT batond OPTIONAL)
install(TARGETS baton-shim RUNTIME DESTINATION libexec/baton COMPONENT baton-cell)
install(TARGETS hello RUNTIME DESTINATION libexec/baton COMPONENT baton-examples)
install(DIRECTORY examples/apps examples/controller examples/auctioneer examples/over-tls DESTINATION share/baton/examples COMPONENT baton-examples
  USE_SOURCE_PERMISSIONS)
install(DIRECTORY deploy/upgrade deploy/ha deploy/backup DESTINATION share/baton/examples COMPONENT baton-examples USE_SOURCE_PERMISSIONS OPTIONAL)
install(PROGRAMS deploy/one-machine.sh DESTINATION share/baton/examples COMPONENT baton-examples)
install(FILES deploy/embedded.conf deploy/hello.yaml DESTINATION share/baton/examples COMPONENT baton-examples)

# All that is installed, and nothing else: no demo, no load, no tests.
add_custom_target(packaged DEPENDS ${printed} ${programs_1} ${programs_8} baton-shim hello)
