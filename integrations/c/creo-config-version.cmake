set(PACKAGE_VERSION "@VERSION@")

# Before version 1 another minor version may break what was.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _creo_series "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" _creo_asked "${PACKAGE_FIND_VERSION}.0")
if(_creo_series STREQUAL _creo_asked AND NOT PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
    if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
        set(PACKAGE_VERSION_EXACT TRUE)
    endif()
else()
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
endif()
