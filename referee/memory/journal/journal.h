#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/base/result.h"
#include "referee/games/result/result.h"

// The seam through which all that must not be lost is written down. What is recorded is the whole
// truth: a restart applies the records again, in their order, and stands where it stood.

namespace referee::journal {

// A tournament begins: what was asked for, as JSON text, and by which version of the program.
struct OpeningRecord {
    std::string tournament;
    std::string config;
    std::string version;
};

// A bot takes part in a tournament, from a round on; late, or again after a withdrawal, where that
// round isn't the first.
struct EntryRecord {
    std::string tournament;
    std::string bot;
    std::int32_t rating = 0;
    std::string team;
    std::uint32_t round = 1;
    std::uint32_t last_round = UINT32_MAX;         // plays none behind it
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

// A match of a ladder that was drawn is not played: some of its bots were gone before its first
// game had a turn. It counts for nobody.
struct DroppedRecord {
    std::string tournament;
    std::uint64_t match = 0;
    std::vector<std::string> left;  // those who went by themselves
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
    std::string replay;  // NDJSON
};

// A play that counted does not any more, by somebody's order: it is played again.
struct AnnulmentRecord {
    GameKey key;
    std::string reason;
};

enum class TournamentState : std::uint8_t {
    waiting,  // for the order to begin
    running,
    paused,   // begins no games until it is resumed
    aborted,  // ended before its end, by somebody's order
    finished,
};
std::string_view name_of(TournamentState state);
constexpr bool ended(TournamentState state) {
    return state == TournamentState::finished || state == TournamentState::aborted;
}
std::optional<TournamentState> state_named(std::string_view name);

// A tournament, from here on, is in another state.
struct StateRecord {
    std::string tournament;
    TournamentState state = TournamentState::running;
    std::string reason;
};

// From now on a bot's name belongs to whoever knows this token. The token itself is written
// nowhere.
struct TokenRecord {
    std::string bot;
    std::string hash;  // of the token, in the form of referee/office/run/token.h; empty: withdrawn
    std::string origin;  // "registered", "ctl"
};

using Record =
    std::variant<OpeningRecord, EntryRecord, WithdrawalRecord, PairingRecord, StartRecord,
                 GameRecord, AnnulmentRecord, StateRecord, TokenRecord, DroppedRecord>;

// Why nothing can be written down any more ("can't sync: ..."): games must stop.
struct JournalFailure {
    std::string message;
};

using Committed = base::Result<void, JournalFailure>;

// How the journal fares between being well and having failed.
struct JournalStrain {
    // Empty: all is well. Otherwise nothing can be committed at present, and what is to be done
    // about it ("disk full: ..."): what was appended waits and is lost only if the process ends.
    std::string trouble;
};

// Writes records down for good. Idempotent where a record has a key: an opening, a pairing, a start
// and a game (tournament, match, number, attempt) that stand there already are not written twice.
// `on_committed` is called on the loop's thread, in the order of the calls and never from inside
// append(), once the records would survive a power cut, or with the failure; after a failure
// everything fails. What is told to anybody is told after that.
class Journal {
 public:
    using OnCommitted = std::function<void(const Committed& committed)>;
    using OnStrain = std::function<void(const JournalStrain& strain)>;

    virtual ~Journal() = default;
    virtual void append(std::vector<Record> records, OnCommitted on_committed) = 0;
    // Told on the loop's thread whenever the strain changes. A journal that can't wait never tells.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): a journal that tells keeps it.
    virtual void watch(OnStrain on_strain) { static_cast<void>(on_strain); }
};

}  // namespace referee::journal
