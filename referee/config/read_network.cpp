#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <optional>

#include "protocol/base/text.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"
#include "referee/game/clock/allowances.h"

// "network": how much may be allowed for the way to bots of a range of addresses.

namespace referee::config {
namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view range_example = R"(expected a range such as "10.0.0.0/8" or "fd00::/8")";

struct Range {
    clock::Address first;
    unsigned bits = 0;
    std::string without_host_bits;
};

std::optional<Range> range_from(const std::string& text) {
    boost::system::error_code error;
    if (const auto v4 = ip::make_network_v4(text, error); !error)
        return Range{clock::Address::v4(v4.address().to_bytes()),
                     clock::v4_bits + v4.prefix_length(), v4.canonical().to_string()};
    const auto v6 = ip::make_network_v6(text, error);
    if (error) return std::nullopt;
    return Range{{v6.address().to_bytes()},
                 static_cast<unsigned>(v6.prefix_length()),
                 v6.canonical().to_string()};
}

void read_range(json::Reader& reader, clock::NetworkRange& into) {
    reader.text("range", into.text);
    if (!reader.has("range")) {
        reader.wrong("range", "missing; " + std::string(range_example));
        return;
    }
    if (into.text.empty()) return;  // no text: noted already
    const auto range = range_from(into.text);
    if (!range) {
        reader.wrong("range", std::string(range_example) + ", found \"" + into.text + "\"");
        return;
    }
    if (range->first != range->first.first_bits(range->bits)) {
        reader.wrong("range", "has bits behind the " + into.text.substr(into.text.find('/')) +
                                  "; expected \"" + range->without_host_bits + "\"");
        return;
    }
    into.first = range->first;
    into.bits = range->bits;
}

// The most that may be allowed for the way of anybody who can reach a port there.
Duration longest_way(const Config& config, const std::string& listens_on) {
    boost::system::error_code error;
    const auto address = ip::make_address(listens_on, error);
    if (error) return Duration::zero();  // told where it is opened
    if (address.is_loopback()) {
        clock::Allowances allowances(config.network);
        const auto bytes = address.is_v4() ? clock::Address::v4(address.to_v4().to_bytes())
                                           : clock::Address{address.to_v6().to_bytes()};
        return allowances.of(allowances.enter(bytes)).bound;
    }
    const bool all_said = std::any_of(config.network.begin(), config.network.end(),
                                      [](const auto& range) { return range.bits == 0; });
    auto longest = all_said ? Duration::zero() : clock::default_ranges().back().allowance_max;
    for (const auto& range : config.network) longest = std::max(longest, range.allowance_max);
    return longest;
}

bool somebody_dials_in(const Config& config, const TournamentConfig& tournament) {
    const auto dials_in = [&config](auto bot) { return !config.bots[bot].launched(); };
    return config.registration.open() ||
           std::any_of(tournament.bots.begin(), tournament.bots.end(), dials_in);
}

}  // namespace

void warn_of_short_budgets(Config& config) {
    auto longest = longest_way(config, config.address);
    if (config.tls) longest = std::max(longest, longest_way(config, config.tls->address));
    for (const auto& tournament : config.tournaments) {
        const auto& clock = tournament.clock;
        const auto way = std::min(longest, clock.allowance_max);
        if (clock.kind == clock::ClockKind::none || clock.measure != clock::Measure::wall) continue;
        const bool by_game = clock.kind == clock::ClockKind::game;
        const int turns = by_game ? clock::game_turns_assumed : 1;
        if (!clock.allowance || turns * way <= clock.budget + turns * clock.increment) continue;
        if (!somebody_dials_in(config, tournament)) continue;
        const auto room = by_game ? fmt::format(
                                        " are allowed for a bot's way each turn, {} in a game of "
                                        "{} turns: more than its budget of ",
                                        ms_text(turns * way), turns)
                                  : " are allowed for a bot's way, more than a turn's budget of ";
        config.warnings.push_back(
            "tournament " + tournament.id + ": up to " + ms_text(way) + room +
            ms_text(clock.budget + turns * clock.increment) +
            ": whoever delays its acknowledgements may think that much longer. Expected a lower "
            "\"allowance_max\" in \"network\" or in the clock, or a budget of at least " +
            ms_text(turns * way - turns * clock.increment));
    }
}

void read_network(const json::Placed& list, Config& config) {
    for (const auto element : list.elements()) {
        if (!element.object(R"({"range": "10.0.0.0/8", "allowance_max": "20ms"})")) continue;
        json::Reader reader(element);
        clock::NetworkRange range;
        read_range(reader, range);
        if (!reader.has("allowance_max"))
            reader.wrong("allowance_max", "missing; expected a time such as \"20ms\"");
        read_time(reader, "allowance_max", range.allowance_max);
        reader.boolean("peers", range.peers);
        reader.no_others();
        const auto same = [&range](const clock::NetworkRange& other) {
            return other.first == range.first && other.bits == range.bits;
        };
        if (std::any_of(config.network.begin(), config.network.end(), same))
            reader.wrong("range",
                         "the range \"" + range.text + "\" is there twice; expected it once");
        config.network.push_back(std::move(range));
    }
}

}  // namespace referee::config
