#include <gmock/gmock.h>

#include <gtest/gtest.h>
#include <map>

#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"
#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using process::folders_behind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Any system has these.
const std::string search_path = "/usr/bin:/bin";

std::vector<std::string> shown(const config::BotConfig& bot,
                               const std::string& path = search_path) {
    return visible_files({bot, path}).reads;
}

TEST(VisibleFiles, AreTheBotsOwnDirectory) {
    const ClassFolder folder;
    folder.make("ann/bot.py");
    folder.make("common/tables/book");
    auto bot = folder.bot_in("ann", {"sh", "bot.py"});
    EXPECT_THAT(shown(bot), ElementsAre(folder.path("ann")));
    EXPECT_THAT(visible_files({bot, search_path}).named, IsEmpty());
    bot.reads = {folder.path("common"), folder.path("ann/deep"), folder.path("common/tables")};
    EXPECT_THAT(shown(bot), ElementsAre(folder.path("ann"), folder.path("common")));
    bot.reads = {folder.path("common"), folder.root()};
    EXPECT_THAT(shown(bot), ElementsAre(folder.root()));
}

TEST(VisibleFiles, AreThoseThatTheCommandNamesWhereThereIsNoDirectory) {
    const ClassFolder folder;
    folder.make("bot.py");
    folder.make("secret.json");
    folder.make("data/book");
    folder.make("sh");
    const auto book = folder.path("data/book");
    const auto bot =
        folder.bot({"sh", "./bot.py", "data", "data/../data/book", "-x", "", "gone", book});
    const auto visible = visible_files({bot, search_path});
    EXPECT_THAT(visible.named, ElementsAre(folder.path("bot.py"), book));
    EXPECT_EQ(visible.reads, visible.named);
}

TEST(VisibleFiles, HaveTheProgramWhereItIsNotTheSystems) {
    const ClassFolder folder;
    const auto program = folder.make("programs/greedy");
    const auto own_path = folder.make("elsewhere/greedy");
    const auto by_slash = folder.make("run-me");
    auto bot = folder.bot({"greedy", "7"});
    const auto programs = folder.path("programs") + ":" + search_path;
    EXPECT_THAT(shown(bot, programs), ElementsAre(program));
    EXPECT_THAT(visible_files({bot, programs}).named, IsEmpty());
    bot.environment = {{"PATH", folder.path("elsewhere")}};
    EXPECT_THAT(shown(bot, programs), ElementsAre(own_path));
    EXPECT_THAT(shown(folder.bot({"./run-me"}), programs), ElementsAre(by_slash));
    EXPECT_THAT(shown(folder.bot({by_slash}), programs), ElementsAre(by_slash));
    EXPECT_THAT(shown(folder.bot({"./gone"}), programs), IsEmpty());
    EXPECT_THAT(shown(folder.bot({"sh"}), programs), IsEmpty());
    EXPECT_THAT(shown(folder.bot({"/bin/sh"}), programs), IsEmpty());
    EXPECT_THAT(shown(folder.bot_in("ann", {"/bin/sh"}), programs),
                ElementsAre(folder.path("ann")));
    EXPECT_THAT(shown(folder.bot_in("ann", {"../run-me"}), programs),
                UnorderedElementsAre(folder.path("ann"), by_slash));
}

// As nvm, pyenv, asdf, uv, conda and virtual environments have them.
TEST(VisibleFiles, HaveWhatAnInterpreterWasInstalledWith) {
    for (const std::string prefix :
         {"nvm/versions/node/v20", "asdf/installs/nodejs/20", "uv/python/cpython-3.12", "conda"}) {
        const ClassFolder folder;
        const auto node = folder.make(prefix + "/bin/node");
        folder.make(prefix + "/lib/own.js");
        folder.make("conda/conda-meta/history");
        folder.make("asdf/shims/node");
        folder.make("ann/bot.js", "#!/usr/bin/env node\n");
        const auto path = folder.path(prefix + "/bin") + ":" + search_path;
        const auto expected = UnorderedElementsAre(folder.path("ann"), folder.path(prefix));
        for (const auto& bot :
             {folder.bot_in("ann", {"node", "bot.js"}), folder.bot_in("ann", {"./bot.js"}),
              folder.bot_in("ann", {node, "bot.js"})}) {
            EXPECT_THAT(shown(bot, path), expected) << bot.launch.front();
            EXPECT_FALSE(hidden_file({bot, path}));
        }
        EXPECT_EQ(path_inside({folder.bot_in("ann", {"./bot.js"}), path}),
                  folder.path(prefix + "/bin") + ":/usr/bin:/bin:/usr/local/bin");
    }
}

TEST(VisibleFiles, HaveAVirtualEnvironmentThatHoldsNothingElse) {
    const ClassFolder folder;
    const auto python = folder.make("pyenv/versions/3.11/bin/python3.11");
    folder.make("pyenv/versions/3.11/lib/os.py");
    folder.make("pyenv/shims/python3.11");
    folder.make("venv/pyvenv.cfg");
    folder.make("venv/lib/site.py");
    std::filesystem::create_directory(folder.path("venv/bin"));
    std::filesystem::create_symlink(python, folder.path("venv/bin/python3"));
    const auto bot = folder.bot_in("ann", {"python3", "bot.py"});
    const auto path = folder.path("venv/bin") + ":" + search_path;
    EXPECT_THAT(shown(bot, path), UnorderedElementsAre(folder.path("ann"), folder.path("venv"),
                                                       folder.path("pyenv/versions/3.11")));
    folder.make("venv/tokens.json");
    EXPECT_THAT(shown(bot, path),
                UnorderedElementsAre(folder.path("ann"), folder.path("venv/bin/python3"),
                                     folder.path("pyenv/versions/3.11")));
    ASSERT_TRUE(hidden_file({bot, path}));
    EXPECT_EQ(hidden_file({bot, path})->reads, folder.path("venv"));
}

// Its author could name any folder of the machine there.
TEST(VisibleFiles, HaveNoFolderThatAScriptsFirstLineLeadsTo) {
    const ClassFolder folder;
    const auto python = folder.make("pyenv/versions/3.11/bin/python3.11");
    folder.make("pyenv/versions/3.11/lib/os.py");
    folder.make("pyenv/shims/python3.11");
    folder.make("ann/bot.py", "#!" + python + "\n");
    std::filesystem::create_symlink(python, folder.path("ann/python3"));
    for (const std::string program : {"./bot.py", "./python3"})
        EXPECT_THAT(shown(folder.bot_in("ann", {program})), ElementsAre(folder.path("ann")));
}

// What the bot would miss, and what has to stand in "reads".
void expect_hidden(const config::BotConfig& bot, const std::string& path, const std::string& what,
                   const std::string& reads) {
    const auto hidden = hidden_file({bot, path});
    ASSERT_TRUE(hidden) << what;
    EXPECT_THAT(hidden->what, HasSubstr(what));
    EXPECT_EQ(hidden->reads, reads);
    auto mended = bot;
    mended.reads.push_back(reads);
    const auto still = hidden_file({mended, path});
    EXPECT_FALSE(still) << still->what;
}

TEST(HiddenFiles, AreNoneAsARule) {
    const ClassFolder folder;
    folder.make("ann/bot.sh", "#!/bin/sh\nexit\n");
    folder.make("ann/bot.py", "#!/usr/bin/env -S sh -e\n");
    folder.make("alone", "#!/bin/sh\n");
    for (const auto& bot :
         {folder.bot_in("ann", {"sh", "bot.sh"}), folder.bot_in("ann", {"./bot.sh", "gone"}),
          folder.bot_in("ann", {"./bot.py"}), folder.bot({"./alone"}), folder.bot({"sh", "alone"}),
          folder.bot({"no-such-program"}), folder.bot({"./gone"})}) {
        const auto hidden = hidden_file({bot, search_path});
        EXPECT_FALSE(hidden) << hidden->what;
    }
}

TEST(HiddenFiles, AreAScriptOutsideOfTheDirectory) {
    const ClassFolder folder;
    const auto script = folder.make("shared/bot.sh");
    expect_hidden(folder.bot_in("ann", {"sh", "../shared/bot.sh"}), search_path, script, script);
}

// A bot's author could put a link to the config or to another's bot into the folder.
TEST(HiddenFiles, AreThoseThatALinkOutOfTheFolderLeadsTo) {
    const ClassFolder folder;
    const auto tokens = folder.make("config.json");
    folder.make("ann/bot.sh");
    const auto link = folder.path("ann/data");
    std::filesystem::create_symlink(tokens, link);
    for (const auto& bot : {folder.bot({"sh", "ann/bot.sh", "ann/data"}),
                            folder.bot_in("ann", {"sh", "bot.sh", "data"})}) {
        for (const auto& seen : shown(bot)) EXPECT_NE(seen, link);
        const auto hidden = hidden_file({bot, search_path});
        ASSERT_TRUE(hidden);
        EXPECT_EQ(hidden->what, "the file " + link + ", a link to " + tokens);
        EXPECT_EQ(hidden->reads, "") << "nobody is advised to show what the link leads to";
    }
    std::filesystem::create_directory_symlink(folder.path("ann"), folder.path("ben"));
    EXPECT_THAT(shown(folder.bot({"sh", "ben/bot.sh"})), IsEmpty());
}

// A link to a program in a folder with its libraries, which may hold more than these.
TEST(HiddenFiles, AreAnInterpretersLibraries) {
    const ClassFolder folder;
    const auto python = folder.make("local/bin/python3.11");
    folder.make("local/lib/os.py");
    std::filesystem::create_directories(folder.path("shims"));
    std::filesystem::create_symlink(python, folder.path("shims/python3"));
    folder.make("ann/bot.py", "#!/usr/bin/env python3\n");
    folder.make("ann/direct.py", "#! " + python + " -B\r\n");
    const auto prefix = folder.path("local");
    const auto path = folder.path("shims") + ":" + search_path;
    expect_hidden(folder.bot_in("ann", {"python3", "bot.py"}), path, "its program " + python,
                  prefix);
    auto script = folder.bot_in("ann", {"./bot.py"});
    script.reads = {folder.path("shims/python3")};
    expect_hidden(script, path, "the interpreter of " + folder.path("ann/bot.py"), prefix);
    script.reads = {prefix};
    expect_hidden(script, path, folder.path("shims/python3"), folder.path("shims/python3"));
    expect_hidden(folder.bot_in("ann", {"./direct.py"}), search_path,
                  "the interpreter of " + folder.path("ann/direct.py"), prefix);
}

// As version managers have it: a script in place of the program, which starts the right one.
TEST(HiddenFiles, AreWhatAScriptInPlaceOfAProgramStarts) {
    const ClassFolder folder;
    const auto shim = folder.make("versions/shims/python3", "#!/bin/sh\n");
    const auto tool = folder.make("tools/run-it", "#!/bin/sh\n");
    const auto path = folder.path("versions/shims") + ":" + folder.path("tools");
    expect_hidden(folder.bot_in("ann", {"python3", "bot.py"}), path, "what " + shim,
                  folder.path("versions"));
    expect_hidden(folder.bot_in("ann", {"run-it"}), path, "what " + tool, folder.path("tools"));
    expect_hidden(folder.bot_in("ann", {shim}), search_path, "what " + shim,
                  folder.path("versions"));
    EXPECT_FALSE(hidden_file({folder.bot_in("ann", {tool}), search_path}))
        << "the bot's own program";
    const auto own = folder.make("ann/bin/start", "#!/bin/sh\n");
    EXPECT_FALSE(hidden_file({folder.bot_in("ann", {own}), search_path})) << "it sees that folder";
}

TEST(HiddenFiles, AreAnInterpreterThatLiesAlone) {
    const ClassFolder folder;
    const auto interpreter = folder.make("tools/run");
    folder.make("ann/bot", "#!" + interpreter + "\n");
    expect_hidden(folder.bot_in("ann", {"./bot"}), search_path, interpreter, interpreter);
    EXPECT_FALSE(hidden_file({folder.bot_in("ann", {interpreter, "bot"}), search_path}))
        << "the program itself is always shown";
}

TEST(PathInside, HasOfTheRefereesPathOnlyWhatTheBotNeeds) {
    const ClassFolder folder;
    folder.make("programs/greedy");
    folder.make("pythons/python-of-ann", "#!/bin/sh\n");
    folder.make("ann/bot.py", "#!/usr/bin/env python-of-ann\n");
    folder.make("jdk/bin/java");
    folder.make("private/tool");
    const auto mine = folder.path("private") + ":" + folder.path("programs") +
                      "::relative:/usr/bin:" + folder.path("pythons") + ":" +
                      folder.path("jdk/bin") + ":/usr/bin";
    const std::string plain = "/usr/bin:/usr/local/bin:/bin";
    EXPECT_EQ(path_inside({folder.bot_in("ann", {"sh", "bot.sh"}), mine}), plain);
    EXPECT_EQ(path_inside({folder.bot_in("ann", {"greedy"}), mine}),
              folder.path("programs") + ":" + plain);
    EXPECT_EQ(path_inside({folder.bot_in("ann", {"./bot.py"}), mine}),
              "/usr/bin:" + folder.path("pythons") + ":/usr/local/bin:/bin")
        << "in the order in which the referee itself looks";
    auto with_java = folder.bot_in("ann", {"sh", "run.sh"});
    with_java.reads = {folder.path("jdk")};
    EXPECT_EQ(path_inside({with_java, mine}),
              "/usr/bin:" + folder.path("jdk/bin") + ":/usr/local/bin:/bin");
    with_java.environment = {{"PATH", "/own"}};
    EXPECT_EQ(path_inside({with_java, mine}), "/own");
    EXPECT_EQ(path_inside({folder.bot_in("ann", {"gone"}), ""}), "/usr/local/bin:/usr/bin:/bin");
}

process::Variable variables(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    };
}

TEST(ChosenVersions, PyenvChoosesByItsVariableElseByItsFile) {
    const ClassFolder folder;
    for (const auto* version : {"3.9.18", "3.11.7", "3.11.12", "pypy3.10"})
        folder.make("pyenv/versions/" + std::string(version) + "/bin/python3");
    const auto shims = folder.path("pyenv/shims");
    const auto bin = [&](const std::string& version) {
        return folder.path("pyenv/versions/" + version + "/bin");
    };
    EXPECT_THAT(folders_behind(shims, variables({})), IsEmpty()) << "none is chosen";
    folder.make("pyenv/version", "3.9.18\npypy3.10\nsystem\n");
    EXPECT_THAT(folders_behind(shims, variables({})), ElementsAre(bin("3.9.18"), bin("pypy3.10")));
    EXPECT_THAT(folders_behind(shims, variables({{"PYENV_VERSION", "3.11:3.9.18"}})),
                ElementsAre(bin("3.11.12"), bin("3.9.18")));
    EXPECT_THAT(folders_behind(folder.path("pyenv/bin"), variables({})), IsEmpty());
}

TEST(ChosenVersions, AsdfChoosesByItsVariableElseByTheUsersFile) {
    const ClassFolder folder;
    for (const auto* program :
         {"nodejs/20.1.0/bin/node", "python/3.11.7/bin/python3", "python/3.12.1/bin/python3"})
        folder.make("asdf/installs/" + std::string(program));
    folder.make("home/.tool-versions", "python 3.11.7 system\nruby 3.2\n");
    const auto shims = folder.path("asdf/shims");
    const auto installs = folder.path("asdf/installs");
    const auto home = folder.path("home");
    EXPECT_THAT(folders_behind(shims, variables({{"HOME", home}})),
                ElementsAre(installs + "/python/3.11.7/bin"));
    EXPECT_THAT(folders_behind(shims, variables({{"HOME", home},
                                                 {"ASDF_PYTHON_VERSION", "3.12.1"},
                                                 {"ASDF_NODEJS_VERSION", "20.1.0"}})),
                ElementsAre(installs + "/nodejs/20.1.0/bin", installs + "/python/3.12.1/bin"));
}

}  // namespace
}  // namespace referee::supply
