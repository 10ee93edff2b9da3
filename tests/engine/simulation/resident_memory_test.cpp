#include "engine/simulation/kernel/resident_memory.hpp"

#include <doctest/doctest.h>

#include "engine/foundation/expect.hpp"

namespace schedfarm::engine {

// .1 + .2 is .30000000000000004.
TEST_CASE("a processor may be full to the last bit, with sums that are rounded") {
    ResidentMemory memory(2, 0.3);
    const ProcessorRange first{ProcessorId{0}, 1};
    memory.set(JobId{0}, first, 0.1);
    memory.set(JobId{1}, first, 0.2);
    CHECK_THROWS_AS(memory.set(JobId{1}, first, 0.2001), ContractViolation);
    memory.set(JobId{0}, first, 0);
    memory.set(JobId{1}, first, 0.3);
    CHECK_THROWS_AS(memory.set(JobId{2}, first, 0.001), ContractViolation);
    memory.release(JobId{1});
    memory.set(JobId{2}, first, 0.3);
}

}  // namespace schedfarm::engine
