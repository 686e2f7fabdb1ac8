#include "tests/hostile/hostile_fixture.h"

#include <unistd.h>

namespace hostile {

using referee::process::Descriptor;

namespace {

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

}  // namespace

Told told_in(const std::vector<std::string>& lines) {
    Told told;
    for (const std::string& line : lines) told[line.substr(0, line.find(' '))] = line;
    return told;
}

bool succeeded(const Told& told, const std::string& probe) {
    const auto found = told.find(probe);
    return found != told.end() && found->second.ends_with(" allowed");
}

void HostileTest::SetUp() {
    if (const auto why_not = start_in(tier()); !why_not.empty()) GTEST_SKIP() << why_not;
}

LaunchSpec HostileTest::hostile_bot(std::vector<std::string> arguments) const {
    const std::string program = referee::process::test_program("hostile_bot");
    LaunchSpec spec;
    for (std::string& word : arguments) word = scene_.filled_in(word);
    spec.command = std::move(arguments);
    spec.command.insert(spec.command.begin(), program);
    spec.working_directory = scene_.own_folder();
    spec.limits.processes.reset();
    if (tier() == Tier::none) return spec;
    spec.limits.processes = 40;
    spec.sandbox = little();
    spec.sandbox->reads = {scene_.own_folder(), program};
    return spec;
}

Told HostileTest::told_by(const LaunchSpec& spec, bool at_end) {
    const auto bot = launch(spec);
    if (!bot) return {};
    EXPECT_EQ(tier(), bot->tier());
    const Descriptor output = bot->take_output();
    const Told told = at_end ? Told() : told_in(read_lines(output.get()));
    EXPECT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    return at_end ? told_in(lines_in(bot->output_tail() + bot->error_tail())) : told;
}

LaunchSpec HostileTest::spec_of(const Attempt& attempt) const {
    LaunchSpec spec = hostile_bot(attempt.command);
    if (attempt.how == How::dials_in) {
        spec.speaks = referee::process::Speaks::tcp;
        spec.dial_in_port = scene_.port();
    }
    return spec;
}

Told HostileTest::told_by(const Attempt& attempt) {
    const bool at_end = attempt.how == How::dials_in || attempt.how == How::tells_on_standard_error;
    return told_by(spec_of(attempt), at_end);
}

void HostileTest::compare(const Attempt& attempt, const Told& told) const {
    const bool is_root = ::geteuid() == 0;
    for (const Probe& probe : attempt.probes) {
        const Comes expected = probe.in(tier());
        if (expected == Comes::any || (expected == Comes::held_as_root && !is_root)) continue;
        const std::string name = scene_.filled_in(probe.name);
        const auto line = told.find(name);
        EXPECT_EQ(expected == Comes::open, succeeded(told, name))
            << (line == told.end() ? name + " told nothing" : line->second);
    }
    const bool may_be_ended = attempt.how == How::may_be_ended && tier() == Tier::a;
    EXPECT_TRUE(may_be_ended || succeeded(told, "end"));
}

void HostileTest::come_to_what_the_tier_promises(const std::vector<Attempt>& tried) {
    for (const Attempt& attempt : tried) {
        SCOPED_TRACE(attempt.name);
        scene_.renew_victim();
        compare(attempt, told_by(attempt));
    }
}

std::string name_of_tier(const ::testing::TestParamInfo<Tier>& info) {
    return "tier_" + std::string(name_of(info.param));
}

}  // namespace hostile
