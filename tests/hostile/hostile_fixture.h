#pragma once

// Launches hostile bots in the tier that a test is about, and hears what they managed.

#include <map>
#include <string>
#include <vector>

#include "referee/launch/sandbox/tier.h"
#include "tests/hostile/expectations.h"
#include "tests/hostile/hostile_scene.h"
#include "tests/referee/launch/process/launcher_fixture.h"

namespace hostile {

using referee::process::LaunchSpec;
using referee::sandbox::Tier;

// What a bot told: each probe's line by its name.
using Told = std::map<std::string, std::string>;
Told told_in(const std::vector<std::string>& lines);
bool succeeded(const Told& told, const std::string& probe);

class HostileTest : public referee::process::LauncherTest,
                    public ::testing::WithParamInterface<Tier> {
 protected:
    // Skips the test where the machine doesn't give the tier.
    void SetUp() override;

    Tier tier() const { return GetParam(); }
    LaunchSpec hostile_bot(std::vector<std::string> arguments) const;
    LaunchSpec spec_of(const Attempt& attempt) const;
    // What it prints; or what is kept of its output and its standard error when it has ended.
    Told told_by(const LaunchSpec& spec, bool at_end = false);
    Told told_by(const Attempt& attempt);
    void come_to_what_the_tier_promises(const std::vector<Attempt>& tried);

    Scene scene_;

 private:
    void compare(const Attempt& attempt, const Told& told) const;
};

std::string name_of_tier(const ::testing::TestParamInfo<Tier>& info);

inline auto all_tiers() {
    return ::testing::Values(Tier::none, Tier::c, Tier::b, Tier::a);
}

}  // namespace hostile
