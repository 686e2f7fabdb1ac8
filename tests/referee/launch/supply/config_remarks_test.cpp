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
using testing::Not;

const std::string system_path = "/usr/bin:/bin";

constexpr LimitingMachine small_machine{std::uint64_t{4096} << 20, 5000};

config::Config class_of(std::initializer_list<config::BotConfig> bots) {
    config::Config config;
    for (const auto& bot : bots) config.bots.push_back(bot);
    config.bots.push_back({});
    config.bots.back().name = "dials in";
    return config;
}

config::BotConfig bot_named(const char* name) {
    config::BotConfig bot;
    bot.name = name;
    bot.launch = {"sh"};
    return bot;
}

TEST(LimitsThatHold, AreNotRemarkedOn) {
    const auto config = class_of({bot_named("ann")});
    for (const auto tier : {Tier::a, Tier::b, Tier::c})
        EXPECT_THAT(remarks_on_limits(config, {tier, true}, small_machine), IsEmpty());
    EXPECT_THAT(remarks_on_limits(config, {Tier::a, true}, {}), IsEmpty()) << "nothing is known";
}

TEST(LimitsThatHold, TellOfMoreMemoryThanTheMachineHas) {
    auto ann = bot_named("ann");
    ann.memory_mb_max = 4096;
    const auto config = class_of({ann, bot_named("bob")});
    EXPECT_THAT(remarks_on_limits(config, {Tier::b, true}, small_machine),
                ElementsAre(AllOf(HasSubstr("the machine has 4096 MB"), HasSubstr(": \"ann\""),
                                  HasSubstr("expected a \"memory_mb\" below 4096 MB"),
                                  Not(HasSubstr("bob")))));
    EXPECT_THAT(remarks_on_limits(config, {Tier::none, false}, small_machine), IsEmpty());
}

TEST(LimitsThatHold, TellOfMoreProcessesThanTheKernelMakes) {
    auto ann = bot_named("ann");
    ann.processes_max = 5001;
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::a, true}, small_machine),
                ElementsAre(AllOf(HasSubstr("at most 5000 processes"), HasSubstr("\"ann\""))));
}

TEST(LimitsThatHold, TellOfADiskThatIsMemory) {
    auto ann = bot_named("ann");
    ann.disk_mb_max = 2049;
    ann.memory_mb_max = 3000;
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::b, true}, small_machine),
                ElementsAre(HasSubstr("\"disk_mb\" of at most 2048 MB: \"ann\"")));
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::c, true}, small_machine), IsEmpty())
        << "there it writes nowhere";
    ann.disk_mb_max = 100;
    ann.memory_mb_max = 100;
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::a, true}, small_machine),
                ElementsAre(HasSubstr("larger than \"disk_mb\": \"ann\"")));
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::b, true}, small_machine), IsEmpty())
        << "there no process' memory counts it";
}

TEST(LimitsThatHold, TellWhereNothingBoundsProcesses) {
    const auto config = class_of({bot_named("ann"), bot_named("bob")});
    EXPECT_THAT(remarks_on_limits(config, {Tier::c, false}, small_machine),
                ElementsAre(AllOf(HasSubstr("\"processes\" is not held"),
                                  HasSubstr("\"ann\", \"bob\""), Not(HasSubstr("dials in")))));
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
