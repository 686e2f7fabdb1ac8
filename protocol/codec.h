#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "protocol/messages.h"

// Bytes to lines, and text to message and back. Nothing here reads a clock or a socket, or throws
// (but where memory runs out).

namespace protocol {

// ---- Lines ---------------------------------------------------------------------------------

inline constexpr std::size_t framer_bytes_kept_max = 4096;  // idle connections are many

enum class Framing : std::uint8_t {
    line,      // a line was found
    more,      // no whole line yet
    too_long,  // the line is beyond the limit; there will be no further one
};

struct Framed {
    Framing what = Framing::more;
    std::string_view line;  // valid until the next prepare() or push()
};

// Cuts a stream of bytes into lines. A line ends with LF or CRLF; the end does not belong to it.
// Empty lines are passed over (a person at a terminal makes them). Any other byte, NUL too, is
// part of a line: what it means is told by reading it.
//
// Reading goes straight into the framer's buffer:
//
//     const auto room = framer.prepare();
//     framer.commit(read(fd, room.data(), room.size()));
//     for (auto found = framer.next(); found.what == Framing::line; found = framer.next()) ...
//
// The buffer begins small and grows with the line that it holds, up to the limit and a line end.
// After a long line it shrinks to `bytes_kept`. Not thread safe.
class Framer {
 public:
    // Between lines it keeps at most `bytes_kept` of memory. Requires line_bytes_max > 0.
    explicit Framer(std::size_t line_bytes_max, std::size_t bytes_kept = framer_bytes_kept_max);

    // Room to read into, never empty but after too_long. Invalidates lines handed out before.
    // Requires: next() has been called until it gave no line.
    std::span<char> prepare();
    // So many bytes of that room are filled now.
    void commit(std::size_t bytes);

    // The next line of what was committed.
    Framed next();

    // For streams that come in pieces already: takes as much of `bytes` as there is room for.
    // Returns how many bytes it took: at least one, or none after too_long. Requires what
    // prepare() requires.
    std::size_t push(std::string_view bytes);

    // Gives its memory back until more comes; nothing happens where a line has begun. Lines handed
    // out before are gone.
    void release();

    // Bytes of a line that has begun: at the end of a stream, half a line.
    std::size_t pending() const { return end_ - begin_; }
    // Memory held for lines.
    std::size_t capacity() const { return buffer_.capacity(); }

 private:
    std::size_t line_bytes_max_;
    std::size_t bytes_kept_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;    // of the line that is being looked for
    std::size_t scanned_ = 0;  // no LF before this
    std::size_t end_ = 0;      // of what was committed
    bool failed_ = false;
};

// ---- Reading -------------------------------------------------------------------------------

// What a bot may send. Also says which example a ProtocolError shows where the line itself does
// not tell what was meant.
enum class BotMessage : std::uint8_t {
    login,
    ready,
    move,
    ping,
    pong,
    bye,
    games,
    game,
    submit,
    piece,
    submissions,
    withdraw,
};

// A valid line of that type, without its line end.
std::string_view example(BotMessage message);

// Reads one line (without its line end) into `document`. Any bytes are answered: by a message that
// keeps what its type in messages.h promises, or by a ProtocolError. All views in the result are
// valid until `document` is parsed into again, trimmed or destroyed; nothing refers to `line`.
// `awaited` is what the session waits for.
FromBot decode_from_bot(std::string_view line, json::Document& document,
                        BotMessage awaited = BotMessage::move);

// The same for a client. Missing members that a client can do without get their defaults.
FromReferee decode_from_referee(std::string_view line, json::Document& document);

// What to answer to a line that the framer gave up.
ProtocolError line_too_long(std::size_t line_bytes_max);

// Whether a bot seems to have printed text for people where its messages belong.
bool is_plain_text(const ProtocolError& error);
// Tells such a line so: the first of a connection in full, with where such text belongs; later ones
// in a few words. `count`: which of them it is, from 1.
void tell_plain_text(ProtocolError& error, bool over_standard_output, std::uint64_t count);

// Whether the text may be a name: 1 to limits::name_bytes_max bytes of printable UTF-8, words with
// single spaces between them.
bool is_valid_name(std::string_view name);

// ---- Writing -------------------------------------------------------------------------------

// What only a client has of a line: nobody sends it.
template <typename Message>
concept Sent = !std::same_as<Message, UnknownMessage> && !std::same_as<Message, ErrorMessage>;

// Appends one line with its line feed to `out`; what stands there stays.
template <Sent Message>
void encode(std::string& out, const Message& message);
template <>
void encode(std::string& out, const Turn& message);

// The whole history as `history` lines of about `piece_bytes_max` each, at least one; the last
// says so. `turns` holds an object of JSON text for each turn from `from_turn` on:
// {"moves": [...], "used_us": [...]}.
void encode_history(std::string& out, std::string_view game_id, std::int64_t from_turn,
                    std::span<const std::string> turns,
                    std::size_t piece_bytes_max = limits::history_piece_bytes_max);

// How a line that is no message is answered, and what is told of it.

// A member that may be left out may be null too; members that nobody knows are passed over.
inline constexpr json::ReadingRules message_rules{.null_is_absent = true};

// The object in the line, or what is wrong with it.
base::Result<json::View, ProtocolError> parse_object(std::string_view line,
                                                     json::Document& document);

ProtocolError refusal(const json::Mistake& mistake);

// Whether a line that was not a valid message may hold somebody's token, as a login does. Such
// lines are neither recorded nor told, but to who sent them. When in doubt the answer is yes.
bool may_hold_token(std::string_view line);
inline constexpr std::string_view line_not_shown =
    " (the line is not shown: it may hold a token or a password)";

}  // namespace protocol
