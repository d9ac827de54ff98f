# find_package(creo): the target creo::runtime, and the function creo_generate(). It works from the archive of sources, where it compiles the runtime with
# your project, and from an installation.
include("${CMAKE_CURRENT_LIST_DIR}/creo-generate.cmake")

if(NOT TARGET creo::runtime)
    get_filename_component(_creo_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
    if(EXISTS "${_creo_root}/src/creo.c")
        add_library(creo_runtime STATIC EXCLUDE_FROM_ALL "${_creo_root}/src/creo.c")
        add_library(creo::runtime ALIAS creo_runtime)
        target_include_directories(creo_runtime SYSTEM PUBLIC "${_creo_root}/include")
        target_compile_features(creo_runtime PUBLIC c_std_11)
        target_link_libraries(creo_runtime PUBLIC $<$<PLATFORM_ID:Windows>:ws2_32>)
        set_target_properties(creo_runtime PROPERTIES OUTPUT_NAME creo POSITION_INDEPENDENT_CODE ON)
    else()
        # Installed in LIBRARIES/cmake/creo, where LIBRARIES is lib or lib/ARCHITECTURE.
        get_filename_component(_creo_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
        foreach(_creo_prefix "${_creo_libraries}/.." "${_creo_libraries}/../..")
            if(EXISTS "${_creo_prefix}/include/creo/creo.h" AND NOT TARGET creo::runtime)
                get_filename_component(_creo_include "${_creo_prefix}/include" ABSOLUTE)
                add_library(creo::runtime STATIC IMPORTED)
                set_target_properties(creo::runtime PROPERTIES
                    IMPORTED_LOCATION "${_creo_libraries}/libcreo.a"
                    INTERFACE_INCLUDE_DIRECTORIES "${_creo_include}"
                    INTERFACE_COMPILE_FEATURES c_std_11
                    INTERFACE_LINK_LIBRARIES $<$<PLATFORM_ID:Windows>:ws2_32>)
            endif()
        endforeach()
        if(NOT TARGET creo::runtime)
            set(creo_FOUND FALSE)
            set(creo_NOT_FOUND_MESSAGE "the headers of creo are not beside its library in ${_creo_libraries}")
        endif()
    endif()
endif()
