# A port of the C runtime for vcpkg. Not tested: it was written without vcpkg at hand.
# CREO_ARCHIVE is creo-c-VERSION.tar.gz, as `make dist` makes it.
if(NOT DEFINED ENV{CREO_ARCHIVE})
    message(FATAL_ERROR "set CREO_ARCHIVE to the path of creo-c-${VERSION}.tar.gz")
endif()
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "$ENV{CREO_ARCHIVE}")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME creo CONFIG_PATH lib/cmake/creo DO_NOT_DELETE_PARENT_CONFIG_PATH)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
