# Warnings, optimisation and sanitizers for every target of this project; none of it reaches its users.
add_library(fmbym_options INTERFACE)
target_compile_options(fmbym_options INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic)
# Nothing here reads errno after a maths call, and without it sqrt and friends vectorise.
target_compile_options(fmbym_options INTERFACE -fno-math-errno)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

if(FMBYM_SANITIZE)
  add_compile_options(-fsanitize=${FMBYM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FMBYM_SANITIZE})
  add_compile_definitions(FMBYM_SANITIZED)
endif()
