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

template <typename Message>
void write_line(std::string& out, std::string_view type, const Message& message) {
    MessageLine line(out, type);
    write_members(line.writer(), message);
}

}  // namespace

void encode(std::string& out, const Login& message) {
    MessageLine line(out, "login");
    line->member("name", message.name);
    write_if_any(line.writer(), "token", message.token);
    write_if_any(line.writer(), "password", message.password);
    write_if_any(line.writer(), "client", message.client);
    write_if_any(line.writer(), "version", message.version);
    write(line.writer(), "games", message.games);
    line->member("parallel", message.parallel).member("state", name_of(message.state));
    if (message.purpose != Purpose::play) line->member("purpose", name_of(message.purpose));
    if (message.other_protocol) write(line.writer(), "protocol", message.other_protocol);
}

void encode(std::string& out, const AskGames& message) {
    MessageLine line(out, "games");
    write_if_any(line.writer(), "tournament", message.tournament);
    write_if_any(line.writer(), "before", message.before);
    line->member("limit", message.limit);
}

void encode(std::string& out, const AskGame& message) {
    MessageLine line(out, "game");
    line->member("game_id", message.game_id);
}

void encode(std::string& out, const Submit& message) {
    MessageLine line(out, "submit");
    line->member("file", message.file).member("bytes", message.bytes);
    line->member("sha256", message.sha256);
}

void encode(std::string& out, const Piece& message) {
    MessageLine line(out, "piece");
    line->member("data", message.data);
}

void encode(std::string& out, const AskSubmissions& /*message*/) {
    const MessageLine line(out, "submissions");
}

void encode(std::string& out, const Withdraw& /*message*/) {
    const MessageLine line(out, "withdraw");
}

void encode(std::string& out, const Ready& message) {
    MessageLine line(out, "ready");
    line->member("game_id", message.game_id);
}

void encode(std::string& out, const Move& message) {
    MessageLine line(out, "move");
    line->member("game_id", message.game_id).member("turn", message.turn);
    write(line.writer(), "move", message.move);
    write_if_any(line.writer(), "debug", message.debug);
}

void encode(std::string& out, const Ping& message) {
    MessageLine line(out, "ping");
    line->member("id", message.id);
}

void encode(std::string& out, const Pong& message) {
    MessageLine line(out, "pong");
    line->member("id", message.id);
}

void encode(std::string& out, const Bye& message) {
    MessageLine line(out, "bye");
    write_if_any(line.writer(), "reason", message.reason);
    write_if_any(line.writer(), "message", message.message);
}

void encode(std::string& out, const Hello& message) {
    write_line(out, "hello", message);
}

void encode(std::string& out, const Welcome& message) {
    write_line(out, "welcome", message);
}

void encode(std::string& out, const Start& message) {
    write_line(out, "start", message);
}

void encode(std::string& out, const History& message) {
    write_line(out, "history", message);
}

void encode_history(std::string& out, std::string_view game_id, std::int64_t from_turn,
                    std::span<const std::string> turns, std::size_t piece_bytes_max) {
    do {
        MessageLine line(out, "history");
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

void encode(std::string& out, const Turn& message) {
    MessageLine line(out, "turn");
    write_members(line.writer(), message);
    if (message.delta) {
        write(line.writer(), "delta", message.delta);
    } else {
        write(line.writer(), "state", message.state);
    }
    write_if_any(line.writer(), "last", message.last);
}

void write_evidence(Writer& writer, const Evidence& evidence) {
    write(writer, evidence);
}

void encode(std::string& out, const Fault& message) {
    write_line(out, "fault", message);
}

void encode(std::string& out, const Note& message) {
    write_line(out, "note", message);
}

void encode(std::string& out, const End& message) {
    write_line(out, "end", message);
}

void encode(std::string& out, const MatchEnd& message) {
    write_line(out, "match_end", message);
}

void encode(std::string& out, const GameList& message) {
    write_line(out, "game_list", message);
}

void encode(std::string& out, const GameStory& message) {
    write_line(out, "game_story", message);
}

void encode(std::string& out, const Received& message) {
    write_line(out, "received", message);
}

void encode(std::string& out, const SubmissionList& message) {
    write_line(out, "submission_list", message);
}

void encode(std::string& out, const ProtocolError& message) {
    MessageLine line(out, "error");
    line->member("code", name_of(message.code)).member("message", message.message);
    write_if_any(line.writer(), "expected", message.expected);
    write_if_any(line.writer(), "member", message.member);
    write_if_any(line.writer(), "received", message.received);
}

}  // namespace protocol
