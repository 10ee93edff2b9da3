// A schedule worked out by hand: EASY on 8 processors.
//
//   job  submit  processors  run  start  finish  processors held
//    1      0        4        10     0      10    0–3
//    2      0        2        20     0      20    4–5
//    4      2        2         9     2      11    6–7           (backfilled)
//    3      1        6         5    11      16    0–3 and 6–7   (2 holds 4–5 until 20)
//    5      2        2        30    16      46    0–1
//    6      3        1         4    16      20    2
#pragma once

namespace schedfarm::app {

inline constexpr const char* six_jobs_table =
    "job,submit,start,finish,processors\n"
    "1,0,0,10,4\n"
    "2,0,0,20,2\n"
    "3,1,11,16,6\n"
    "4,2,2,11,2\n"
    "5,2,16,46,2\n"
    "6,3,16,20,1\n";

}  // namespace schedfarm::app
