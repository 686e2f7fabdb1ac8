#include <type_traits>

#include "protocol/codec.h"
#include "protocol/message_fields.h"

namespace protocol {
namespace {

using fields::MemberField;
using fields::Presence;
using json::Writer;

// One message: its object with what `fill` writes behind the type, and the end of the line.
template <typename Fill>
void write_line(std::string& out, std::string_view type, const Fill& fill) {
    Writer writer(out);
    writer.begin_object().member("type", type);
    fill(writer);
    writer.end_object();
    out += '\n';
}

void write(Writer& writer, const Payload& payload) {
    payload.write(writer);
}
void write(Writer& writer, std::string_view text) {
    writer.string(text);
}
void write(Writer& writer, std::int64_t number) {
    writer.integer(number);
}
template <typename Row>
void write(Writer& writer, const Row& row);
template <typename Value>
void write(Writer& writer, const std::vector<Value>& values) {
    writer.begin_array();
    for (const auto& value : values) write(writer, value);
    writer.end_array();
}

template <std::size_t size, typename Value>
void write(Writer& writer, const char (&name)[size], const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        writer.member(name, name_of(value));
    } else if constexpr (std::is_integral_v<Value> ||
                         std::is_convertible_v<Value, std::string_view>) {
        writer.member(name, value);
    } else if constexpr (requires { value.value(); }) {
        write(writer, name, *value);
    } else {
        write(writer.key(name), value);
    }
}

template <typename Value>
bool is_any(const Value& value) {
    if constexpr (requires { value.empty(); }) {
        return !value.empty();
    } else if constexpr (std::is_enum_v<Value>) {
        return value != Value{};
    } else {
        return static_cast<bool>(value);
    }
}

template <std::size_t size, typename Value>
void write_if_any(Writer& writer, const char (&name)[size], const Value& value) {
    if (is_any(value)) write(writer, name, value);
}

template <typename Row>
void write_members(Writer& writer, const Row& row) {
    const auto write_one = [&]<Presence presence, typename Value, std::size_t size>(
                               const MemberField<presence, Row, Value, size>& field) {
        if constexpr (presence == Presence::if_any) {
            write_if_any(writer, field.name, row.*field.value);
        } else {
            write(writer, field.name, row.*field.value);
        }
    };
    std::apply([&](const auto&... field) { (write_one(field), ...); }, fields::members_of<Row>);
}

template <typename Row>
void write(Writer& writer, const Row& row) {
    writer.begin_object();
    write_members(writer, row);
    writer.end_object();
}

}  // namespace

template <Sent Message>
void encode(std::string& out, const Message& message) {
    write_line(out, fields::type_name<Message>,
               [&](Writer& writer) { write_members(writer, message); });
}

template <>
void encode(std::string& out, const Turn& message) {
    write_line(out, fields::type_name<Turn>, [&](Writer& writer) {
        write_members(writer, message);
        write_if_any(writer, "delta", message.delta);
        if (!message.delta) write(writer, "state", message.state);
        write_if_any(writer, "last", message.last);
    });
}

template void encode(std::string& out, const Login& message);
template void encode(std::string& out, const Ready& message);
template void encode(std::string& out, const Move& message);
template void encode(std::string& out, const AskGames& message);
template void encode(std::string& out, const AskGame& message);
template void encode(std::string& out, const Submit& message);
template void encode(std::string& out, const Piece& message);
template void encode(std::string& out, const AskSubmissions& message);
template void encode(std::string& out, const Withdraw& message);
template void encode(std::string& out, const Ping& message);
template void encode(std::string& out, const Pong& message);
template void encode(std::string& out, const Bye& message);
template void encode(std::string& out, const Hello& message);
template void encode(std::string& out, const Welcome& message);
template void encode(std::string& out, const Start& message);
template void encode(std::string& out, const History& message);
template void encode(std::string& out, const Fault& message);
template void encode(std::string& out, const Note& message);
template void encode(std::string& out, const End& message);
template void encode(std::string& out, const MatchEnd& message);
template void encode(std::string& out, const GameList& message);
template void encode(std::string& out, const GameStory& message);
template void encode(std::string& out, const Received& message);
template void encode(std::string& out, const SubmissionList& message);
template void encode(std::string& out, const ProtocolError& message);

void encode_history(std::string& out, std::string_view game_id, std::int64_t from_turn,
                    std::span<const std::string> turns, std::size_t piece_bytes_max) {
    do {
        write_line(out, fields::type_name<History>, [&](Writer& line) {
            line.member("game_id", game_id).member("from_turn", from_turn);
            line.key("turns").begin_array();
            const auto begin = out.size();
            for (; !turns.empty(); turns = turns.subspan(1), ++from_turn) {
                const bool fits = out.size() - begin + turns.front().size() < piece_bytes_max;
                if (!fits && out.size() > begin) break;
                line.raw(turns.front());
            }
            line.end_array().member("last", turns.empty());
        });
    } while (!turns.empty());
}

}  // namespace protocol
