#include <array>
#include <type_traits>

#include "protocol/bad_line.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/message_fields.h"

namespace protocol {
namespace {

using fields::MemberField;
using fields::Presence;
using Text = std::string_view;

// An enumeration's words, where one is needed. Empty: an unknown one is passed over.
template <typename Code>
constexpr Text expected_of = "";
template <>
constexpr Text expected_of<StateForm> = R"("full", "delta")";
template <>
constexpr Text expected_of<ClockKind> = R"("turn", "game", "none")";
template <>
constexpr Text expected_of<Measure> = R"("wall", "cpu")";
template <>
constexpr Text expected_of<FaultCode> = "the codes of faults";
template <>
constexpr Text expected_of<Consequence> = "the consequences of faults";
template <>
constexpr Text expected_of<SubmissionStatus> =
    R"("waiting", "building", "failed", "built", "plays")";

template <typename Row>
void read_members(json::Reader& reader, Row& row);

// What is wrong leaves a value as it was.
template <typename Value>
void read(const json::Placed& given, std::int64_t least, Value& into) {
    if constexpr (std::is_same_v<Value, std::int64_t>) {
        into = given.integer({least}).value_or(into);
    } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
        into = given.unsigned_integer().value_or(into);
    } else if constexpr (std::is_same_v<Value, bool>) {
        into = given.boolean().value_or(into);
    } else if constexpr (std::is_enum_v<Value>) {
        constexpr auto words = expected_of<Value>;
        const auto code = code_named<Value>(given.text().value_or(""));
        if (!code && !words.empty()) given.expected("one of " + std::string(words));
        into = code.value_or(into);
    } else if constexpr (std::is_convertible_v<Value, Text>) {
        into = given.text().value_or("");
    } else if (given.object()) {
        json::Reader reader(given);
        read_members(reader, into);
    }
}
void read(const json::Placed& given, std::int64_t least, std::optional<std::int64_t>& into) {
    into = given.integer({least});
}
void read(const json::Placed& given, std::int64_t /*least*/, std::optional<std::string>& into) {
    if (const auto text = given.text()) into = *text;
}
void read(const json::Placed& given, std::int64_t /*least*/, std::optional<Measure>& into) {
    into = code_named<Measure>(given.text().value_or(""));
}
template <typename Element>
void read(const json::Placed& given, std::int64_t least, std::vector<Element>& into) {
    given.array();
    for (const auto element : given.elements()) read(element, least, into.emplace_back());
}

template <typename Row>
void read_told(const json::Placed& given, json::Mistakes& passed_over, Row& into) {
    given.object();
    json::Reader reader(given.view(), passed_over);
    read_members(reader, into);
}
void read_told(const json::Placed& given, json::Mistakes& passed_over,
               std::vector<TurnNote>& into) {
    given.array();
    for (const auto element : given.view().elements()) {
        json::Reader reader(element, passed_over);
        read_members(reader, into.emplace_back());
    }
}

template <Presence presence, typename Row, typename Value, std::size_t size>
void read_member(json::Reader& reader, Row& row,
                 const MemberField<presence, Row, Value, size>& field) {
    auto& into = row.*field.value;
    if constexpr (std::is_same_v<Value, Payload>) {
        into = presence == Presence::object   ? reader.object(field.name).view()
               : presence == Presence::array  ? reader.array(field.name).view()
               : presence == Presence::if_any ? reader.given(field.name)
                                              : reader.value(field.name);
    } else if constexpr (presence == Presence::needed) {
        read(reader.member(field.name), field.least, into);
    } else if (const auto given = reader.optional(field.name)) {
        json::Mistakes passed_over(message_rules);
        if constexpr (presence == Presence::only_tells) {
            read_told(given, passed_over, into);
        } else {
            read(given, field.least, into);
        }
    }
}

template <typename Row>
void read_members(json::Reader& reader, Row& row) {
    std::apply([&](const auto&... field) { (read_member(reader, row, field), ...); },
               fields::members_of<Row>);
}

template <typename Message>
FromReferee read_message(json::Reader& reader) {
    Message message;
    read_members(reader, message);
    return message;
}

FromReferee read_turn(json::Reader& reader) {
    Turn turn;
    read_members(reader, turn);
    if (const auto delta = reader.optional_array("delta")) {
        turn.delta = delta.view();
    } else {
        turn.state = reader.value("state");
    }
    if (const auto given = reader.optional("last")) {
        auto& last = turn.last.emplace();
        read(given, 0, last);
        if (last.move.view().is_null()) last.move = {};
    }
    return turn;
}

FromReferee read_bye(json::Reader& reader) {
    return Bye{reader.text("reason"), reader.optional_text("message").value_or("")};
}

struct Reading {
    Text type;
    FromReferee (*read)(json::Reader& reader);
};

template <typename Message>
constexpr Reading reading_as{fields::type_name<Message>, read_message<Message>};

// The commonest first.
constexpr std::array<Reading, 17> readings = {{
    {fields::type_name<Turn>, read_turn},
    reading_as<Note>,
    reading_as<Ping>,
    reading_as<Pong>,
    reading_as<Start>,
    reading_as<End>,
    reading_as<Fault>,
    reading_as<History>,
    reading_as<MatchEnd>,
    reading_as<ErrorMessage>,
    reading_as<GameList>,
    reading_as<GameStory>,
    reading_as<Received>,
    reading_as<SubmissionList>,
    reading_as<Hello>,
    reading_as<Welcome>,
    {fields::type_name<Bye>, read_bye},
}};

ProtocolError with_line(ProtocolError error, Text line) {
    error.received = base::readable(line, limits::error_received_bytes_max);
    return error;
}

}  // namespace

FromReferee decode_from_referee(std::string_view line, json::Document& document) {
    auto object = parse_object(line, document);
    if (!object) return with_line(std::move(object.error()), line);
    json::Mistakes mistakes(message_rules);
    json::Reader reader(*object, mistakes);
    const auto type = reader.text("type");
    if (mistakes) return with_line(refusal(mistakes.first()), line);
    for (const auto& reading : readings) {
        if (reading.type != type) continue;
        auto message = reading.read(reader);
        if (mistakes) return with_line(refusal(mistakes.first()), line);
        return message;
    }
    return UnknownMessage{type};
}

}  // namespace protocol
