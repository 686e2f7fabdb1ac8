#include "sample_bots/cpp/bot/options.h"

#include <gtest/gtest.h>

#include <map>

namespace bots {
namespace {

base::Result<std::variant<Options, HelpWanted>, UsageError> read(
    const std::vector<std::string_view>& arguments,
    const std::map<std::string, std::string>& variables = {}) {
    return read_options(arguments,
                        [&](const char* name) -> std::optional<std::string> {
                            const auto found = variables.find(name);
                            if (found == variables.end()) return std::nullopt;
                            return found->second;
                        },
                        {"greedy", {"walls"}});
}

using Texts = std::vector<std::string>;

Texts texts_of(const Options& options) {
    return {options.name, options.token, options.password, options.version, options.address};
}

TEST(Options, come_from_the_command_line_then_the_environment_then_the_bot) {
    const std::map<std::string, std::string> variables = {{"REFEREE_NAME", "env"},
                                                          {"REFEREE_TOKEN", "env token"},
                                                          {"REFEREE_PASSWORD", "env password"},
                                                          {"REFEREE_VERSION", "env 1"},
                                                          {"REFEREE_ADDRESS", "env:1"}};
    const auto bare = std::get<Options>(read({}).value());
    EXPECT_EQ(texts_of(bare), (Texts{"greedy", "", "", "", ""}));
    EXPECT_EQ(bare.parallel, 1);
    EXPECT_FALSE(bare.delta);
    const auto launched = std::get<Options>(read({}, variables).value());
    EXPECT_EQ(texts_of(launched), (Texts{"env", "env token", "env password", "env 1", "env:1"}));
    const auto told = std::get<Options>(
        read({"--name", "me", "--version", "2.1", "--token=t", "--password=p", "--connect",
              "[::1]:7", "--parallel", "64", "--delta", "--wait=3", "--trace"},
             variables)
            .value());
    EXPECT_EQ(texts_of(told), (Texts{"me", "t", "p", "2.1", "[::1]:7"}));
    EXPECT_EQ(told.parallel, 64);
    EXPECT_TRUE(told.delta);
    EXPECT_TRUE(told.trace);
    EXPECT_EQ(told.wait, std::chrono::seconds(3));
}

TEST(Options, that_make_no_sense_are_refused) {
    const std::vector<std::string_view> cases[] = {
        {"--nam", "x"},     {"--name"},           {"walls"},        {"--parallel", "0"},
        {"--parallel=65"},  {"--parallel=1.5"},   {"--wait", "-1"}, {"--wait", ""},
        {"--wait", "9999"}, {"--parallel", "3x"}, {"-x"},           {"--unknown=1"},
    };
    for (const auto& arguments : cases) {
        const auto result = read(arguments);
        ASSERT_FALSE(result) << arguments[0];
        EXPECT_FALSE(result.error().message.empty());
    }
}

TEST(Options, give_help) {
    EXPECT_TRUE(std::holds_alternative<HelpWanted>(read({"--help"}).value()));
    EXPECT_TRUE(std::holds_alternative<HelpWanted>(read({"--delta", "-h", "--nonsense"}).value()));
    const auto help = help_text("bot", {"greedy", {"walls", "superball"}});
    for (const auto* const word : {"walls, superball", "--connect", "REFEREE_TOKEN", "--delta"}) {
        EXPECT_NE(help.find(word), std::string::npos) << word;
    }
}

}  // namespace
}  // namespace bots
