#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/base/enum_names.h"
#include "protocol/base/result.h"
#include "referee/game/result/game_result.h"

// The records, whose sum is a tournament. They are the whole truth: a restart applies them again,
// in their order, and reaches the same state.

namespace referee::records {

// A tournament begins: what was asked for, as JSON text, and by which version of the program.
struct OpeningRecord {
    std::string tournament;
    std::string config;
    std::string version;
};

// A bot takes part in a tournament, from a round on. A later round than the first means that it
// came late, or again after a withdrawal.
struct EntryRecord {
    std::string tournament;
    std::string bot;
    std::int32_t rating = 0;
    std::string team;
    std::uint32_t round = 1;
    std::uint32_t last_round = UINT32_MAX;         // it plays no round after this one
    std::vector<std::uint32_t> half_point_byes{};  // rounds that it asked to sit out
};

// A bot plays no round from `round` on.
struct WithdrawalRecord {
    std::string tournament;
    std::string bot;
    std::uint32_t round = 1;
    std::string reason;
};

// A match was drawn. Seats by the names of the bots; a bye has one.
struct PairingRecord {
    std::string tournament;
    std::uint64_t match = 0;  // 0 for a bye
    std::uint32_t round = 1;
    std::vector<std::string> bots;
};

// A match of a ladder was drawn but is not played: some of its bots had left before its first game
// had a turn. It counts for nobody.
struct DroppedRecord {
    std::string tournament;
    std::uint64_t match = 0;
    std::vector<std::string> left;  // the bots that left by themselves
    std::string reason;
};

// A play of a game begins. One that never ended was interrupted.
struct StartRecord {
    GameKey key;
    std::uint32_t seed = 1;
    std::vector<std::string> bots;  // by seat
};

// A play of a game has ended, in whatever way; the replay tells it from the start.
struct GameRecord {
    GameResult result;
    std::string replay;           // NDJSON
    std::string replay_sha256{};  // in its place where it was dropped, as hexadecimal digits
};

// A play that counted does not count any more, by somebody's order: it is played again.
struct AnnulmentRecord {
    GameKey key;
    std::string reason;
};

// A play that was annulled by order counts again, before its game was played once more.
struct RestorationRecord {
    GameKey key;
    std::string reason;
};

enum class TournamentState : std::uint8_t {
    waiting,  // for an order to begin
    running,
    paused,   // begins no games until it is resumed
    aborted,  // ended before its end, by somebody's order
    finished,
};
inline constexpr std::array<base::Named<TournamentState>, 5> tournament_states{{
    {TournamentState::waiting, "waiting"},
    {TournamentState::running, "running"},
    {TournamentState::paused, "paused"},
    {TournamentState::aborted, "aborted"},
    {TournamentState::finished, "finished"},
}};
static_assert(base::in_order(tournament_states));
constexpr std::string_view name_of(TournamentState state) {
    return base::row_of(tournament_states, state).name;
}
constexpr bool ended(TournamentState state) {
    return state == TournamentState::finished || state == TournamentState::aborted;
}

// From here on a tournament is in another state.
struct StateRecord {
    std::string tournament;
    TournamentState state = TournamentState::running;
    std::string reason;
};

// The arbiter sets what a match came to, whatever its games came to; or takes that back.
struct RulingRecord {
    std::string tournament;
    std::uint64_t match = 0;
    std::vector<std::uint32_t> placing;  // by seat of the match, 1 is best; empty: taken back
    std::string reason;
    std::string by;  // who ordered it
};

enum class PairOrder : std::uint8_t {
    forbidden,
    lifted,  // they may meet again
};
inline constexpr std::array<base::Named<PairOrder>, 2> pair_orders{{
    {PairOrder::forbidden, "forbidden"},
    {PairOrder::lifted, "lifted"},
}};
static_assert(base::in_order(pair_orders));
constexpr std::string_view name_of(PairOrder order) {
    return base::row_of(pair_orders, order).name;
}

// No two of these bots meet in these rounds, or they may again.
struct ForbiddenPairsRecord {
    std::string tournament;
    std::vector<std::string> bots;
    std::uint32_t first_round = 1;
    std::uint32_t last_round = UINT32_MAX;
    PairOrder order = PairOrder::forbidden;
    std::string reason;
    std::string by;
};

enum class ByeOrder : std::uint8_t {
    half_point,
    zero_point,
    taken_back,  // it plays that round
};
inline constexpr std::array<base::Named<ByeOrder>, 3> bye_orders{{
    {ByeOrder::half_point, "half_point"},
    {ByeOrder::zero_point, "zero_point"},
    {ByeOrder::taken_back, "taken_back"},
}};
static_assert(base::in_order(bye_orders));
constexpr std::string_view name_of(ByeOrder order) {
    return base::row_of(bye_orders, order).name;
}

// Who ordered what the config said from the beginning.
inline constexpr std::string_view ordered_by_config = "the config";

// A bot asked to sit a round out. (What it asked of half points in the config is in its entry.)
struct RequestedByeRecord {
    std::string tournament;
    std::string bot;
    std::uint32_t round = 1;
    ByeOrder order = ByeOrder::half_point;
    std::string reason;
    std::string by;
};

enum class HandPairingOrder : std::uint8_t {
    paired,
    taken_back,  // the two are drawn as all others are
};
inline constexpr std::array<base::Named<HandPairingOrder>, 2> hand_pairing_orders{{
    {HandPairingOrder::paired, "paired"},
    {HandPairingOrder::taken_back, "taken_back"},
}};
static_assert(base::in_order(hand_pairing_orders));
constexpr std::string_view name_of(HandPairingOrder order) {
    return base::row_of(hand_pairing_orders, order).name;
}

// The arbiter set a match of a round that was not drawn yet, or took that back.
struct HandPairingRecord {
    std::string tournament;
    std::vector<std::string> bots;  // by seat of the match
    std::uint32_t round = 1;
    HandPairingOrder order = HandPairingOrder::paired;
    std::string reason;
    std::string by;
};

// From now on a bot's name belongs to the bearer of this token. The token itself is written
// nowhere.
struct TokenRecord {
    std::string bot;
    std::string hash;    // of the token, never the token itself; empty: withdrawn
    std::string origin;  // a word: who gave it, and how the name stands
};

using Record =
    std::variant<OpeningRecord, EntryRecord, WithdrawalRecord, PairingRecord, StartRecord,
                 GameRecord, AnnulmentRecord, StateRecord, TokenRecord, DroppedRecord, RulingRecord,
                 ForbiddenPairsRecord, RequestedByeRecord, HandPairingRecord, RestorationRecord>;

// The tournament that a record is of; null where it is of none.
template <typename Row>
const std::string* tournament_of(const Row& row) {
    if constexpr (requires { row.tournament; }) {
        return &row.tournament;
    } else if constexpr (requires { row.key.tournament; }) {
        return &row.key.tournament;
    } else if constexpr (requires { row.result.key.tournament; }) {
        return &row.result.key.tournament;
    } else {
        return nullptr;
    }
}
inline const std::string* tournament_of(const Record& record) {
    return std::visit([](const auto& row) { return tournament_of(row); }, record);
}

// ---- The journal: where all is written down that must not be lost -----------------------------

// Why nothing can be written down any more ("can't sync: ..."). Games must stop.
struct JournalFailure {
    std::string message;
};

using Committed = base::Result<void, JournalFailure>;

// Trouble that may pass: the journal is not well, but has not failed either.
struct JournalTrouble {
    // Empty: all is well. Otherwise why nothing can be committed at present, and what to do about
    // it ("disk full: ..."). What was appended waits; it is lost only if the process ends.
    std::string trouble;
};

// Writes records down for good. Where a record has a key, writing is idempotent: an opening, a
// pairing, a start or a game (tournament, match, number, attempt) that is there already is not
// written twice. `on_committed` is called once the records would survive a power cut, or with the
// failure: on the loop's thread, in the order of the calls, never from inside append(). After a
// failure everything fails. Whatever anybody is told is told only after that call.
class Journal {
 public:
    using OnCommitted = std::function<void(const Committed& committed)>;
    using OnTrouble = std::function<void(const JournalTrouble& told)>;

    virtual ~Journal() = default;
    virtual void append(std::vector<Record> records, OnCommitted on_committed) = 0;
    // Called on the loop's thread whenever the trouble changes. A journal that can't wait never
    // calls it.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): a journal that tells keeps it.
    virtual void watch(OnTrouble on_trouble) { static_cast<void>(on_trouble); }
};

}  // namespace referee::records
