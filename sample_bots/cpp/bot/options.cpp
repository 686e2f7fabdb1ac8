#include "sample_bots/cpp/bot/options.h"

#include <algorithm>

#include "protocol/base/text.h"

namespace bots {
namespace {

constexpr std::int64_t parallel_max = 64;
constexpr std::int64_t wait_seconds_max = 3600;

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t min,
                                         std::int64_t max) {
    const auto value = base::whole_number<std::int64_t>(text);
    return value && *value >= min && *value <= max ? value : std::nullopt;
}

struct TextOption {
    std::string_view name;
    std::string Options::*value;
};
constexpr TextOption text_options[] = {
    {"--connect", &Options::address}, {"--name", &Options::name},
    {"--token", &Options::token},     {"--password", &Options::password},
    {"--version", &Options::version}, {"--game", &Options::asked_game},
};

base::Result<void, UsageError> take_value(Options& options, std::string_view option,
                                          std::string_view value) {
    const auto* const text = std::ranges::find(text_options, option, &TextOption::name);
    if (text != std::end(text_options)) {
        options.*text->value = value;
    } else if (option == "--parallel") {
        const auto number = whole_number(value, 1, parallel_max);
        if (!number)
            return base::failure(
                UsageError{"--parallel takes a number from 1 to 64, as in --parallel 4"});
        options.parallel = *number;
    } else if (option == "--wait") {
        const auto number = whole_number(value, 0, wait_seconds_max);
        if (!number)
            return base::failure(
                UsageError{"--wait takes seconds from 0 to 3600, as in --wait 30"});
        options.wait = std::chrono::seconds(*number);
    } else {
        return base::failure(UsageError{"unknown option " + std::string(option)});
    }
    return {};
}

}  // namespace

base::Result<std::variant<Options, HelpWanted>, UsageError> read_options(
    std::span<const std::string_view> arguments, const Environment& environment,
    const BotInfo& info) {
    Options options;
    options.name = environment("REFEREE_NAME").value_or(info.name);
    options.token = environment("REFEREE_TOKEN").value_or("");
    options.password = environment("REFEREE_PASSWORD").value_or("");
    options.version = environment("REFEREE_VERSION").value_or("");
    options.address = environment("REFEREE_ADDRESS").value_or("");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto argument = arguments[i];
        if (argument == "--help" || argument == "-h") return HelpWanted{};
        if (argument == "--delta") {
            options.delta = true;
        } else if (argument == "--games") {
            options.asks_games = true;
        } else if (argument == "--trace") {
            options.trace = true;
        } else if (!argument.starts_with("--")) {
            return base::failure(UsageError{"unknown argument " + std::string(argument)});
        } else if (const auto equals = argument.find('='); equals != std::string_view::npos) {
            const auto taken =
                take_value(options, argument.substr(0, equals), argument.substr(equals + 1));
            if (!taken) return base::failure(taken.error());
        } else {
            const bool has_value = i + 1 < arguments.size();
            const auto value = has_value ? arguments[++i] : std::string_view();
            if (const auto taken = take_value(options, argument, value); !taken)
                return base::failure(taken.error());
            if (!has_value)
                return base::failure(UsageError{std::string(argument) + " needs a value"});
        }
    }
    return options;
}

std::string help_text(std::string_view program, const BotInfo& info) {
    std::string text = "Usage: " + std::string(program) + " [options]\n\nPlays " +
                       base::joined(info.games) +
                       " for the referee at HOST:PORT, or on standard input and output\n"
                       "where no address is given.\n\n";
    text +=
        "  --connect HOST:PORT  where the referee listens     (or REFEREE_ADDRESS),\n"
        "                       or tls://HOST:PORT#sha256=..., as the instructor gives it\n"
        "  --name NAME          who we are                    (or REFEREE_NAME)\n"
        "  --token TOKEN        what proves it                (or REFEREE_TOKEN)\n"
        "  --password PASSWORD  the class password, which registers a new name with your\n"
        "                       token: only the first login needs it\n"
        "                                                     (or REFEREE_PASSWORD)\n"
        "  --version TEXT       which version of the bot this is, such as 2.1; results name it\n"
        "                                                     (or REFEREE_VERSION)\n"
        "  --parallel N         games at once, 1 to 64; default 1\n"
        "  --delta              be told changes of the state instead of the whole\n"
        "  --wait SECONDS       for a referee that isn't there yet; default 10\n"
        "  --games              list your last games, instead of playing\n"
        "  --game ID            tell the story of one of them\n"
        "  --trace              show all that is said on standard error\n"
        "  --help               this page\n\n"
        "Exit status: 0 the referee said goodbye; 2 wrong options, no address or login refused;\n"
        "3 the connection could not be made, or was lost.\n";
    return text;
}

}  // namespace bots
