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
    EXPECT_EQ(on_disk.read()->at(0).versions.size(), 1U) << "it has logged in before";
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

}  // namespace
}  // namespace referee::versions
