# SPDX-License-Identifier: MIT
# Installs the libraries, the headers, the command, and the files for finding them: pkg-config and CMake.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mapstone")

# The static library has a separate file: only its users must find the optional libraries as well.
install(TARGETS mapstone_static EXPORT mapstone-static ARCHIVE)
install(EXPORT mapstone-static NAMESPACE mapstone:: DESTINATION "${package_dir}")
if(TARGET mapstone)
  install(TARGETS mapstone EXPORT mapstone-shared LIBRARY)
  install(EXPORT mapstone-shared NAMESPACE mapstone:: DESTINATION "${package_dir}")
endif()
if(TARGET mapstone_command)
  install(TARGETS mapstone_command RUNTIME)
endif()
install(DIRECTORY include/mapstone TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE TYPE DOC)
if(EXISTS "${PROJECT_SOURCE_DIR}/web/dist/index.html") # made by `make web`
  install(DIRECTORY web/dist/ DESTINATION "${CMAKE_INSTALL_DATADIR}/mapstone/page"
          FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
          REGEX "/(bin\\.mjs|command\\.wasm|package\\.json|README\\.md|[^/]*\\.d\\.ts)$" EXCLUDE) # of the npm package
endif()
if(UNIX AND NOT APPLE AND TARGET mapstone_command)
  install(FILES packaging/desktop/mapstone.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES packaging/desktop/mapstone.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(FILES packaging/desktop/mapstone.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  install(FILES packaging/desktop/mapstone.thumbnailer DESTINATION "${CMAKE_INSTALL_DATADIR}/thumbnailers")
endif()

configure_package_config_file(packaging/mapstone-config.cmake.in mapstone-config.cmake
                              INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(mapstone-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/mapstone-config.cmake" "${PROJECT_BINARY_DIR}/mapstone-config-version.cmake"
        DESTINATION "${package_dir}")

# The directories in pkg-config's form: relative ones below the prefix, absolute ones unchanged.
foreach(kind LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    set(PC_${kind} "${CMAKE_INSTALL_${kind}}")
  else()
    set(PC_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()
# libarchive's own module requires a dozen libraries that only its static form needs, and whose development files
# may be missing.
set(PC_LIBS_PRIVATE "-lm")
set(modules ${MAPSTONE_LINKED_MODULES})
if("libarchive" IN_LIST modules)
  list(REMOVE_ITEM modules libarchive)
  set(PC_LIBS_PRIVATE "-larchive -lm")
elseif(MAPSTONE_ARCHIVE_SONAME AND CMAKE_DL_LIBS)
  set(PC_LIBS_PRIVATE "-l${CMAKE_DL_LIBS} -lm")
endif()
list(JOIN modules " " PC_REQUIRES_PRIVATE)
configure_file(packaging/mapstone.pc.in mapstone.pc.configured @ONLY)
# The prefix may be given only when installing (cmake --install --prefix), so it is written then.
install(CODE "
  file(READ \"${PROJECT_BINARY_DIR}/mapstone.pc.configured\" text)
  string(REPLACE \"%PREFIX%\" \"\${CMAKE_INSTALL_PREFIX}\" text \"\${text}\")
  file(WRITE \"${PROJECT_BINARY_DIR}/mapstone.pc\" \"\${text}\")")
install(FILES "${PROJECT_BINARY_DIR}/mapstone.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
