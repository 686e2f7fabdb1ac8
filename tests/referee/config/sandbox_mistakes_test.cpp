// Mistakes in what a config says of the sandbox: each with its line, its member and what was
// expected.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/config/reading.h"

namespace referee::config {
namespace {

TEST(SandboxMistakes, InTheWholeFile) {
    check(R"({"bots": [{"name": "a"}, {"name": "b"}],)",
          {
              {R"("sandbox": "A")", "sandbox", "expected an object"},
              {R"("sandbox": {"min_tier": "D"})", "sandbox.min_tier",
               "expected one of \"none\", \"C\", \"B\", \"A\", found \"D\""},
              {R"("sandbox": {"tier": "A"})", "sandbox.tier", "no such member here"},
          },
          R"(,"tournaments": [{"id": "t", "game": "walls"}]})");
}

TEST(SandboxMistakes, InABot) {
    check(
        R"({"tournaments": [{"id": "t", "game": "walls", "bots": ["x", "y"]}], "bots": [{"name": "x"}, {"name": "y"},)",
        {
            {R"({"name": "a", "launch": ["a"], "memory_mb": 15})", "bots[2].memory_mb",
             "expected an integer from 16 to 1048576, found 15"},
            {R"({"name": "a", "launch": ["a"], "memory_mb": 1048577})", "bots[2].memory_mb",
             "found 1048577"},
            {R"({"name": "a", "launch": ["a"], "processes": 0})", "bots[2].processes",
             "expected an integer from 1 to 4194304, found 0"},
            {R"({"name": "a", "launch": ["a"], "processes": 4194305})", "bots[2].processes",
             "found 4194305"},
            {R"({"name": "a", "launch": ["a"], "disk_mb": 0})", "bots[2].disk_mb",
             "expected an integer from 1 to 1048576, found 0"},
            {R"({"name": "a", "launch": ["a"], "disk_mb": 1.5})", "bots[2].disk_mb",
             "expected an integer"},
            {R"({"name": "a", "launch": ["a"], "reads": "x"})", "bots[2].reads", "expected a list"},
            {R"({"name": "a", "launch": ["a"], "reads": ["x", 5]})", "bots[2].reads[1]",
             "expected a text"},
            {R"({"name": "a", "launch": ["a"], "reads": [""]})", "bots[2].reads[0]",
             "expected a path that is absolute, or lies below the config's folder, such as "
             "\"tables\""},
            {R"({"name": "a", "launch": ["a"], "reads": ["../classics"]})", "bots[2].reads[0]",
             "lies below the config's folder, such as \"tables\" or \"/opt/jdk-17\", found "
             "\"../classics\""},
            {R"({"name": "a", "launch": ["a"], "reads": ["/usr/.."]})", "bots[2].reads[0]",
             "\"/\" holds everything"},
            {R"({"name": "a", "launch": ["a"], "directory": "/usr/.."})", "bots[2].directory",
             "\"/\" holds everything"},
            {R"({"name": "a", "launch": ["a"], "reads": ["."]})", "bots[2].reads[0]",
             "it holds this config, in which everybody's tokens stand; expected what this bot"},
            {R"({"name": "a", "launch": ["a"], "reads": ["/srv"]})", "bots[2].reads[0]",
             "it holds this config"},
            {R"({"name": "a", "launch": ["a"], "reads": ["class.json"]})", "bots[2].reads[0]",
             "it holds this config"},
            {R"({"name": "a", "reads": ["tables"]})", "bots[2].reads",
             "only a bot with a \"launch\""},
            {R"({"name": "a", "processes": 5})", "bots[2].processes",
             "only a bot with a \"launch\""},
            {R"({"name": "a", "disk_mb": 5})", "bots[2].disk_mb", "only a bot with a \"launch\""},
        },
        "]}");
}

TEST(SandboxMistakes, ABotMayNotReadTheControlSocket) {
    check(
        R"({"control": {"socket": "run/control.sock"},)",
        {
            {R"("bots": [{"name": "a", "launch": ["a"], "reads": ["run"]}, {"name": "b"}])",
             "bots[0].reads[0]", "it holds the control socket"},
            {R"("bots": [{"name": "a", "launch": ["a"], "reads": ["run/control.sock"]}, {"name": "b"}])",
             "bots[0].reads[0]", "it holds the control socket"},
        },
        R"(,"tournaments": [{"id": "t", "game": "walls"}]})");
}

}  // namespace
}  // namespace referee::config
