# `cpack` in the build folder makes three Debian packages: schedfarm, the program, python3-schedfarm, which draws, and schedfarm-dev, by which
# policies in C++ are built.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The schedfarm maintainers <maintainers@schedfarm.invalid>")
set(CPACK_PACKAGE_HOMEPAGE_URL https://github.com/schedfarm/schedfarm)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has its own
set(CPACK_COMPONENTS_ALL program python dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME schedfarm)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Experiment farm for parallel job scheduling
Runs campaigns of simulations of parallel job scheduling on MPI ranks until
intervals are as short as asked for, with the campaigns of published papers.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS openmpi-bin)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS python3-schedfarm)

set(CPACK_DEBIAN_DEV_PACKAGE_NAME schedfarm-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION "Policies of one's own in C++ for schedfarm
The headers that a policy in C++ includes, which schedfarm build-policy makes a
library of.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "g++ (>= 4:12), schedfarm (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-schedfarm)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Figures, pages and tables of schedfarm's results
Reads result files of schedfarm in Python, draws figures of them and writes
pages of HTML.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
schedfarm_debian_packages(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS figures)
schedfarm_debian_packages(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS more)

# Nothing is built by an installation, so that a part of the targets can be tried.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
