# What another project needs for find_package(fmbym): libraries, headers, and where their dependencies are.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(fmbym_report PROPERTIES EXPORT_NAME report)
install(TARGETS fmbym fmbym_report EXPORT fmbym-targets)
install(TARGETS fmbym_app)
if(TARGET fmbym_train_app)
  install(TARGETS fmbym_train_app OPTIONAL) # where it was built: not every user trains
endif()
install(DIRECTORY include/fmbym DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(EXISTS ${PROJECT_SOURCE_DIR}/models)
  install(DIRECTORY models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fmbym/models)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/fmbym)
install(EXPORT fmbym-targets NAMESPACE fmbym:: DESTINATION ${package_folder})
configure_package_config_file(cmake/fmbym-config.cmake.in ${PROJECT_BINARY_DIR}/fmbym-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fmbym-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fmbym-config.cmake ${PROJECT_BINARY_DIR}/fmbym-config-version.cmake
  DESTINATION ${package_folder})
