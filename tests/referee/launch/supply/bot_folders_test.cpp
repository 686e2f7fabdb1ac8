#include "referee/launch/supply/visible_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string system_path = "/usr/bin:/bin";

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
