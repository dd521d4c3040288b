# SPDX-License-Identifier: Apache-2.0
# How folders become targets.

include(GoogleTest)

# Seconds for one test; sanitizers slow a program down five to fifteen times.
set(SPINDRIFT_TEST_TIMEOUT 120)
if(SPINDRIFT_SANITIZE)
    set(SPINDRIFT_TEST_TIMEOUT 900)
endif()

# Sources and tests of FOLDER, from the project's root.  A library of src/ takes its subfolders in; elsewhere a subfolder
# is a program of its own.
function(spindrift_sources FOLDER SOURCES TESTS)
    set(glob GLOB)
    if(FOLDER MATCHES "^src/")
        set(glob GLOB_RECURSE)
    endif()
    file(${glob} sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${FOLDER}/*.cpp)
    set(tests ${sources})
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    set(${SOURCES} ${sources} PARENT_SCOPE)
    set(${TESTS} ${tests} PARENT_SCOPE)
endfunction()

# Those of our libraries that exist: a folder not there yet is passed over, a misplaced or misspelt line is not.
function(spindrift_existing OUTPUT)
    set(existing "")
    foreach(name ${ARGN})
        if(TARGET spindrift_${name})
            list(APPEND existing spindrift_${name})
        elseif(EXISTS ${PROJECT_SOURCE_DIR}/src/${name} OR NOT name IN_LIST SPINDRIFT_DECLARED)
            message(FATAL_ERROR "library '${name}' is used before its spindrift_library() line")
        endif()
    endforeach()
    set(${OUTPUT} ${existing} PARENT_SCOPE)
endfunction()

# spindrift_library(NAME [FROM folder] [DEPENDS ours...] [LINK_PUBLIC theirs...] [LINK theirs...])
# makes spindrift::NAME of the *.cpp under src/NAME and NAME_test of the *_test.cpp there.
# LINK_PUBLIC is for what its headers show, LINK for what stays inside.
function(spindrift_library NAME)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "DEPENDS;LINK_PUBLIC;LINK")
    set_property(GLOBAL APPEND PROPERTY SPINDRIFT_DECLARED ${NAME})
    get_property(SPINDRIFT_DECLARED GLOBAL PROPERTY SPINDRIFT_DECLARED)
    set(folder src/${NAME})
    if(arg_FROM)
        set(folder ${arg_FROM})
    endif()
    spindrift_sources(${folder} sources tests)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.h)
    if(NOT sources AND NOT headers)
        return()
    endif()
    spindrift_existing(depends ${arg_DEPENDS})

    # A folder of headers alone is a library without a file.
    if(sources)
        set(public PUBLIC)
        add_library(spindrift_${NAME} STATIC ${sources})
        target_link_libraries(spindrift_${NAME} PRIVATE ${arg_LINK})
    else()
        set(public INTERFACE)
        add_library(spindrift_${NAME} INTERFACE)
        target_link_libraries(spindrift_${NAME} INTERFACE ${arg_LINK})
    endif()
    add_library(spindrift::${NAME} ALIAS spindrift_${NAME})
    target_link_libraries(spindrift_${NAME} ${public} spindrift_flags ${depends} ${arg_LINK_PUBLIC})
    target_include_directories(spindrift_${NAME} ${public} ${PROJECT_SOURCE_DIR}/src)
    if(arg_FROM)
        target_include_directories(spindrift_${NAME} ${public} ${PROJECT_SOURCE_DIR})
    endif()
    set_property(GLOBAL APPEND PROPERTY SPINDRIFT_LIBRARIES spindrift_${NAME})

    if(tests AND SPINDRIFT_TESTS)
        spindrift_test(${NAME}_test unit SOURCES ${tests} LINK spindrift_${NAME} ${arg_LINK})
    endif()
endfunction()

# spindrift_program(NAME FROM folder [DEPENDS ours...] [LINK theirs...])
function(spindrift_program NAME)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "DEPENDS;LINK")
    get_property(SPINDRIFT_DECLARED GLOBAL PROPERTY SPINDRIFT_DECLARED)
    spindrift_sources(${arg_FROM} sources tests)
    if(NOT sources)
        return()
    endif()
    spindrift_existing(depends ${arg_DEPENDS})
    add_executable(${NAME} ${sources})
    target_link_libraries(${NAME} PRIVATE spindrift_flags ${depends} ${arg_LINK})
    target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
endfunction()

# spindrift_test(NAME LABEL SOURCES ... LINK ...)
function(spindrift_test NAME LABEL)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LINK")
    add_executable(${NAME} ${arg_SOURCES})
    # All of a label are built by one target: unit_tests.
    if(NOT TARGET ${LABEL}_tests)
        add_custom_target(${LABEL}_tests)
    endif()
    add_dependencies(${LABEL}_tests ${NAME})
    target_link_libraries(${NAME} PRIVATE spindrift_flags ${arg_LINK} rapidcheck rapidcheck_gtest GTest::gtest_main)
    target_compile_definitions(${NAME} PRIVATE SPINDRIFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gtest_discover_tests(
        ${NAME}
        TEST_PREFIX ${NAME}.
        DISCOVERY_MODE PRE_TEST
        DISCOVERY_TIMEOUT 60
        PROPERTIES TIMEOUT ${SPINDRIFT_TEST_TIMEOUT} LABELS ${LABEL}
                   ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tools/tsan.supp"
    )
endfunction()

# tests/*_test.cpp: what spans folders.  They find the command line program at SPINDRIFT_PROGRAM.
function(spindrift_spanning_tests)
    spindrift_sources(tests sources tests)
    if(NOT tests)
        return()
    endif()
    get_property(libraries GLOBAL PROPERTY SPINDRIFT_LIBRARIES)
    spindrift_test(spanning_test spanning SOURCES ${sources} ${tests} LINK ${libraries} nlohmann_json::nlohmann_json)
    target_include_directories(spanning_test PRIVATE ${PROJECT_SOURCE_DIR})
    if(TARGET spindrift)
        add_dependencies(spanning_test spindrift)
        target_compile_definitions(spanning_test PRIVATE SPINDRIFT_PROGRAM="$<TARGET_FILE:spindrift>")
        add_test(NAME stock_tools COMMAND ${SPINDRIFT_SYSTEM_PYTHON} ${PROJECT_SOURCE_DIR}/tests/stock_tools_test.py
                                          $<TARGET_FILE:spindrift>
        )
        add_test(NAME settings COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/settings_test.py
                                       $<TARGET_FILE:spindrift>
        )
        add_test(NAME install COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/install_test.py
                                      ${PROJECT_BINARY_DIR}
        )
        set_tests_properties(stock_tools settings install PROPERTIES TIMEOUT 600 LABELS spanning)
    endif()
endfunction()

# spindrift_fuzz(NAME LIBRARY CORPUS folders...)
# makes tests/fuzz/NAME.cpp and the library's sources, with sanitizers, a program that hurls accidents at them for 30 s;
# it links with what the library links with.  With clang it is a libFuzzer target.
function(spindrift_fuzz NAME LIBRARY)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "CORPUS")
    if(NOT TARGET spindrift_${LIBRARY} OR NOT EXISTS ${PROJECT_SOURCE_DIR}/tests/fuzz/${NAME}.cpp)
        return()
    endif()
    get_target_property(sources spindrift_${LIBRARY} SOURCES)
    get_target_property(libraries spindrift_${LIBRARY} LINK_LIBRARIES)
    add_executable(${NAME} tests/fuzz/${NAME}.cpp ${sources})
    target_link_libraries(${NAME} PRIVATE ${libraries})
    target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(${NAME} PRIVATE -O1)

    set(sanitizers address,undefined)
    set(command ${NAME} 30 ${arg_CORPUS})
    if(SPINDRIFT_SANITIZE)
        set(sanitizers ${SPINDRIFT_SANITIZE})
    elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        set(sanitizers fuzzer,address,undefined)
        set(found ${PROJECT_BINARY_DIR}/${NAME}_corpus)
        file(MAKE_DIRECTORY ${found})
        set(command ${NAME} -max_total_time=30 -artifact_prefix=${found}/ ${found} ${arg_CORPUS})
        target_compile_definitions(${NAME} PRIVATE SPINDRIFT_LIBFUZZER=1)
    endif()
    set(flags -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${NAME} PRIVATE ${flags} -Wno-maybe-uninitialized)
    target_link_options(${NAME} PRIVATE ${flags})
    add_test(NAME ${NAME} COMMAND ${command})
    set_tests_properties(${NAME} PROPERTIES TIMEOUT ${SPINDRIFT_TEST_TIMEOUT} LABELS fuzz)
endfunction()

# tests/fuzz/random_scenes.cpp: random valid scenes through the command line program, which is linked in, as a process
# that starts anew takes longer than most of them.  The first 200 of them are a test of half a minute; another one draws
# 2000 without running them and fails when a setting or a choice is in none.
function(spindrift_random_scenes)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LINK")
    if(NOT TARGET spindrift)
        return()
    endif()
    add_executable(
        random_scenes tests/fuzz/random_scenes.cpp tests/fuzz/random_scene.cpp tests/fuzz/scene_files.cpp
                      tests/fuzz/scene_plan.cpp $<FILTER:$<TARGET_OBJECTS:spindrift>,EXCLUDE,/main[.]cpp>
    )
    target_link_libraries(random_scenes PRIVATE spindrift_flags spindrift_session spindrift_validate spindrift_bench ${arg_LINK})
    target_include_directories(random_scenes PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
    target_link_options(random_scenes PRIVATE -Wl,-z,now)  # symbols are looked up once, not in the process of each scene
    add_test(NAME random_scenes COMMAND random_scenes --count 200)
    add_test(NAME random_scenes_draw_every_setting COMMAND random_scenes --draw --count 2000)
    set_tests_properties(random_scenes random_scenes_draw_every_setting PROPERTIES TIMEOUT 600 LABELS fuzz)
endfunction()

# What the sources themselves must keep to: layers, small habits, format.
function(spindrift_source_checks)
    set(tools ${PROJECT_SOURCE_DIR}/tools)
    add_test(NAME layers COMMAND Python3::Interpreter ${tools}/check_layers.py ${PROJECT_SOURCE_DIR})
    add_test(NAME layers_selftest COMMAND Python3::Interpreter ${tools}/check_layers_test.py)
    add_test(NAME docs COMMAND Python3::Interpreter ${tools}/check_docs.py ${PROJECT_SOURCE_DIR})
    add_test(NAME docs_selftest COMMAND Python3::Interpreter ${tools}/check_docs_test.py)
    add_test(NAME format COMMAND ${tools}/check_format.sh)
    if(TARGET spindrift AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT SPINDRIFT_SANITIZE AND CMAKE_SYSTEM_PROCESSOR MATCHES
                                                                                             "^(x86_64|AMD64|amd64)$")
        add_test(NAME baseline COMMAND Python3::Interpreter ${tools}/check_baseline.py $<TARGET_FILE:spindrift>)
        set_tests_properties(baseline PROPERTIES TIMEOUT 120 LABELS source)
    endif()
    set_tests_properties(layers layers_selftest docs docs_selftest format PROPERTIES TIMEOUT 60 LABELS source SKIP_RETURN_CODE 77)
endfunction()
