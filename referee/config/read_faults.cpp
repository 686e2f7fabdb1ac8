// "faults" of a tournament, and what a bot's absence comes to.

#include "protocol/codes.h"
#include "referee/config/config_sections.h"

namespace referee::config {
namespace {

constexpr std::int64_t strikes_most = 1000;
constexpr std::int64_t idle_matches_most = 1000;

}  // namespace

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
