#include "referee/launch/supply/config_remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using sandbox::Tier;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string system_path = "/usr/bin:/bin";

// Of "ann", with such limits in MB and processes (0: none), of "bob", who has none, and of one that
// dials in.
TEST(LimitsThatHold, AreNotRemarkedOnAndOthersAreWithTheirBots) {
    struct Row {
        std::uint64_t memory, disk, processes;
        LimitsHeld held;
        std::string told, names = "\"ann\"";
    };
    for (const auto& [memory, disk, processes, held, told, names] : std::vector<Row>{
             {0, 0, 0, {Tier::a, true}, "", ""},
             {0, 0, 0, {Tier::b, true}, "", ""},
             {0, 0, 0, {Tier::c, true}, "", ""},
             {4096, 0, 0, {Tier::none, false}, "", ""},
             {4096, 0, 0, {Tier::b, true}, "4096 MB of memory, and these bots may have as much"},
             {4096, 0, 0, {Tier::b, true}, "expected a \"memory_mb\" below 4096 MB"},
             {0, 0, 5001, {Tier::a, true}, "at most 5000 processes"},
             {3000, 2049, 0, {Tier::b, true}, "\"disk_mb\" of at most 2048 MB"},
             {3000, 2049, 0, {Tier::c, true}, "", ""},  // there it writes nowhere
             {100, 100, 0, {Tier::a, true}, "larger than \"disk_mb\""},
             {100, 100, 0, {Tier::b, true}, "", ""},  // there no process' memory counts it
             {0, 0, 0, {Tier::c, false}, "\"processes\" is not held", "\"ann\", \"bob\""},
         }) {
        config::Config config;
        for (const auto* name : {"ann", "bob", "dials in"}) {
            config.bots.emplace_back().name = name;
            if (config.bots.size() < 3) config.bots.back().launch = {"sh"};
        }
        config.bots[0].memory_mb_max = memory;
        config.bots[0].disk_mb_max = disk;
        config.bots[0].processes_max = processes;
        const auto remarks = remarks_on_limits(config, held, {std::uint64_t{4096} << 20, 5000});
        ASSERT_EQ(remarks.size(), names.empty() ? 0U : 1U) << told;
        if (names.empty()) continue;
        EXPECT_THAT(remarks[0], AllOf(HasSubstr(told), testing::EndsWith(": " + names)));
    }
    config::Config known;
    known.bots.emplace_back().launch = {"sh"};
    EXPECT_THAT(remarks_on_limits(known, {Tier::a, true}, {}), IsEmpty()) << "nothing is known";
}

TEST(LimitsThatHold, AreMeasuredAgainstThisMachine) {
    const auto machine = this_machine();
    EXPECT_GT(machine.memory_bytes, std::uint64_t{1} << 20);
    EXPECT_GT(machine.processes, 1U);
}

struct Class {
    // Adds a bot with a folder of its own.
    config::BotConfig& add(const std::string& name, const std::string& directory) {
        config.bots.push_back(folder.bot_in(directory, {"sh"}));
        config.bots.back().name = name;
        return config.bots.back();
    }
    FolderRemarks remarks() const {
        return remarks_on_folders(config, secrets_of(config, folder.path("out")), system_path);
    }
    base::Result<void, std::string> reads() const {
        return reads_no_secret(config, secrets_of(config, folder.path("out")));
    }

    ClassFolder folder;
    config::Config config;
};

TEST(BotFolders, AreFineBesideEachOther) {
    Class at;
    at.config.file = at.folder.make("class.json");
    at.add("ann", "bots/ann");
    at.add("bob", "bots/ann-2");
    at.config.bots.emplace_back().name = "dials in";
    EXPECT_THAT(at.remarks().notes, IsEmpty());
    EXPECT_THAT(at.remarks().warnings, IsEmpty());
}

TEST(BotFolders, ThatLieWithinEachOtherAreTold) {
    Class at;
    at.add("ann", "bots");
    at.add("bob", "bots/bob");
    at.add("eve", "bots/bob/../bob");
    EXPECT_THAT(at.remarks().warnings,
                ElementsAre(AllOf(HasSubstr("of \"ann\", " + at.folder.path("bots") + ","),
                                  HasSubstr("holds that of \"bob\", \"eve\""))));
    EXPECT_THAT(at.remarks().notes, ElementsAre(AllOf(HasSubstr("the same \"directory\""),
                                                      HasSubstr("\"bob\", \"eve\""))));
}

TEST(BotFolders, ThatHoldASecretAreTold) {
    Class at;
    at.config.file = at.folder.make("class.json");
    at.add("ann", ".");
    EXPECT_THAT(at.remarks().warnings, ElementsAre(HasSubstr("holds the config with all tokens")));
    at.config.bots[0].directory = at.folder.path("out");
    EXPECT_THAT(at.remarks().warnings, ElementsAre(HasSubstr("holds the folder of the results")));
    at.config.control.socket = at.folder.path("run/control.sock");
    at.config.bots[0].directory = at.folder.path("run");
    EXPECT_THAT(at.remarks().warnings, ElementsAre(HasSubstr("holds the control socket")));
}

TEST(BotFolders, WhoHasNoneIsToldWhatItSees) {
    Class at;
    at.folder.make("bot.py");
    at.config.bots = {at.folder.bot({"sh", "bot.py"}), at.folder.bot({"sh"}),
                      at.folder.bot({"sh", "-c", "x"})};
    at.config.bots[1].name = "bob";
    at.config.bots[2].name = "eve";
    EXPECT_THAT(at.remarks().notes,
                ElementsAre(AllOf(HasSubstr("\"ann\" has no \"directory\""),
                                  HasSubstr(at.folder.path("bot.py") + " and nothing")),
                            HasSubstr("nothing of the config's folder: \"bob\", \"eve\"")));
}

TEST(BotFolders, NothingSecretMayBeRead) {
    Class at;
    at.config.file = at.folder.make("class.json");
    at.config.control.socket = at.folder.path("run/control.sock");
    at.config.machines.emplace().folder = at.folder.path("jobs");
    auto& ann = at.add("ann", "bots/ann");
    at.folder.make("out/referee.db");
    at.folder.make("tables/book");
    std::filesystem::create_directory_symlink(at.folder.path("out"), at.folder.path("linked"));
    ann.reads = {at.folder.path("tables")};
    EXPECT_TRUE(at.reads());
    for (const auto& [path, holds] : std::vector<std::pair<std::string, std::string>>{
             {"class.json", "the config with all tokens"},
             {"run", "the control socket"},
             {"jobs", "the jobs of other machines"},
             {"jobs/jobs/000017", "the jobs of other machines"},
             {"out", "the folder of the results"},
             {"out/referee.db", "the folder of the results"},
             {"linked", "the folder of the results"}}) {
        ann.reads = {at.folder.path("tables"), at.folder.path(path)};
        const auto read = at.reads();
        ASSERT_FALSE(read) << path;
        EXPECT_THAT(read.error(),
                    AllOf(HasSubstr("\"reads\" of the bot \"ann\" has " + at.folder.path(path)),
                          HasSubstr(holds), HasSubstr("such as \"/opt/jdk-17\"")));
    }
}

}  // namespace
}  // namespace referee::supply
