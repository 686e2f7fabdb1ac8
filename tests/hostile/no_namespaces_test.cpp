// A machine that makes no namespaces: what the launcher offers there, and why nothing better.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <string>

#include "referee/launch/process/launcher.h"
#include "tests/hostile/run_again.h"

namespace hostile {

namespace {

using referee::process::Launcher;
using referee::sandbox::Tier;

// What the launcher offers in a process that can make no namespaces: the tier, and what it says of
// tier B.
struct Found {
    Tier tier = Tier::none;
    std::string why_not_b;
};

Found look(Tier tier_most) {
    boost::asio::io_context context;
    referee::process::LauncherOptions options{.sandbox = true, .tier_most = tier_most};
    const auto launcher = Launcher::create(context.get_executor(), options);
    if (!launcher) return {Tier::none, launcher.error().message};
    Found found{(*launcher)->sandbox().tier, ""};
    for (const auto& passed : (*launcher)->sandbox().passed_over) {
        if (passed.tier == Tier::b) found.why_not_b = passed.found + ": " + passed.advice;
    }
    return found;
}

// In a child, since the filter stays for good. First the tier's letter, then the reason.
std::string found_without_namespaces() {
    std::array<int, 2> ends = {};
    if (::pipe(ends.data()) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        const Found found = deny_namespaces() ? look(Tier::a) : Found{Tier::none, "no filter"};
        const std::string text = std::string(name_of(found.tier)) + " " + found.why_not_b;
        ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    ::close(ends[1]);
    std::string text(4096, '\0');
    const ssize_t got = ::read(ends[0], text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return text;
}

TEST(NoNamespaces, TierCIsOfferedAndWhyIsTold) {
    if (look(Tier::c).tier != Tier::c) GTEST_SKIP() << "this machine doesn't give tier C";
    const std::string found = found_without_namespaces();
    EXPECT_TRUE(found.starts_with("C ")) << found;
    EXPECT_NE(std::string::npos, found.find("namespace")) << found;
}

// The attempts behind it once more, as tier C is what such a machine gives.
TEST(NoNamespaces, TierCHolds) {
    if (look(Tier::c).tier != Tier::c) GTEST_SKIP() << "this machine doesn't give tier C";
    EXPECT_EQ("", trouble_of_another_run("Hostile/*tier_C-*Calm*", deny_namespaces));
}

}  // namespace

}  // namespace hostile
