#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/codes.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"

namespace protocol {

// A JSON value inside a message that the protocol passes on without looking at it: a state, params,
// a move. The sender gives it as text that is rendered already (it is copied into the line as it
// stands); the receiver finds it as a view. Cheap to copy; the text or the document must outlive
// it.
class Payload {
 public:
    Payload() = default;
    // Requires JSON text of one value, without line feeds.
    // NOLINTBEGIN(google-explicit-constructor): who sends a message writes its payload as text or
    // as a view.
    Payload(std::string_view json_text) : text_(json_text) {}
    Payload(const char* json_text) : text_(json_text) {}
    Payload(const std::string& json_text) : text_(json_text) {}
    Payload(json::View view) : view_(view) {}
    // NOLINTEND(google-explicit-constructor)

    // Whether there is a value at all.
    explicit operator bool() const { return !text_.empty() || static_cast<bool>(view_); }

    // The value of a received message; absent where the payload was given as text.
    json::View view() const { return view_; }

    // The value, or null where there is none.
    std::string json_text() const { return text_.empty() ? view_.json_text() : std::string(text_); }
    void write(json::Writer& writer) const {
        if (text_.empty()) {
            view_.write(writer);
        } else {
            writer.raw(text_);
        }
    }

 private:
    std::string_view text_;
    json::View view_;
};

// The messages of protocol version 1, as PROTOCOL.md describes them: plain data. Text and payloads
// are views: of the line's document in a message that was read, of the sender's own text in one
// that is to be written. What may be left out on the wire is optional, empty, or absent here.

// ---- From a bot ----------------------------------------------------------------------------

// Who is there, and what it plays. Name, token, client and version are within their limits and one
// line of printable text; there is at least one game; 1 <= parallel <= limits::games_parallel_max.
struct Login {
    std::string_view name{};
    std::string_view token{};     // empty: none
    std::string_view password{};  // of the class, to register the name; empty: none
    std::string_view client{};    // empty: not told
    std::string_view version{};   // of the bot's program; empty: not told
    std::vector<std::string_view> games{};
    std::int64_t parallel = 1;
    StateForm state = StateForm::full;
    Purpose purpose = Purpose::play;
    Payload other_protocol{};  // what "protocol" says, where that is not protocol_version
};

struct Ready {
    std::string_view game_id;
};

// `move` may hold any value, null too: the game's engine judges it.
struct Move {
    std::string_view game_id;
    std::int64_t turn = 0;
    Payload move;
    std::string_view debug;  // at most limits::debug_bytes_max; empty: none
    bool debug_cut = false;  // more was sent
};

// Questions about games of its own that are over.
struct AskGames {
    std::string_view tournament;  // empty: any
    std::string_view before;      // a game's id: only games that ended before it; empty: the newest
    std::int64_t limit = limits::games_listed_default;  // 1 to limits::games_listed_max
};

struct AskGame {
    std::string_view game_id;
};

using Question = std::variant<AskGames, AskGame>;

// A program is handed in: what is announced here follows in pieces.
struct Submit {
    std::string_view file;    // its name: an archive's, or that of a single file
    std::int64_t bytes = 0;   // 1 or more
    std::string_view sha256;  // of the file: 64 hexadecimal digits
};

struct Piece {
    std::string_view data;  // in base64; at most limits::piece_bytes_max bytes of the file
};

// What was handed in, and what became of it?
struct AskSubmissions {};

// No program of this name plays any more.
struct Withdraw {};

using HandingIn = std::variant<Submit, Piece, AskSubmissions, Withdraw>;

// ---- Both ways -----------------------------------------------------------------------------

struct Ping {
    std::uint64_t id = 0;
};

struct Pong {
    std::uint64_t id = 0;
};

struct Bye {
    std::string_view reason;   // from the referee one of ByeReason's names
    std::string_view message;  // plain words; from a bot usually empty
};

// ---- From the referee ----------------------------------------------------------------------

struct Hello {
    // What this server grants; see limits.h for the reasons.
    struct Limits {
        std::int64_t line_bytes = static_cast<std::int64_t>(limits::line_bytes_max);
        std::int64_t depth = static_cast<std::int64_t>(limits::depth_max);
        std::int64_t debug_bytes = static_cast<std::int64_t>(limits::debug_bytes_max);
        std::int64_t name_bytes = static_cast<std::int64_t>(limits::name_bytes_max);
        std::int64_t games_parallel = limits::games_parallel_max;
        std::int64_t login_ms = limits::login_time_max.count();
        std::int64_t ready_ms = limits::ready_time_max.count();
        std::int64_t backlog_bytes = static_cast<std::int64_t>(limits::backlog_bytes_max);
        std::int64_t backlog_ms = limits::backlog_time_max.count();
    };
    std::int64_t protocol = protocol_version;
    std::string_view server;   // "referee"
    std::string_view version;  // of the server
    std::string_view session;
    Limits limits;
};

struct Welcome {
    std::string_view name;
    std::string_view session;
    std::int64_t protocol = protocol_version;
    std::int64_t parallel = 1;
    StateForm state = StateForm::full;
    std::vector<std::string_view> games;  // of those offered, the ones played here
    Purpose purpose = Purpose::play;
    std::string_view page{};  // where the bot's owner sees its games; empty: nowhere
};

// How thinking is timed in a game.
struct ClockTerms {
    ClockKind kind = ClockKind::turn;
    Measure measure = Measure::wall;
    std::int64_t budget_us = 0;      // a turn's, or the game's; under `none`, see PROTOCOL.md
    std::int64_t hard_limit_us = 0;  // the longest that a single turn may take
    std::optional<std::int64_t> increment_us;  // added a turn, under `game`
};

struct Start {
    std::string_view match;
    std::string_view game_id;
    std::int64_t game_number = 1;         // in the match, from 1
    std::int64_t games = 1;               // the most that the match may have
    std::string_view game;                // "walls"
    std::int64_t seat = 0;                // from 0
    std::vector<std::string_view> names;  // by seat
    Payload params;
    ClockTerms clock;
    std::int64_t turn = 0;  // that the state is before; 0 at the beginning
    Payload state;
    bool resumed = false;  // the game was on already: `history` follows
};

// A piece of what happened before a reconnect.
struct History {
    std::string_view game_id;
    std::int64_t from_turn = 0;  // the turn that the first element of `turns` was
    Payload turns;               // [{"moves": [...], "used_us": [...]}, ...]
    bool last = false;
};

struct TurnNote {
    std::int64_t seat = 0;
    std::string_view code;
    std::string_view message;
};

// What became of a seat's last answer.
struct LastAnswer {
    std::int64_t turn = 0;
    std::int64_t charged_us = 0;
    std::int64_t allowed_us = 0;  // taken off for the network before charging
    bool late = false;
    Payload move;  // as it was given to the engine; absent where it was missing
    std::vector<TurnNote> notes;
    // How the charge came about; each is left out where it is nothing.
    std::optional<std::int64_t>
        wall_us{};  // as measured; where it isn't charged_us and allowed_us together
    std::optional<std::int64_t>
        round_trip_us{};  // of the way, as measured; where the most that is allowed is less
    std::optional<std::int64_t>
        allowance_us{};  // the most that was allowed for the way in this turn; where that was less
    // What could be taken off besides for the jitter of the way; where it was late, in doubt or
    // close.
    std::optional<std::int64_t> jitter_us{};
    std::optional<std::int64_t> waited_us{};     // taken off for the bot's wait for a core
    std::optional<std::int64_t> corrected_us{};  // taken off because the referee stood still
    std::string_view cause{};                    // why it did
    std::optional<std::int64_t> doubted_us{};  // taken off because the times are known to no better
};

// Exactly one of `state` and `delta` is there.
struct Turn {
    std::string_view game_id;
    std::int64_t turn = 0;
    std::int64_t budget_us = 0;
    Payload state;
    Payload delta;  // an RFC 6902 patch of the state that was sent last
    std::optional<LastAnswer> last;
};

// What a fault rests on. What is not known, or does not apply, is left out.
struct Evidence {
    std::optional<std::string> received;  // the line, as readable() text, capped
    std::optional<std::int64_t> sent_us;  // since the game began: the turn was handed to the kernel
    std::optional<std::int64_t> received_us;  // since the game began: the line arrived
    std::optional<std::int64_t> charged_us;
    std::optional<std::int64_t> allowed_us;
    std::optional<std::int64_t> budget_us;
    std::optional<Measure> measure;
    std::string method;  // the means of measuring: "cgroup", "tcp_info"; empty: none
    std::optional<std::int64_t> exit_status;
    std::optional<std::int64_t> signal;
    std::optional<std::string> stderr_tail;  // the last of its standard error, capped
    // Since the game began: the referee saw what was wrong, where no line told it.
    std::optional<std::int64_t> noticed_us{};
    std::optional<std::int64_t> round_trip_us{};  // of the way; where the most allowed is less
    std::optional<std::int64_t> allowance_us{};   // the most that was allowed for it then
};

struct Fault {
    std::string_view game_id;
    std::int64_t turn = 0;
    std::int64_t seat = 0;
    FaultCode code = FaultCode::protocol;
    std::string_view message;    // plain words, with the numbers that matter
    std::string_view rule;       // its name: "clock.turn_budget"
    std::string_view rule_text;  // what it says
    Consequence consequence = Consequence::none;
    Evidence evidence;
};

struct Note {
    std::string_view code{};
    std::string_view message{};
    std::string_view game_id{};  // empty: about no game
    std::optional<std::int64_t> turn{};
    std::optional<std::int64_t> wait_us{};  // until the bot may play again
    // Of an answer to a turn that is over: from the sending of the turn to its arrival, and by how
    // much that was more than what there was to spend and all that could be taken off.
    std::optional<std::int64_t> took_us{};
    std::optional<std::int64_t> over_us{};
};

struct SeatResult {
    std::string_view name;
    Payload score;  // a number
    std::int64_t place = 1;
    std::string_view reason;  // plain words
};

struct End {
    std::string_view game_id;
    Payload outcome;  // {"scores": [...], "placing": [...], "detail": {...}}
    std::vector<SeatResult> seats;
    std::optional<std::int64_t> seed{};  // not of a game that others play from the same seed
    std::int64_t turns = 0;
    std::string_view reason;  // plain words: why the game ended
};

struct MatchEnd {
    std::string_view match;
    std::vector<std::string_view> names;  // of the players of the match
    Payload scores;                       // a number for each of them
    std::vector<std::int64_t> placing;    // 1 is best
    std::int64_t games = 0;               // that were played
    std::string_view reason;              // plain words
};

// The answer to AskGames: the newest first.
struct GameList {
    struct Line {
        std::string_view game_id;
        std::string_view tournament;
        std::string_view game;  // "walls"
        std::vector<std::string_view> names;
        std::int64_t seat = 0;              // the bot's own
        std::string_view status;            // "played", "forfeited", "annulled"
        std::optional<std::int64_t> place;  // the bot's own; nothing where the game doesn't count
        Payload score{};                    // the same
        std::int64_t faults = 0;            // its own
        std::int64_t turns = 0;
        std::string_view reason;  // plain words: why the game ended; cut where it is long
        std::int64_t ago_ms = 0;  // since it ended
        // What an arbiter set as the result of the whole match, and why; else empty.
        std::string_view ruling;
    };
    std::vector<Line> games;
    bool more = false;  // older ones are listed too
};

// The answer to AskGame: what the bot may know of a game of its own.
struct GameStory {
    struct Debug {
        std::int64_t turn = 0;
        std::string_view text;
    };
    std::string_view game_id;
    std::string_view story;             // in lines, for people
    std::vector<Debug> debug;           // what came with its own moves
    std::string_view stderr_tail;       // of its own process, where one is kept; empty: none
    std::vector<std::string_view> cut;  // the members of which not all is told
};

// The answer to Submit and to each Piece: what is there of the file.
struct Received {
    std::int64_t bytes = 0;
    std::int64_t of = 0;
};

// The answer to the last Piece, to AskSubmissions and to Withdraw: the newest first.
struct SubmissionList {
    struct Version {
        std::int64_t version = 0;  // from 1
        std::string_view file;
        std::int64_t bytes = 0;
        std::string_view sha256;
        SubmissionStatus status = SubmissionStatus::waiting;
        std::string_view reason;  // plain words: why it did not build, what it waits for
        std::string_view output;  // of its build; of the newest version alone
        std::int64_t ago_ms = 0;  // since it was handed in
    };
    std::vector<Version> versions;
    std::string_view plays;  // plain words: what plays in this name, or why nothing does
};

// What was wrong with a line (in memory it owns its text: it is made where the line was read).
struct ProtocolError {
    ErrorCode code = ErrorCode::invalid_json;
    std::string message;   // one sentence: what was found, and what was expected instead
    std::string expected;  // a line that would have been right
    std::string member;    // the member that is meant; empty: none
    std::string received;  // the line, as readable() text, capped; empty: not told
};

// ---- What a line can be --------------------------------------------------------------------

using FromBot = std::variant<ProtocolError, Login, Ready, Move, Ping, Pong, Bye, AskGames, AskGame,
                             Submit, Piece, AskSubmissions, Withdraw>;

// A message of a type that this version does not know: a client passes over it.
struct UnknownMessage {
    std::string_view type;
};

// The referee's own `error` message, as a client sees it.
struct ErrorMessage {
    std::string_view code;
    std::string_view message;
    std::string_view expected;
    std::string_view member;
    std::string_view received;
};

using FromReferee = std::variant<ProtocolError, UnknownMessage, Hello, Welcome, Start, History,
                                 Turn, Fault, Note, End, MatchEnd, GameList, GameStory, Received,
                                 SubmissionList, Ping, Pong, Bye, ErrorMessage>;

}  // namespace protocol
