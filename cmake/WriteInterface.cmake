# cmake -DOUTPUT=FILE.hpp -P WriteInterface.cmake HEADER...
# Writes the checksum of the headers, by which a policy that was built elsewhere is known to fit this program.
set(all "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE 5 ${last})
    file(SHA256 ${CMAKE_ARGV${i}} one)
    string(APPEND all ${one})
endforeach()
string(SHA256 checksum "${all}")
string(SUBSTRING ${checksum} 0 12 checksum)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
// Generated at build time: what headers policies of one's own are built with.
#pragma once

namespace schedfarm::policies {

inline constexpr const char* interface_checksum = "@checksum@";

}  // namespace schedfarm::policies
]] @ONLY)
