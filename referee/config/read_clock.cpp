#include "protocol/base/text.h"
#include "protocol/codes.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"

// "clock" and "faults" of a tournament, and what a bot's absence comes to.

namespace referee::config {
namespace {

constexpr std::int64_t strikes_most = 1000;
constexpr std::int64_t idle_matches_most = 1000;

// Below it the way through the kernel and a change of processes are a good part of the time.
constexpr Duration budget_least_sensible = std::chrono::milliseconds(1);

template <typename Value, std::size_t n>
std::vector<std::string_view> words(const std::array<base::Named<Value>, n>& table) {
    std::vector<std::string_view> names;
    for (const auto& row : table) names.push_back(row.name);
    return names;
}

}  // namespace

void read_clock(json::Reader& tournament, const engines::GameInfo& game,
                clock::ClockConfig& clock) {
    clock = clock::default_clock(game);
    const auto object = tournament.optional_object("clock");
    if (!object) return;
    json::Reader reader(object);
    bool lacks_budget = false;
    const auto kind = reader.optional_word("kind", words(base::clock_kinds));
    if (kind && static_cast<clock::ClockKind>(*kind) != clock.kind) {
        const auto measure = clock.measure;
        clock = {};
        clock.kind = static_cast<clock::ClockKind>(*kind);
        clock.measure = measure;
        lacks_budget = clock.kind != clock::ClockKind::none && !reader.has("budget");
        if (lacks_budget)
            reader.wrong("kind", "a clock of kind \"" + std::string(clock::name_of(clock.kind)) +
                                     "\" needs a \"budget\", such as \"1s\"");
    }
    if (const auto measure = reader.optional_word("measure", words(base::measures)))
        clock.measure = static_cast<clock::Measure>(*measure);
    if (reader.has("budget")) clock.hard_limit = {};
    read_time(reader, "budget", clock.budget);
    read_time(reader, "increment", clock.increment);
    read_time(reader, "hard_limit", clock.hard_limit);
    reader.boolean("waits_for_late", clock.waits_for_late);
    read_time(reader, "hung_after", clock.hung_after);
    reader.boolean("network_allowance", clock.allowance);
    read_time(reader, "allowance_max", clock.allowance_max);
    if (reader.optional("jitter_max")) read_time(reader, "jitter_max", clock.jitter_max.emplace());
    reader.no_others();
    if (!clock.waits_for_late && reader.has("hung_after"))
        reader.wrong("hung_after", "counts only where \"waits_for_late\" is true");
    for (const auto& mistake : clock::mistakes(clock)) {
        const auto colon = mistake.find(": ");
        const auto member = mistake.substr(0, colon);
        if (lacks_budget && member == "budget") continue;  // told with the kind
        reader.wrong(member, mistake.substr(colon + 2));
    }
    clock = clock::completed(clock);
}

void warn_of_tiny_budgets(Config& config) {
    for (const auto& tournament : config.tournaments) {
        const auto& clock = tournament.clock;
        if (clock.kind == clock::ClockKind::none || clock.budget >= budget_least_sensible) continue;
        config.warnings.push_back(fmt::format(
            "tournament {}: clock.budget: {} budget is {} us, less than 1 ms: hardly any program "
            "answers in that time. A number without a unit counts microseconds; expected a time "
            "such as \"1s\" or \"50ms\"",
            tournament.id, clock.kind == clock::ClockKind::game ? "a game's" : "a turn's",
            in_us(clock.budget)));
    }
}

void read_faults(json::Reader& tournament, play::FaultPolicy& faults) {
    const auto object = tournament.optional_object("faults");
    if (!object) return;
    json::Reader reader(object);
    static constexpr std::initializer_list<Consequence> consequences{
        Consequence::none, Consequence::missing_move, Consequence::lost_turn, Consequence::strike,
        Consequence::forfeit};
    std::vector<std::string_view> words;
    for (const auto consequence : consequences) words.push_back(protocol::name_of(consequence));
    for (const auto code : protocol::all_codes<protocol::FaultCode>()) {
        if (const auto which = reader.optional_word(protocol::name_of(code), words))
            faults.set(code, *(consequences.begin() + *which));
    }
    reader.integer("strikes", faults.strikes_max, 1, strikes_most);
    reader.no_others();
}

void read_withdrawal(json::Reader& tournament, TournamentConfig& config) {
    read_time(tournament, "no_show_after", config.no_show_after);
    if (const auto withdrawn = tournament.optional_word("withdrawn", {"forfeit", "drop"}))
        config.drops_withdrawn = *withdrawn == 1;
    if (config.drops_withdrawn && config.format.kind() != formats::FormatKind::round_robin)
        tournament.wrong("withdrawn",
                         "only a round_robin can drop matches: elsewhere results decide who meets "
                         "whom; expected \"forfeit\"");
    tournament.integer("withdraw_after", config.withdraw_after, 0, idle_matches_most);
}

}  // namespace referee::config
