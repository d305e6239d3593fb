# SPDX-License-Identifier: MIT
# Run by the build: cmake -DCOMMAND=mapstone -DDIRECTORY=dir -P generate.cmake
# A page that the command cannot write is skipped with a warning; the build continues.
set(text)
function(generate file)
  execute_process(COMMAND "${COMMAND}" help ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_QUIET)
  if(result EQUAL 0 AND NOT text STREQUAL "")
    file(WRITE "${DIRECTORY}/${file}" "${text}")
    set(text "${text}" PARENT_SCOPE)
  else()
    file(REMOVE "${DIRECTORY}/${file}")
    list(JOIN ARGN " " words)
    message(WARNING "mapstone help ${words}: gave nothing (${result})")
  endif()
endfunction()

generate(man1/mapstone.1 --man)
# ... and one for each command that it references, as mapstone\-git\-setup.
string(REGEX MATCHALL "BR mapstone[^ ]+" pages "${text}")
foreach(page IN LISTS pages)
  string(REPLACE "\\" "" page "${page}")
  string(REPLACE "BR mapstone-" "" page "${page}")
  generate(man1/mapstone-${page}.1 --man ${page})
endforeach()
foreach(shell bash zsh fish)
  generate(mapstone.${shell} --completion ${shell})
endforeach()
file(WRITE "${DIRECTORY}/stamp" "")
