#include "referee/launch/sandbox/bubblewrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::sandbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// What bubblewrap prints of itself, of the machine and of a path, and what helps.
TEST(Bubblewrap, ItsWordsSayWhatHelps) {
    struct Words {
        const char* printed;
        const char* found;
        const char* advice;
    };
    constexpr const char* of_machine = "allow user namespaces";
    constexpr const char* of_path = "\"directory\" or \"reads\"";
    for (const auto& [printed, found, advice] : std::vector<Words>{
             {"bwrap: Unknown option --as-pid-1", "too old", "install version 0.4"},
             {"unrecognized option '--unshare-cgroup-try'", "too old", "install version 0.4"},
             {"bwrap: No permissions to create new namespace", "no sandbox", of_machine},
             {"bwrap: setting up uid map: Permission denied", "no sandbox", of_machine},
             {"bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "no sandbox",
              of_machine},
             {"bwrap: Can't bind mount /oldroot/usr on /newroot/usr: Operation not permitted",
              "no sandbox", of_machine},
             {"bwrap: Can't find source path /home/ann/tables: Permission denied",
              "can't show /home/ann/tables in", of_path},
             {"bwrap: Can't find source path /gone: No such file or directory",
              "can't show /gone in", of_path},
             {"bwrap: Can't bind mount /oldroot/ann on /newroot/ann: Permission denied",
              "can't show /ann in", of_path},
             {"bwrap: Can't mkdir parents for /usr/ann/x: Read-only file system",
              "can't show /usr/ann/x in", of_path},
             {"bwrap: Something else", "no sandbox", "it says more"},
         }) {
        const auto refused = refused_by_machine(printed);
        EXPECT_THAT(refused.found, AllOf(HasSubstr(found), HasSubstr(printed)));
        EXPECT_THAT(refused.advice, HasSubstr(advice)) << printed;
        if (advice == of_path) {
            EXPECT_THAT(refused.advice, Not(HasSubstr("namespaces"))) << printed;
        }
    }
}

}  // namespace
}  // namespace referee::sandbox
