#include <type_traits>

#include "protocol/codec.h"
#include "protocol/message_fields.h"

namespace protocol {
namespace {

using fields::MemberField;
using fields::Presence;
using json::Writer;

// One message: opens the object, and ends the object and the line.
class MessageLine {
 public:
    MessageLine(std::string& out, std::string_view type) : writer_(out) {
        writer_.begin_object().member("type", type);
    }
    ~MessageLine() {
        writer_.end_object();
        writer_.buffer() += '\n';
    }
    MessageLine(const MessageLine&) = delete;
    MessageLine& operator=(const MessageLine&) = delete;

    Writer* operator->() { return &writer_; }
    Writer& writer() { return writer_; }

 private:
    Writer writer_;
};

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
    MessageLine line(out, fields::type_name<Message>);
    write_members(line.writer(), message);
}

template <>
void encode(std::string& out, const Turn& message) {
    MessageLine line(out, fields::type_name<Turn>);
    write_members(line.writer(), message);
    if (message.delta) {
        write(line.writer(), "delta", message.delta);
    } else {
        write(line.writer(), "state", message.state);
    }
    write_if_any(line.writer(), "last", message.last);
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
        MessageLine line(out, fields::type_name<History>);
        line->member("game_id", game_id).member("from_turn", from_turn);
        line->key("turns").begin_array();
        const auto begin = out.size();
        while (!turns.empty() && (out.size() == begin ||
                                  out.size() - begin + turns.front().size() < piece_bytes_max)) {
            line->raw(turns.front());
            turns = turns.subspan(1);
            ++from_turn;
        }
        line->end_array().member("last", turns.empty());
    } while (!turns.empty());
}

}  // namespace protocol
