// A bot in each language of a usual course starts in each tier of the sandbox that this machine
// gives, answers a line, keeps a note in /tmp, and draws a random number.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "referee/launch/process/search_path.h"
#include "tests/folder_of_test.h"
#include "tests/referee/launch/process/launcher_fixture.h"

namespace referee::process {
namespace {

using sandbox::Tier;

// Only what the system has: a bot in the sandbox sees no interpreter in somebody's home.
constexpr const char* system_path = "/usr/local/bin:/usr/bin:/bin";

// Says "hello WORD 7" to a line "WORD 7". Where /tmp can be written it goes through a file there.
struct Language {
    const char* name;
    const char* program;  // what has to be installed
    const char* file;
    const char* source;
    std::vector<std::string> command;
    std::string prepare{};  // before the first start, by the shell, in the bot's folder
};

std::ostream& operator<<(std::ostream& out, const Language& language) {
    return out << language.name;
}

const std::vector<Language>& languages() {
    static const std::vector<Language> all{
        {"octave",
         "octave-cli",
         "bot.m",
         R"(line = input("", "s");
randi(9);
file = fopen("/tmp/note", "w");
if file >= 0
  fputs(file, line); fclose(file);
  line = fileread("/tmp/note");
end
printf("hello %s\n", line);
fflush(stdout);
input("", "s");
)",
         {"octave-cli", "--no-history", "--quiet", "bot.m"}},
        {"java",
         "javac",
         "Bot.java",
         R"(import java.io.*;
import java.nio.file.*;
class Bot {
    public static void main(String[] words) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in));
        var line = in.readLine();
        new java.security.SecureRandom().nextInt();
        var helper = new Thread(() -> {});
        helper.start();
        helper.join();
        try {
            line = Files.readString(Files.writeString(Path.of("/tmp/note"), line));
        } catch (AccessDeniedException denied) {
        }
        System.out.println("hello " + line);
        in.readLine();
    }
}
)",
         {"java", "Bot"},
         "javac --release 11 Bot.java"},
        {"node",
         "node",
         "bot.js",
         R"(const fs = require("fs");
require("crypto").randomBytes(4);
require("readline").createInterface({input: process.stdin}).once("line", (line) => {
    try {
        fs.writeFileSync("/tmp/note", line);
        line = fs.readFileSync("/tmp/note", "utf8");
    } catch (error) {
        if (error.code !== "EACCES") throw error;
    }
    process.stdout.write("hello " + line + "\n");
});
)",
         {"node", "bot.js"}},
        {"racket",
         "racket",
         "bot.rkt",
         R"(#lang racket/base
(define line (read-line))
(void (random 9))
(define (through-a-note line)
  (with-output-to-file "/tmp/note" #:exists 'truncate (lambda () (write-string line)))
  (call-with-input-file "/tmp/note" read-line))
(printf "hello ~a\n"
        (with-handlers ([exn:fail:filesystem? (lambda (denied) line)]) (through-a-note line)))
(flush-output)
(void (read-line))
)",
         {"racket", "bot.rkt"}},
        {"mzscheme",
         "racket",
         "bot.scm",
         R"((define line (read-line))
(printf "hello ~a\n" line)
(flush-output)
(read-line)
)",
         {"racket", "-I", "mzscheme", "-r", "bot.scm"}},
        {"python",
         "python3",
         "bot.py",
         R"(import secrets
import threading

line = input()
secrets.token_hex(4)
thread = threading.Thread(target=lambda: None)
thread.start()
thread.join()
try:
    with open("/tmp/note", "w+") as file:
        file.write(line)
        file.seek(0)
        line = file.read()
except PermissionError:
    pass
print("hello", line, flush=True)
input()
)",
         {"python3", "bot.py"}},
        {"static_c",
         "gcc",
         "bot.c",
         R"(#include <errno.h>
#include <stdio.h>
#include <sys/random.h>
int main(void) {
    char line[100];
    FILE* file;
    if (fgets(line, sizeof line, stdin) == NULL) return 1;
    if (getrandom(&file, sizeof file, 0) < 0) return 2;
    file = fopen("/tmp/note", "w+");
    if (file == NULL && errno != EACCES) return 3;
    if (file != NULL) {
        fputs(line, file);
        rewind(file);
        if (fgets(line, sizeof line, file) == NULL) return 4;
    }
    printf("hello %s", line);
    fflush(stdout);
    fgets(line, sizeof line, stdin);
    return 0;
}
)",
         {"./bot"},
         "gcc -static -O1 -w -o bot bot.c"},
    };
    return all;
}

class Interpreters : public LauncherTest,
                     public ::testing::WithParamInterface<std::tuple<Language, Tier>> {
 protected:
    void SetUp() override {
        const auto& [language, tier] = GetParam();
        if (!is_there(language.program))
            GTEST_SKIP() << language.program << " is missing in " << system_path
                         << "; scripts/setup --interpreters installs it";
        if (const auto why_not = start_in(tier, {.search_path = system_path}); !why_not.empty())
            GTEST_SKIP() << why_not;
        made_.write(language.file, language.source);
        std::filesystem::permissions(folder_, std::filesystem::perms(0755));
        if (language.prepare.empty()) return;
        const auto command = "cd '" + folder_ + "' && PATH=" + system_path + " " + language.prepare;
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
    }

    static bool is_there(const std::string& program) {
        for (const std::string folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
            if (::access((folder + program).c_str(), X_OK) == 0) return true;
        }
        return false;
    }

    const tests::FolderOfTest made_;
    const std::string& folder_ = made_.path;
};

TEST_P(Interpreters, answers_a_line) {
    const auto& [language, tier] = GetParam();
    LaunchSpec spec;
    spec.command = language.command;
    spec.working_directory = folder_;
    if (tier != Tier::none) spec.sandbox.emplace().reads = {folder_};
    const auto bot = launch(spec);
    ASSERT_TRUE(bot);
    EXPECT_EQ(bot->tier(), tier);
    Descriptor input = bot->take_input();
    const Descriptor output = bot->take_output();
    ASSERT_EQ(::write(input.get(), "world 7\n", 8), 8);
    EXPECT_EQ(read_line(output.get()), "hello world 7") << bot->error_tail();
    ASSERT_EQ(::write(input.get(), "end\n", 4), 4);
    input.reset();
    ASSERT_TRUE(run_until([&] { return bot->exit_status().has_value(); }));
    EXPECT_EQ(bot->exit_status()->text(), "exit status 0") << bot->error_tail();
}

std::string test_name(const testing::TestParamInfo<std::tuple<Language, Tier>>& given) {
    const auto& [language, tier] = given.param;
    const auto in_tier = tier == Tier::none ? "no_tier" : std::string(name_of(tier));
    return std::string(language.name) + "_in_" + in_tier;
}

INSTANTIATE_TEST_SUITE_P(AllLanguages, Interpreters,
                         testing::Combine(testing::ValuesIn(languages()),
                                          testing::Values(Tier::a, Tier::b, Tier::c, Tier::none)),
                         test_name);

}  // namespace
}  // namespace referee::process
