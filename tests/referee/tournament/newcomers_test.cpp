#include <gtest/gtest.h>

#include "referee/tournament/config_roster.h"
#include "tests/referee/tournament/class_room.h"

// Who is let in, who may register a name, and who is refused with which words.

namespace referee::tournament {

namespace {

using namespace std::chrono_literals;
using protocol::ErrorCode;
using Verdict = lobby::LoginRoster::Verdict;

constexpr std::string_view password = "open sesame";
constexpr std::string_view good_token = "long enough";

class Newcomers : public ::testing::Test {
 protected:
    Newcomers() {
        config.registration.password = password;
        config.bots.resize(3);
        config.bots[0].name = "known";
        config.bots[0].token = "its token";
        config.bots[1].name = "open";
        config.bots[2].name = "launched";
        config.bots[2].launch = {"./bot"};
    }
    void open() {
        roster = std::make_unique<ConfigRoster>(
            config, tokens, world.referee(),
            [this](const records::TokenRecord& record) { asked.push_back(record); });
    }
    void reload() { roster->set_config(config); }
    void with_students(std::string_view csv) {
        auto read = roster::read_roster(csv);
        ASSERT_TRUE(read) << describe(read.error().front(), "f");
        config.registration.roster_file = "/srv/students.csv";
        config.registration.class_roster = std::move(read->roster);
    }
    static protocol::Login login(std::string_view name, std::string_view token = good_token) {
        protocol::Login made{.name = name, .token = token, .password = password};
        return made;
    }
    Verdict check(std::string_view name, std::string_view token = good_token) {
        return roster->check(login(name, token), address).verdict;
    }
    // Registers the name, and it is written down.
    void take(std::string_view name) {
        ASSERT_EQ(check(name), Verdict::pending) << name;
        roster->know(asked.back());
    }
    // What it is told; requires that it is refused.
    lobby::LoginRoster::Refusal refusal(std::string_view name,
                                        std::string_view token = good_token) {
        const auto answer = roster->check(login(name, token), address);
        EXPECT_EQ(answer.verdict, Verdict::refused) << name;
        return answer.refusal;
    }
    void expect_refused(std::string_view name, ErrorCode code, const std::vector<std::string>& says,
                        std::string_view token = good_token) {
        const auto told = refusal(name, token);
        EXPECT_EQ(told.code, code) << told.message;
        for (const auto& part : says)
            EXPECT_NE(told.message.find(part), std::string::npos) << told.message;
    }

    tests::sim::World world{1};
    config::Config config;
    PlainTokens tokens;
    std::vector<records::TokenRecord> asked;
    std::unique_ptr<ConfigRoster> roster;
    std::string address = "192.0.2.7";
};

TEST_F(Newcomers, WhomTheConfigNamesComesWithItsToken) {
    config.registration.password.clear();
    open();
    EXPECT_EQ(check("known", "its token"), Verdict::welcome);
    EXPECT_EQ(check("known", "its tokem"), Verdict::wrong_token);
    EXPECT_EQ(check("known", ""), Verdict::wrong_token);
    EXPECT_EQ(check("open", "whatever"), Verdict::welcome);
    EXPECT_EQ(check("launched", roster->launch_tokens().at("launched")), Verdict::welcome);
    roster->know({"launched", tokens.hash_of(good_token), "registered"});
    EXPECT_EQ(check("launched", roster->launch_tokens().at("launched")), Verdict::welcome)
        << "whoever had its name before";
    EXPECT_EQ(check("launched", ""), Verdict::wrong_token);
    EXPECT_EQ(check("stranger"), Verdict::unknown_name);
    ASSERT_EQ(roster->turned_away().size(), 2U) << "each once, whose token is wrong too";
    EXPECT_EQ(roster->turned_away()[0].why, "it came without its token");
    EXPECT_EQ(roster->turned_away()[1].why,
              "it came without its token; `referee ctl token new known` makes a new one");
    EXPECT_EQ(check("known", "its token"), Verdict::welcome);
    EXPECT_EQ(roster->turned_away().size(), 1U) << "it came in since";
}

// As for who typed a name wrongly, and may have meant this one.
TEST_F(Newcomers, WhoseTokenItIsIsSaidWithoutANoteOfIt) {
    open();
    EXPECT_EQ(roster->is_token_of("known", "its token"), true);
    EXPECT_EQ(roster->is_token_of("known", "its tokem"), false);
    EXPECT_EQ(roster->is_token_of("open", ""), std::nullopt);
    EXPECT_EQ(roster->is_token_of("launched", roster->launch_tokens().at("launched")),
              std::nullopt);
    EXPECT_EQ(roster->is_token_of("stranger", good_token), std::nullopt);
    take("ann");
    EXPECT_EQ(roster->is_token_of("ann", good_token), true);
    EXPECT_TRUE(roster->turned_away().empty());
}

TEST_F(Newcomers, AConfigThatIsReadAgainKeepsLaunchedBotsTokens) {
    open();
    const auto token = roster->launch_tokens().at("launched");
    config.bots[0].token = "changed";
    reload();
    EXPECT_EQ(check("launched", token), Verdict::welcome);
    EXPECT_EQ(check("known", "changed"), Verdict::welcome);
    EXPECT_EQ(check("known", "its token"), Verdict::wrong_token);
}

TEST_F(Newcomers, OneAddressRegistersSoManyNamesWithinAnHour) {
    config.registration.per_address_per_hour = 2;
    open();
    take("ann");
    world.pass(10min);
    take("bob");
    expect_refused("carl", ErrorCode::too_many_registrations,
                   {"2 names", "192.0.2.7", "in 50 min", "ask the instructor"});
    EXPECT_EQ(check("ann"), Verdict::welcome) << "whoever is in stays in";
    address = "192.0.2.8";
    take("carl");
    address = "192.0.2.7";
    world.pass(50min);
    take("dora");
    EXPECT_EQ(asked.size(), 4U);
}

TEST_F(Newcomers, TheInstructorIsToldWhoWasTurnedAwayUntilItComesIn) {
    open();
    take("ann");
    const auto told = [this] {
        std::string text;
        for (const auto& [name, why] : roster->turned_away()) text += name + ": " + why + '\n';
        return text;
    };
    refusal("Ann");
    refusal("Ann");
    roster->know(*roster->registered().judged("ann", Standing::refused));
    refusal("ann");
    EXPECT_EQ(
        told(),
        "ann: the instructor has refused this name\n"
        "Ann: \"Ann\" looks like \"ann\", which is known here: they differ only in capitals\n");
    roster->know(*roster->registered().judged("ann", Standing::approved));
    EXPECT_EQ(check("ann"), Verdict::welcome);
    EXPECT_EQ(told().find("ann: "), std::string::npos);
    config.registration.total = 1;
    reload();
    for (int i = 0; i < 20; ++i) refusal("bot" + std::to_string(i));
    EXPECT_EQ(roster->turned_away().size(), 10U) << "as many as somebody reads";
}

// The name that was meant is told to its owner, whom the lobby knows by its token, and here.
TEST_F(Newcomers, TheInstructorIsToldWhichNameAnUnknownOneMayHaveMeant) {
    with_students("name,token\nklara,secret-of-klara\n");
    open();
    refusal("klarra");
    config.registration.password = "";
    reload();
    EXPECT_EQ(check("knwon"), Verdict::unknown_name);
    EXPECT_EQ(check("somebody"), Verdict::unknown_name);
    EXPECT_EQ(roster->near("klarra"), "klara");
    ASSERT_EQ(roster->turned_away().size(), 2U) << "nobody reads of strangers";
    EXPECT_EQ(roster->turned_away()[0].why,
              "no bot of this name is registered here; did you mean \"known\"?");
    EXPECT_EQ(roster->turned_away()[1].why,
              "the class has a roster, and this name is not on it; did you mean \"klara\"?");
}

TEST_F(Newcomers, SecondLoginsAndRefusalsDontCount) {
    config.registration.per_address_per_hour = 2;
    open();
    EXPECT_EQ(check("ann"), Verdict::pending);
    EXPECT_EQ(check("ann", "another one"), Verdict::pending) << "it is still being written";
    expect_refused("Ann", ErrorCode::name_too_similar, {"capitals"});
    ASSERT_EQ(asked.size(), 1U);
    roster->know(asked.back());
    EXPECT_EQ(check("ann", "another one"), Verdict::wrong_token);
    EXPECT_EQ(check("known", "no"), Verdict::wrong_token) << "of the config, nobody's to take";
    const protocol::Login again{.name = "ann", .token = good_token};
    EXPECT_EQ(roster->check(again, address).verdict, Verdict::welcome) << "without the password";
    take("bob");
}

TEST_F(Newcomers, NoMoreNamesThanTheTotal) {
    config.registration.total = 2;
    open();
    take("ann");
    EXPECT_EQ(check("bob"), Verdict::pending) << "not written yet, and counted";
    expect_refused("carl", ErrorCode::registrations_full, {"2 names", "ask the instructor"});
    roster->know(asked.back());
    // What the instructor gives and takes does not fill it.
    roster->know({"given", "#token", "ctl"});
    roster->know(*roster->registered().judged("ann", Standing::refused));
    take("carl");
    config.registration.total = 3;
    reload();
    take("dora");
}

TEST_F(Newcomers, WhoDoesNotKnowThePasswordLearnsNothing) {
    config.registration.total = 1;
    open();
    take("ann");
    auto guess = login("Ann");
    guess.password = "open sesam";
    EXPECT_EQ(roster->check(guess, address).verdict, Verdict::wrong_password);
    EXPECT_EQ(check("bob", "short"), Verdict::token_needed);
}

TEST_F(Newcomers, NeitherANameOfTheForgottenNorTheClassPasswordIsTaken) {
    open();
    expect_refused("forgotten-1", ErrorCode::name_too_similar, {"that were forgotten"});
    expect_refused("forgotten-007", ErrorCode::name_too_similar, {"that were forgotten"});
    expect_refused("bob", ErrorCode::token_needed, {"is the class password"}, password);
    EXPECT_TRUE(asked.empty());
    take("forgotten-hero");
    take("bob");
}

TEST_F(Newcomers, NamesThatLookAlikeAreRefused) {
    open();
    take("anna");
    expect_refused("\u0430nna", ErrorCode::name_too_similar,
                   {"\"\u0430nna\" looks like \"anna\"", "U+0430 CYRILLIC SMALL LETTER A",
                    "if \"anna\" is yours, write it so; else take another name"});
    expect_refused("KNOWN", ErrorCode::name_too_similar,
                   {"\"known\"", "capitals; if \"known\" is yours"});
    take("hanna");
    // A name that was taken back is free, and so are those like it.
    roster->know({"anna", "", "ctl"});
    take("Anna");
}

TEST_F(Newcomers, AnApprovedClassWaitsForItsInstructor) {
    config.registration.approval = true;
    open();
    ASSERT_EQ(check("ann"), Verdict::pending);
    EXPECT_EQ(asked.back().origin, "waiting 192.0.2.7");
    roster->know(asked.back());
    expect_refused("ann", ErrorCode::approval_needed, {"approves", "same token"});
    EXPECT_EQ(check("ann", "another token"), Verdict::wrong_token);
    EXPECT_TRUE(roster->is_kept_out("ann"));
    EXPECT_EQ(roster->registered().find("ann")->from, "192.0.2.7");
    // A judgement and a new start keep it; a record of before has none.
    const auto approved = roster->registered().judged("ann", Standing::approved);
    EXPECT_EQ(approved->origin, "approved 192.0.2.7");
    RegisteredNames later;
    later.know(*approved);
    later.know({"eve", "#hers", "waiting"});
    EXPECT_EQ(later.find("ann")->from, "192.0.2.7");
    EXPECT_EQ(later.find("ann")->standing, Standing::approved);
    EXPECT_EQ(later.find("eve")->from, "");
    EXPECT_EQ(later.find("eve")->standing, Standing::waiting);
    later.know(*later.judged("eve", Standing::refused, "not of this class"));
    EXPECT_EQ(later.find("eve")->from, "");
    EXPECT_EQ(later.find("eve")->reason, "not of this class");
    roster->know(*roster->registered().judged("ann", Standing::approved));
    EXPECT_EQ(check("ann"), Verdict::welcome);
    EXPECT_FALSE(roster->is_kept_out("ann"));
    roster->know(*roster->registered().judged("ann", Standing::refused));
    expect_refused("ann", ErrorCode::name_refused, {"refused this name; ask the instructor"});
    roster->know(*roster->registered().judged("ann", Standing::refused, "not of this class"));
    expect_refused("ann", ErrorCode::name_refused, {"refused this name: not of this class"});
    EXPECT_EQ(roster->registered().judged("bob", Standing::approved), std::nullopt);
}

TEST_F(Newcomers, AReloadChangesWhoMustWait) {
    open();
    take("early");
    config.registration.approval = true;
    reload();
    EXPECT_EQ(check("early"), Verdict::welcome) << "it was registered before";
    ASSERT_EQ(check("late"), Verdict::pending);
    roster->know(asked.back());
    EXPECT_EQ(check("late"), Verdict::refused);
    config.registration.approval = false;
    reload();
    EXPECT_EQ(check("late"), Verdict::welcome);
}

TEST_F(Newcomers, WithARosterOnlyItsNamesMayRegister) {
    const std::string digits(64, 'd');
    const auto hash = "pbkdf2-sha256$1000$0123456789abcdef$" + digits;
    with_students("name,team,token\nann,red,\nbob,red,plum-4242\ncarl,," + hash + "\ndan,,\n");
    open();
    take("ann");
    EXPECT_EQ(check("bob", "plum-4242"), Verdict::welcome) << "without the class password";
    EXPECT_EQ(check("bob", "plum-4243"), Verdict::wrong_token);
    EXPECT_EQ(check("carl", digits), Verdict::welcome);
    EXPECT_EQ(check("carl", hash), Verdict::wrong_token) << "a hash is no token";
    EXPECT_EQ(check("known", "its token"), Verdict::welcome);
    expect_refused("eve", ErrorCode::not_on_roster, {"letter for letter", "ask the instructor"});
    expect_refused("B\u043eb", ErrorCode::not_on_roster, {"looks like \"bob\"", "CYRILLIC"});
    EXPECT_TRUE(roster->knows("bob"));
    EXPECT_FALSE(roster->knows("eve"));
    EXPECT_EQ(asked.size(), 1U);
    config.registration.password.clear();
    reload();
    EXPECT_EQ(check("dan"), Verdict::unknown_name) << "without a class password only its tokens";
    EXPECT_EQ(check("bob", "plum-4242"), Verdict::welcome);
}

TEST_F(Newcomers, ARosterCountsForMoreThanANameThatWasTakenBefore) {
    open();
    take("Ann");
    with_students("name\nann\n");
    reload();
    take("ann");
    EXPECT_EQ(check("Ann"), Verdict::welcome) << "until the instructor refuses it";
}

TEST_F(Newcomers, ATokenFromTheInstructorTakesThePlaceOfAFilesUntilItIsTakenBack) {
    with_students("name,token\nbob,plum-4242\n");
    open();
    for (const auto& [name, token] :
         {std::pair("bob", "plum-4242"), std::pair("known", "its token")}) {
        roster->know({name, tokens.hash_of("a new one"), "ctl"});
        EXPECT_EQ(check(name, token), Verdict::wrong_token) << name;
        EXPECT_EQ(check(name, "a new one"), Verdict::welcome) << name;
        roster->know({name, "", "ctl"});
        EXPECT_EQ(check(name, token), Verdict::welcome) << name;
    }
}

// Nobody waits for a name that will never be known.
TEST(Registration, ThatCantBeWrittenDownEndsAll) {
    tests::sim::ClassRoom room;
    room.open();
    room.journal.fail();
    const auto ann = room.log_in("ann", "10.0.0.1", "long enough");
    room.play_on(1s, {});
    EXPECT_EQ(room.ending, "the simulated disk is full");
    EXPECT_TRUE(ann->heard("welcome").empty());
}

TEST(RegistrationRate, AnAddressWaitsUntilItsFirstNameIsAnHourBack) {
    RegistrationRate rate;
    const Instant begin{10h};
    EXPECT_EQ(rate.wait("192.0.2.7", begin, 2), 0s);
    rate.note("192.0.2.7", begin);
    EXPECT_EQ(rate.wait("192.0.2.7", begin, 2), 0s);
    rate.note("192.0.2.7", begin + 10min);
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 20min, 2), 40min);
    EXPECT_EQ(rate.wait("192.0.2.8", begin + 20min, 2), 0s) << "another address";
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 2), 0s);
    rate.note("192.0.2.7", begin + 60min);
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 2), 10min);
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 1), 60min) << "a config that was read again";
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 3), 0s);
}

TEST(RegistrationRate, CountsEachNetworkTogether) {
    RegistrationRate rate;
    const Instant begin{10h};
    rate.note("2001:db8:1:2::7", begin);
    EXPECT_EQ(rate.wait("2001:db8:1:2:ffff:1:2:3", begin, 1), 60min);
    EXPECT_EQ(rate.wait("2001:db8:1:3::7", begin, 1), 0s);
}

}  // namespace

}  // namespace referee::tournament
