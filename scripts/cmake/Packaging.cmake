# The Debian package: what it holds beside the programs, and CPack's settings. scripts/package builds
# it; scripts/debian has the files that only the package has. `cmake --install` leaves these out.
include(GNUInstallDirs)
set(debian ${CMAKE_SOURCE_DIR}/scripts/debian)
set(shared ${CMAKE_INSTALL_DATADIR}/referee)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/referee)
find_package(Python3 3.8 REQUIRED COMPONENTS Interpreter)
find_program(GZIP_PROGRAM gzip REQUIRED)

# The manual is made from what the program itself says of its commands.
set(manual ${CMAKE_BINARY_DIR}/referee.1)
add_custom_command(OUTPUT ${manual}.gz
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/manual $<TARGET_FILE:referee> ${manual}
    COMMAND ${GZIP_PROGRAM} -9nf ${manual}
    DEPENDS referee ${CMAKE_SOURCE_DIR}/scripts/manual VERBATIM)
# Likewise what bash completes.
set(completion ${CMAKE_BINARY_DIR}/completion/referee)
add_custom_command(OUTPUT ${completion}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/manual $<TARGET_FILE:referee> ${completion}
            --completion
    DEPENDS referee ${CMAKE_SOURCE_DIR}/scripts/manual VERBATIM)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/changelog.gz
    COMMAND ${GZIP_PROGRAM} -9nc ${debian}/changelog > ${CMAKE_BINARY_DIR}/changelog.gz
    DEPENDS ${debian}/changelog VERBATIM)
get_property(bots GLOBAL PROPERTY REFEREE_BOTS)
add_custom_target(package_contents DEPENDS ${manual}.gz ${completion} ${CMAKE_BINARY_DIR}/changelog.gz)
add_dependencies(package_contents referee referee_exec_shim ${bots})

# install() for files that only the package has. They are of the component `documents` or, for all else, `package`.
function(pack component)
    # Before the patterns, where there are any.
    list(FIND ARGN DESTINATION place)
    list(INSERT ARGN ${place} COMPONENT ${component} EXCLUDE_FROM_ALL)
    install(${ARGN})
endfunction()
pack(package FILES ${manual}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
pack(package FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# Samples and documents lie relative to each other as in the sources, so that what a document names is found.
pack(documents DIRECTORY configs DESTINATION ${shared} USE_SOURCE_PERMISSIONS)
pack(documents DIRECTORY sample_bots/python DESTINATION ${shared}/sample_bots FILES_MATCHING PATTERN *.py PATTERN *.md)
pack(documents DIRECTORY sample_bots/adapters sample_bots/c sample_bots/java sample_bots/javascript sample_bots/octave sample_bots/racket
     sample_bots/templates DESTINATION ${shared}/sample_bots)
file(GLOB cpp_kit ${CMAKE_SOURCE_DIR}/sample_bots/cpp/*.*)
pack(documents FILES ${cpp_kit} DESTINATION ${shared}/sample_bots/cpp)
pack(documents FILES sample_bots/README.md sample_bots/ladder.json DESTINATION ${shared}/sample_bots)
pack(documents DIRECTORY protocol/schema DESTINATION ${documents}/protocol)
list(TRANSFORM REFEREE_GAMES REPLACE "(.+)" "engines/\\1/RULES.md" OUTPUT_VARIABLE rules)
foreach(document IN ITEMS OPERATING.md SECURITY.md protocol/PROTOCOL.md engines/README.md ${rules} referee/contest/standings/README.md
        referee/launch/README.md referee/launch/program/README.md referee/contest/formats/README.md referee/game/play/README.md referee/store/TABLES.md
        referee/watch/pages/README.md referee/watch/web/README.md)
    get_filename_component(folder ${document} DIRECTORY)
    pack(documents FILES ${document} DESTINATION ${documents}/${folder})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/documents)
foreach(folder IN ITEMS configs sample_bots)
    file(CREATE_LINK ../../referee/${folder} ${CMAKE_BINARY_DIR}/documents/${folder} SYMBOLIC)
    pack(documents FILES ${CMAKE_BINARY_DIR}/documents/${folder} DESTINATION ${documents})
endforeach()

pack(package FILES ${CMAKE_BINARY_DIR}/changelog.gz ${debian}/copyright DESTINATION ${documents})
pack(package FILES ${debian}/referee.json DESTINATION /etc/referee)
pack(package FILES ${debian}/referee.service DESTINATION /lib/systemd/system)
pack(package FILES ${debian}/sysusers.conf DESTINATION lib/sysusers.d RENAME referee.conf)

set(CPACK_GENERATOR DEB)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};referee;ALL;/" "${CMAKE_BINARY_DIR};referee;package;/"
    "${CMAKE_BINARY_DIR};referee;documents;/")
set(CPACK_PACKAGE_NAME referee)
set(CPACK_PACKAGE_VENDOR "The Referee authors")
set(CPACK_PACKAGE_CONTACT "The Referee authors <referee@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tournament referee for programming courses")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Students' bots connect over TCP, in any language, and play round robins, Swiss
tournaments, knockouts and ladders of several games. Each gets its time, each loss
is explained, and nothing that was played is lost. With a daemon, reference bots
and sample configs.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The first name is the one that debhelper uses for a package with a user of its own.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "systemd | systemd-standalone-sysusers | systemd-sysusers, init-system-helpers (>= 1.54~), bubblewrap")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${debian}/conffiles ${debian}/postinst ${debian}/prerm ${debian}/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
