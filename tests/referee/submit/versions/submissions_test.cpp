// What is told of a program that was handed in: whether it plays.

#include "referee/submit/versions/submissions.h"

#include <gtest/gtest.h>

#include "referee/files/file.h"
#include "referee/tournament/table/cores.h"
#include "tests/folder_of_test.h"
#include "tests/sim/lobby_room.h"

namespace referee::versions {
namespace {

using tests::sim::Json;

// Versions of one bot that are built, in a daemon that begins.
class Desk {
 public:
    explicit Desk(const std::string& folder)
        : submissions(folder, true,
                      {.executor = room.world.loop().get_executor(),
                       .timers = room.world.referee(),
                       .beside = background,
                       .wall_clock_s = [] { return 0; },
                       .launch =
                           [this](const config::BotConfig& bot, const auto& /*games*/) {
                               launched = bot.launch.at(0);
                               return base::Result<void, std::string>();
                           },
                       .launch_no_more = [this](const std::string& /*bot*/) { launched.clear(); },
                       .tell = [this](const std::string& news) { log.push_back(news); },
                       .tell_trouble = [this](const std::string& news) { log.push_back(news); }}) {
        EXPECT_TRUE(submissions.open(cores));
    }
    // The list, as its owner is told it.
    Json list() {
        if (owner == nullptr) owner = &room.log_in("ada");
        submissions.take("ada", room.lobby->bot("ada").session()->shared_from_this(),
                         protocol::AskSubmissions{});
        room.pass(std::chrono::seconds(1));
        return owner->last("submission_list");
    }
    void hand_in(const std::string& text) {
        if (owner == nullptr) owner = &room.log_in("ada");
        const auto session = room.lobby->bot("ada").session()->shared_from_this();
        const auto sha256 = base::hex_of(base::digest_of(text));
        const auto piece = base::base64_of(text);
        submissions.take(
            "ada", session,
            protocol::Submit{"bot.py", static_cast<std::int64_t>(text.size()), sha256});
        submissions.take("ada", session, protocol::Piece{piece});
    }
    std::string standing() const { return submissions.standing_of("ada")->text; }

    tests::sim::LobbyRoom room;
    tests::sim::ScriptedBot* owner = nullptr;
    tests::sim::InstantBackground background{room.world};
    table::Cores cores{1};
    std::string launched;
    std::vector<std::string> log;
    Submissions submissions;
};

class SubmissionsTest : public ::testing::Test {
 protected:
    void keep(unsigned number, bool came) const {
        const auto sha256 = std::string(64, 'a');
        ASSERT_TRUE(on_disk.keep("ada", {number, "bot.py", 1, sha256, 0, std::nullopt}, "x"));
        ASSERT_TRUE(on_disk.conclude("ada", number, {true, "", "", came}));
        folder.write(
            "handed-in/" + files::folder_name_of("ada") + "/" + std::to_string(number) +
                "/site/submissions/" + files::folder_name_of("ada") + "/submission.json",
            R"({"directory":"files","command":["program )" + std::to_string(number) + R"("]})");
    }

    std::vector<unsigned> numbers_kept() const {
        std::vector<unsigned> numbers;
        const auto owners = on_disk.read();
        for (const auto& version : owners->at(0).versions) numbers.push_back(version.number);
        return numbers;
    }

    const tests::FolderOfTest folder;
    VersionStore on_disk{folder.at("handed-in")};
};

TEST_F(SubmissionsTest, AVersionPlaysOnceItHasLoggedIn) {
    keep(1, false);
    {
        Desk desk(folder.at("handed-in"));
        EXPECT_EQ(desk.launched, "program 1");
        EXPECT_EQ(desk.standing(), "version 1 is built, and has not logged in yet");
        EXPECT_FALSE(desk.submissions.standing_of("ada")->plays);
        auto list = desk.list();
        EXPECT_EQ(list["versions"][0]["status"], "built");
        EXPECT_EQ(list["versions"][0]["reason"], "it is built, and has not logged in yet");
        EXPECT_EQ(list["plays"],
                  "version 1 plays as soon as it has logged in: ask again with --status");
        desk.submissions.logged_in("bob");
        EXPECT_FALSE(desk.submissions.standing_of("ada")->plays);
        desk.submissions.logged_in("ada");
        desk.room.pass(std::chrono::seconds(1));
        EXPECT_EQ(desk.log.back(), "version 1 of ada has logged in, and plays from now on");
        EXPECT_EQ(desk.standing(), "version 1 plays");
        const auto told = desk.log.size();
        desk.submissions.logged_in("ada");
        EXPECT_EQ(desk.log.size(), told) << "once";
        list = desk.list();
        EXPECT_EQ(list["versions"][0]["status"], "plays");
        EXPECT_FALSE(list["versions"][0].contains("reason"));
    }
    Desk next(folder.at("handed-in"));
    EXPECT_EQ(next.standing(), "version 1 plays") << "as the daemon before it saw";
}

TEST_F(SubmissionsTest, AVersionIsThrownAwayOnceTheNextOneHasLoggedIn) {
    for (const unsigned number : {1U, 2U, 3U}) keep(number, number < 3);
    Desk desk(folder.at("handed-in"));
    config::SubmissionsConfig one;
    one.versions = 1;
    desk.submissions.set_terms(one);
    desk.submissions.given_up("ada", "exit status 1", "");
    EXPECT_EQ(desk.launched, "program 2");
    EXPECT_EQ(numbers_kept(), (std::vector{2U, 3U})) << "it has logged in before";
}

// Its owner has to read why.
TEST_F(SubmissionsTest, TheNewestIsKeptAlsoWhereItFailed) {
    keep(1, true);
    keep(2, false);
    Desk desk(folder.at("handed-in"));
    config::SubmissionsConfig one;
    one.versions = 1;
    desk.submissions.set_terms(one);
    desk.submissions.given_up("ada", "exit status 1", "no luck\n");
    EXPECT_EQ(desk.launched, "program 1");
    EXPECT_EQ(numbers_kept(), (std::vector{1U, 2U}));
    EXPECT_EQ(desk.list()["versions"][0]["reason"],
              "it is built, and does not start: exit status 1");
}

TEST_F(SubmissionsTest, NoneIsThrownAwayBeforeTheNextOneHasLoggedIn) {
    for (const unsigned number : {1U, 2U, 3U}) keep(number, number < 2);
    Desk desk(folder.at("handed-in"));
    config::SubmissionsConfig one;
    one.versions = 1;
    desk.submissions.set_terms(one);
    desk.submissions.given_up("ada", "exit status 1", "");
    EXPECT_EQ(desk.launched, "program 2");
    desk.submissions.given_up("ada", "exit status 1", "");
    EXPECT_EQ(desk.launched, "program 1");
}

// Of two that were handed in the second could not be kept, and both were withdrawn.
TEST_F(SubmissionsTest, ANumberThatWasWithdrawnIsGivenToNoLaterVersion) {
    keep(1, true);
    ASSERT_TRUE(on_disk.withdraw("ada", 2));
    Desk desk(folder.at("handed-in"));
    desk.submissions.set_terms(config::SubmissionsConfig());
    desk.hand_in("print()");
    EXPECT_EQ(numbers_kept(), (std::vector{1U, 3U}));
}

TEST_F(SubmissionsTest, AGoodVersionPlaysAgainWhereTheNextOneDoesNotStart) {
    keep(1, true);
    keep(2, false);
    ASSERT_TRUE(on_disk.conclude("ada", 2, {true, "", "built", false}));
    Desk desk(folder.at("handed-in"));
    EXPECT_EQ(desk.launched, "program 2");
    EXPECT_EQ(desk.standing(), "version 2 is built, and has not logged in yet");
    desk.submissions.given_up("ada", "exit status 1", "no luck\n");
    EXPECT_EQ(desk.launched, "program 1");
    EXPECT_EQ(desk.standing(), "version 1 plays; version 2 failed");
    const auto list = desk.list();
    EXPECT_EQ(list["versions"][0]["status"], "failed");
    EXPECT_EQ(list["versions"][0]["output"], "built\nits standard error:\nno luck\n");
    EXPECT_EQ(list["versions"][1]["status"], "plays");
}

// What this machine can't launch may be a good program.
TEST_F(SubmissionsTest, AVersionThatTheMachineCouldNotLaunchHasNotFailed) {
    keep(1, true);
    keep(2, false);
    {
        Desk desk(folder.at("handed-in"));
        desk.submissions.not_launched("ada");
        EXPECT_EQ(desk.launched, "program 2");
        const auto trouble = desk.list()["versions"][0];
        EXPECT_EQ(trouble["status"], "built");
        EXPECT_EQ(trouble["reason"],
                  "it is built, and could not be launched, by the referee's own trouble: it is "
                  "launched again in some minutes");
        EXPECT_NE(desk.log.back().find("which is this machine's trouble"), std::string::npos);
        desk.submissions.logged_in("ada");
        EXPECT_FALSE(desk.list()["versions"][0].contains("reason"));
    }
    Desk next(folder.at("handed-in"));
    EXPECT_EQ(next.launched, "program 2") << "nothing was written down against it";
    next.submissions.not_launched("ada");
    next.launched.clear();
    next.room.pass(std::chrono::minutes(6));
    EXPECT_EQ(next.launched, "program 2");
}

}  // namespace
}  // namespace referee::versions
