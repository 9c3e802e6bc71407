# Boost 1.74's MSM does not compile as C++20 with g++ 12: five constructors of back/state_machine.hpp are named with
# their template arguments (boostorg/msm#38, fixed in 1.77). Where the installed header fails, a copy of that one file
# with the constructors' names mended goes first on the include path. Link `baton_msm` only where a law is compiled.
include(CheckCXXSourceCompiles)

add_library(baton_msm INTERFACE)
target_compile_definitions(baton_msm INTERFACE BOOST_BIND_GLOBAL_PLACEHOLDERS BOOST_ALLOW_DEPRECATED_HEADERS)

set(CMAKE_REQUIRED_FLAGS "-std=c++20 -w")
check_cxx_source_compiles("
#include <boost/msm/front/state_machine_def.hpp>
#include <boost/msm/back/state_machine.hpp>
struct Front : boost::msm::front::state_machine_def<Front> {
  struct S : boost::msm::front::state<> {};
  using initial_state = S;
  using transition_table = boost::mpl::vector<>;
};
int main() { boost::msm::back::state_machine<Front> m; m.start(); }
" BATON_MSM_COMPILES)
unset(CMAKE_REQUIRED_FLAGS)

find_path(BATON_BOOST_INCLUDE boost/msm/back/state_machine.hpp REQUIRED)
if(NOT BATON_MSM_COMPILES)
  set(fixed ${CMAKE_BINARY_DIR}/msm-fixed)
  file(READ ${BATON_BOOST_INCLUDE}/boost/msm/back/state_machine.hpp text)
  string(REGEX REPLACE "(\n +)state_machine<A0,A1,A2,A3,A4[ \n]*>[ \n]*\\(" "\\1state_machine(" text "${text}")
  set(header ${fixed}/boost/msm/back/state_machine.hpp)
  set(before "")
  if(EXISTS ${header})
    file(READ ${header} before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")  # an unchanged file keeps its time, so nothing is rebuilt
    file(WRITE ${header} "${text}")
  endif()
  target_include_directories(baton_msm SYSTEM INTERFACE ${fixed})
endif()
