#include "protocol/base/shell_word.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(ShellWord, IsTheTextWhereAShellLeavesItAlone) {
    EXPECT_EQ(shell_word("ann"), "ann");
    EXPECT_EQ(shell_word("../bots/ann-2.py"), "../bots/ann-2.py");
}

TEST(ShellWord, IsQuotedWhereAShellWouldReadMoreIntoIt) {
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("Dora the fourth"), "'Dora the fourth'");
    EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word("Zo\xc3\xab"), "'Zo\xc3\xab'");
}

}  // namespace
}  // namespace base
