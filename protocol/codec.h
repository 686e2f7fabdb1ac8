#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "protocol/json/document.h"
#include "protocol/messages.h"

// A line to a message, and back. Nothing here throws (but where memory runs out).

namespace protocol {

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

}  // namespace protocol
