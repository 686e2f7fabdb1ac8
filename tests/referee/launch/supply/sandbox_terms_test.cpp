#include "referee/launch/supply/sandbox_terms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::supply {
namespace {

using sandbox::Offer;
using sandbox::Tier;
using testing::HasSubstr;
using testing::Not;

// What a machine with so much of a sandbox says of the better tiers.
Offer offer_of(Tier tier) {
    Offer offer{tier, {}};
    if (tier < Tier::a)
        offer.passed_over.push_back({Tier::a, "no group for limits", "delegate one"});
    if (tier < Tier::b)
        offer.passed_over.push_back({Tier::b, "bubblewrap is not installed", "apt install it"});
    if (tier < Tier::c) offer.passed_over.push_back({Tier::c, "no Landlock", "boot with it"});
    return offer;
}

constexpr Tier all_tiers[] = {Tier::none, Tier::c, Tier::b, Tier::a};

TEST(SandboxTerms, AreTheConfigsBeforeTheCommands) {
    config::Config config;
    auto terms = *terms_of(config, {false, Tier::b});
    EXPECT_FALSE(terms.unsandboxed);
    EXPECT_EQ(terms.tier_min, Tier::b);
    EXPECT_EQ(terms.asked_by, "referee serve");
    for (const auto named : all_tiers) {
        config.min_tier = named;
        terms = *terms_of(config, {false, Tier::b});
        EXPECT_EQ(terms.tier_min, named);
        EXPECT_THAT(terms.asked_by, HasSubstr("in the config"));
    }
}

TEST(SandboxTerms, CannotBeBothWithoutASandboxAndInATier) {
    config::Config config;
    for (const auto named : {std::optional<Tier>(), std::optional(Tier::none)}) {
        config.min_tier = named;
        const auto terms = terms_of(config, {true, Tier::b});
        ASSERT_TRUE(terms);
        EXPECT_TRUE(terms->unsandboxed);
        EXPECT_EQ(terms->tier_min, Tier::none);
    }
    config.min_tier = Tier::c;
    const auto terms = terms_of(config, {true});
    ASSERT_FALSE(terms);
    EXPECT_THAT(terms.error(), AllOf(HasSubstr("\"sandbox\": {\"min_tier\": \"C\"}"),
                                     HasSubstr("leave out --unsandboxed, or say \"min_tier\"")));
}

TEST(SandboxTerms, AcceptWhatIsGoodEnough) {
    for (const auto offered : all_tiers) {
        for (const auto wanted : all_tiers) {
            const SandboxTerms terms{false, wanted, "referee serve"};
            const auto accepted = accept(terms, offer_of(offered), false);
            EXPECT_EQ(accepted.has_value(), offered >= wanted);
            const auto as_root = accept(terms, offer_of(offered), true);
            EXPECT_EQ(as_root.has_value(), offered >= wanted && offered > Tier::none);
        }
        EXPECT_TRUE(accept({true, Tier::none, ""}, offer_of(offered), true));
    }
}

TEST(SandboxTerms, TellWhatWasFoundAndWhatHelps) {
    const auto below = accept({false, Tier::b, "referee serve"}, offer_of(Tier::c), false);
    ASSERT_FALSE(below);
    EXPECT_EQ(below.error(),
              "launched bots would run in the sandbox's tier C, and referee serve asks for tier B "
              "at least; not tier A: no group for limits (delegate one); not tier B: bubblewrap is "
              "not installed (apt install it). To launch them all the same: \"sandbox\": "
              "{\"min_tier\": \"C\"} in the config");
    const auto root = accept({false, Tier::none, ""}, offer_of(Tier::none), true);
    ASSERT_FALSE(root);
    EXPECT_THAT(root.error(),
                AllOf(HasSubstr("would run as root without a sandbox"),
                      HasSubstr("not tier C: no Landlock (boot with it)"),
                      HasSubstr("as an ordinary user"), HasSubstr("with --unsandboxed")));
}

TEST(SandboxTerms, AreToldInALine) {
    const SandboxTerms terms;
    EXPECT_EQ(describe(terms, offer_of(Tier::a)), "bots run in the sandbox, tier A");
    EXPECT_EQ(describe(terms, offer_of(Tier::b)),
              "bots run in the sandbox, tier B; not tier A: no group for limits (delegate one)");
    EXPECT_THAT(describe(terms, offer_of(Tier::none)),
                AllOf(HasSubstr("bots run without a sandbox"), HasSubstr("not tier C"),
                      Not(HasSubstr("--unsandboxed"))));
    EXPECT_THAT(describe({true, Tier::none, ""}, Offer{}), HasSubstr("(--unsandboxed)"));
    for (const auto tier : all_tiers) {
        EXPECT_EQ(worth_a_warning(terms, offer_of(tier)), tier < Tier::b);
        EXPECT_TRUE(worth_a_warning({true, Tier::none, ""}, offer_of(tier)));
    }
}

}  // namespace
}  // namespace referee::supply
