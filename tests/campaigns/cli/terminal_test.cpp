#include "campaigns/cli/terminal.hpp"

#include <doctest/doctest.h>

using schedfarm::campaigns::broken_between_words;

TEST_CASE("messages are broken between words, but not in commands") {
    CHECK(broken_between_words("one two three", 8) == "one two\nthree");
    CHECK(broken_between_words("a `b c d e` f", 6) == "a\n`b c d e`\nf");
    CHECK(broken_between_words("(`b c d e`). f g", 6) == "(`b c d e`).\nf g");
    CHECK(broken_between_words("see `b c`, `d e`", 5) == "see\n`b c`,\n`d e`");
}

TEST_CASE("a backtick in a name neither keeps a message whole nor breaks a command") {
    CHECK(
        broken_between_words("a`b.yaml: no such file here", 12) == "a`b.yaml: no\nsuch file\nhere"
    );
    CHECK(
        broken_between_words("`b.yaml: no file. Try `x y z` now", 9)
        == "`b.yaml:\nno file.\nTry\n`x y z`\nnow"
    );
    CHECK(broken_between_words("claim `a: Try `x y z`", 9) == "claim `a:\nTry\n`x y z`");
    CHECK(broken_between_words("Try `x 'a`b c' z`. Or not", 9) == "Try\n`x 'a`b c' z`.\nOr not");
    CHECK(broken_between_words("Try `x $'a\\'` b' z` or", 9) == "Try\n`x $'a\\'` b' z`\nor");
    CHECK(broken_between_words("Try `x 'a'\\'' b'` or", 9) == "Try\n`x 'a'\\'' b'`\nor");
}
