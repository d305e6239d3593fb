# SPDX-License-Identifier: MIT
# The command itself generates man pages and completions, so that they always match it.
set(generated_dir "${PROJECT_BINARY_DIR}/generated")
set(generated "${generated_dir}/stamp")
add_custom_command(
  OUTPUT "${generated}"
  COMMAND "${CMAKE_COMMAND}" -DCOMMAND=$<TARGET_FILE:mapstone_command> -DDIRECTORY=${generated_dir}
          -P "${PROJECT_SOURCE_DIR}/cmake/generate.cmake"
  DEPENDS mapstone_command "${PROJECT_SOURCE_DIR}/cmake/generate.cmake"
  COMMENT "Man page and completions"
  VERBATIM)
add_custom_target(mapstone_generated ALL DEPENDS "${generated}")
install(DIRECTORY "${generated_dir}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
install(FILES "${generated_dir}/mapstone.bash" RENAME mapstone OPTIONAL
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${generated_dir}/mapstone.zsh" RENAME _mapstone OPTIONAL
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${generated_dir}/mapstone.fish" OPTIONAL
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
