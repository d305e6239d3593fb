# SPDX-License-Identifier: MIT
# wasm32-wasi with clang, lld and Debian's wasi-libc; the result runs in node.
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}") # Platform/WASI.cmake
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar CACHE FILEPATH "")
set(CMAKE_RANLIB llvm-ranlib CACHE FILEPATH "")
# Debian keeps both libcs under /usr/include: without this, headers that wasi-libc lacks would be glibc's.
set(CMAKE_C_FLAGS_INIT "-nostdlibinc -Wno-unused-command-line-argument -isystem /usr/include/wasm32-wasi")
# wasm-ld's default stack of 64 KiB would overflow into the data unnoticed.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,-z,stack-size=1048576 -Wl,--stack-first")
set(CMAKE_CROSSCOMPILING_EMULATOR node --no-warnings --single-threaded --no-turbo-fast-api-calls
    "${CMAKE_CURRENT_LIST_DIR}/../tests/cross/wasi-run.mjs")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
