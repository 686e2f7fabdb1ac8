#include <array>

#include "protocol/codec.h"
#include "protocol/json/text.h"
#include "protocol/refusal.h"

namespace protocol {
namespace {

using Text = std::string_view;

// One of the words that `from_name` knows.
template <typename Code>
Code word(json::Reader& reader, Text name, std::optional<Code> (*from_name)(Text), Text words) {
    const auto given = reader.member(name);
    const auto code = from_name(given.text().value_or(""));
    if (!code) given.expected("one of " + std::string(words));
    return code.value_or(Code{});
}

Hello read_hello(json::Reader& reader) {
    Hello hello;
    hello.protocol = reader.integer("protocol");
    hello.server = reader.optional_text("server").value_or("");
    hello.version = reader.optional_text("version").value_or("");
    hello.session = reader.optional_text("session").value_or("");
    // A mistake there, or in evidence and notes, does not spoil the message: those parts only tell.
    json::Mistakes passed_over(message_rules);
    json::Reader told(reader.optional_object("limits").view(), passed_over);
    auto& granted = hello.limits;
    granted.line_bytes = told.optional_integer("line_bytes").value_or(granted.line_bytes);
    granted.depth = told.optional_integer("depth").value_or(granted.depth);
    granted.debug_bytes = told.optional_integer("debug_bytes").value_or(granted.debug_bytes);
    granted.name_bytes = told.optional_integer("name_bytes").value_or(granted.name_bytes);
    granted.games_parallel =
        told.optional_integer("games_parallel").value_or(granted.games_parallel);
    granted.login_ms = told.optional_integer("login_ms").value_or(granted.login_ms);
    granted.ready_ms = told.optional_integer("ready_ms").value_or(granted.ready_ms);
    granted.backlog_bytes = told.optional_integer("backlog_bytes").value_or(granted.backlog_bytes);
    granted.backlog_ms = told.optional_integer("backlog_ms").value_or(granted.backlog_ms);
    return hello;
}

Welcome read_welcome(json::Reader& reader) {
    Welcome welcome;
    welcome.name = reader.text("name");
    welcome.session = reader.optional_text("session").value_or("");
    welcome.protocol = reader.integer("protocol");
    welcome.parallel = reader.integer("parallel", {1});
    welcome.state = word(reader, "state", state_form, R"("full", "delta")");
    welcome.games = reader.texts("games");
    welcome.purpose = purpose(reader.optional_text("purpose").value_or("")).value_or(Purpose::play);
    welcome.page = reader.optional_text("page").value_or("");
    return welcome;
}

ClockTerms read_clock(json::Reader& message) {
    const auto object = message.object("clock");
    if (!object) return {};
    json::Reader reader(object);
    ClockTerms clock;
    clock.kind = word(reader, "kind", clock_kind, R"("turn", "game", "none")");
    clock.measure = word(reader, "measure", measure, R"("wall", "cpu")");
    clock.budget_us = reader.integer("budget_us");
    clock.hard_limit_us = reader.optional_integer("hard_limit_us").value_or(0);
    clock.increment_us = reader.optional_integer("increment_us");
    return clock;
}

Start read_start(json::Reader& reader) {
    Start start;
    start.match = reader.text("match");
    start.game_id = reader.text("game_id");
    start.game_number = reader.integer("game_number", {1});
    start.games = reader.integer("games", {1});
    start.game = reader.text("game");
    start.seat = reader.integer("seat");
    start.names = reader.texts("names");
    start.params = reader.object("params").view();
    start.clock = read_clock(reader);
    start.turn = reader.integer("turn");
    start.state = reader.value("state");
    start.resumed = reader.optional_boolean("resumed").value_or(false);
    return start;
}

History read_history(json::Reader& reader) {
    History history;
    history.game_id = reader.text("game_id");
    history.from_turn = reader.integer("from_turn");
    history.turns = reader.array("turns").view();
    history.last = reader.boolean("last");
    return history;
}

LastAnswer read_last(const json::Placed& object) {
    json::Reader reader(object);
    LastAnswer last;
    last.turn = reader.integer("turn");
    last.charged_us = reader.integer("charged_us");
    last.allowed_us = reader.optional_integer("allowed_us").value_or(0);
    last.wall_us = reader.optional_integer("wall_us");
    last.round_trip_us = reader.optional_integer("round_trip_us");
    last.allowance_us = reader.optional_integer("allowance_us");
    last.jitter_us = reader.optional_integer("jitter_us");
    last.waited_us = reader.optional_integer("waited_us");
    last.corrected_us = reader.optional_integer("corrected_us");
    last.cause = reader.optional_text("cause").value_or("");
    last.doubted_us = reader.optional_integer("doubted_us");
    last.late = reader.optional_boolean("late").value_or(false);
    if (const auto move = reader.value("move"); !move.is_null()) last.move = move;
    json::Mistakes passed_over(message_rules);
    for (const auto element : reader.optional_array("notes").view().elements()) {
        json::Reader note(element, passed_over);
        last.notes.push_back({note.optional_integer("seat").value_or(0),
                              note.optional_text("code").value_or(""),
                              note.optional_text("message").value_or("")});
    }
    return last;
}

Turn read_turn(json::Reader& reader) {
    Turn turn;
    turn.game_id = reader.text("game_id");
    turn.turn = reader.integer("turn");
    turn.budget_us = reader.integer("budget_us");
    if (const auto delta = reader.optional_array("delta")) {
        turn.delta = delta.view();
    } else {
        turn.state = reader.value("state");
    }
    if (const auto last = reader.optional_object("last")) turn.last = read_last(last);
    return turn;
}

std::optional<std::string> owned(std::optional<Text> text) {
    if (!text) return std::nullopt;
    return std::string(*text);
}

Evidence read_evidence(json::View object) {
    json::Mistakes passed_over(message_rules);
    json::Reader reader(object, passed_over);
    Evidence evidence;
    evidence.received = owned(reader.optional_text("received"));
    evidence.sent_us = reader.optional_integer("sent_us");
    evidence.received_us = reader.optional_integer("received_us");
    evidence.noticed_us = reader.optional_integer("noticed_us");
    evidence.charged_us = reader.optional_integer("charged_us");
    evidence.allowed_us = reader.optional_integer("allowed_us");
    evidence.round_trip_us = reader.optional_integer("round_trip_us");
    evidence.allowance_us = reader.optional_integer("allowance_us");
    evidence.budget_us = reader.optional_integer("budget_us");
    evidence.measure = measure(reader.optional_text("measure").value_or(""));
    evidence.method = reader.optional_text("method").value_or("");
    evidence.exit_status = reader.optional_integer("exit_status");
    evidence.signal = reader.optional_integer("signal");
    evidence.stderr_tail = owned(reader.optional_text("stderr_tail"));
    return evidence;
}

Fault read_fault(json::Reader& reader) {
    Fault fault;
    fault.game_id = reader.text("game_id");
    fault.turn = reader.integer("turn");
    fault.seat = reader.integer("seat");
    fault.code = word(reader, "code", fault_code, "the codes of faults");
    fault.message = reader.text("message");
    fault.rule = reader.optional_text("rule").value_or("");
    fault.rule_text = reader.optional_text("rule_text").value_or("");
    fault.consequence = word(reader, "consequence", consequence, "the consequences of faults");
    fault.evidence = read_evidence(reader.optional_object("evidence").view());
    return fault;
}

Note read_note(json::Reader& reader) {
    return {reader.text("code"),
            reader.text("message"),
            reader.optional_text("game_id").value_or(""),
            reader.optional_integer("turn"),
            reader.optional_integer("wait_us"),
            reader.optional_integer("took_us"),
            reader.optional_integer("over_us")};
}

End read_end(json::Reader& reader) {
    End end;
    end.game_id = reader.text("game_id");
    end.outcome = reader.value("outcome");
    const auto seats = reader.array("seats");
    for (const auto element : seats.elements()) {
        element.object();
        json::Reader seat(element);
        end.seats.push_back({seat.text("name"), seat.value("score"), seat.integer("place", {1}),
                             seat.optional_text("reason").value_or("")});
    }
    end.seed = reader.optional_integer("seed");
    end.turns = reader.integer("turns");
    end.reason = reader.optional_text("reason").value_or("");
    return end;
}

MatchEnd read_match_end(json::Reader& reader) {
    MatchEnd end;
    end.match = reader.text("match");
    end.names = reader.texts("names");
    end.scores = reader.array("scores").view();
    const auto placing = reader.array("placing");
    for (const auto place : placing.elements()) end.placing.push_back(place.integer().value_or(0));
    end.games = reader.integer("games");
    end.reason = reader.optional_text("reason").value_or("");
    return end;
}

GameList read_game_list(json::Reader& reader) {
    GameList list;
    const auto games = reader.array("games");
    for (const auto element : games.elements()) {
        element.object();
        json::Reader given(element);
        GameList::Line line;
        line.game_id = given.text("game_id");
        line.tournament = given.optional_text("tournament").value_or("");
        line.game = given.optional_text("game").value_or("");
        line.names = given.texts("names");
        line.seat = given.integer("seat");
        line.status = given.text("status");
        line.place = given.optional_integer("place");
        line.score = element.view().find("score");
        line.faults = given.optional_integer("faults").value_or(0);
        line.turns = given.optional_integer("turns").value_or(0);
        line.reason = given.optional_text("reason").value_or("");
        line.ago_ms = given.optional_integer("ago_ms").value_or(0);
        line.ruling = given.optional_text("ruling").value_or("");
        list.games.push_back(std::move(line));
    }
    list.more = reader.optional_boolean("more").value_or(false);
    return list;
}

GameStory read_game_story(json::Reader& reader) {
    GameStory told;
    told.game_id = reader.text("game_id");
    told.story = reader.text("story");
    const auto debugs = reader.optional_array("debug");
    for (const auto element : debugs.elements()) {
        element.object();
        json::Reader debug(element);
        told.debug.push_back({debug.integer("turn"), debug.text("debug")});
    }
    told.stderr_tail = reader.optional_text("stderr_tail").value_or("");
    const auto cut = reader.optional_array("cut");
    for (const auto element : cut.elements()) told.cut.push_back(element.text().value_or(""));
    return told;
}

Received read_received(json::Reader& reader) {
    return {reader.integer("bytes", {0}), reader.integer("of", {0})};
}

SubmissionList read_submission_list(json::Reader& reader) {
    SubmissionList list;
    const auto versions = reader.array("versions");
    for (const auto element : versions.elements()) {
        element.object();
        json::Reader given(element);
        SubmissionList::Version version;
        version.version = given.integer("version", {1});
        version.file = given.optional_text("file").value_or("");
        version.bytes = given.optional_integer("bytes").value_or(0);
        version.sha256 = given.optional_text("sha256").value_or("");
        version.status = word(given, "status", submission_status,
                              R"("waiting", "building", "failed", "built", "plays")");
        version.reason = given.optional_text("reason").value_or("");
        version.output = given.optional_text("output").value_or("");
        version.ago_ms = given.optional_integer("ago_ms").value_or(0);
        list.versions.push_back(version);
    }
    list.plays = reader.optional_text("plays").value_or("");
    return list;
}

Bye read_bye(json::Reader& reader) {
    return {reader.text("reason"), reader.optional_text("message").value_or("")};
}

ErrorMessage read_error(json::Reader& reader) {
    return {
        reader.text("code"), reader.text("message"), reader.optional_text("expected").value_or(""),
        reader.optional_text("member").value_or(""), reader.optional_text("received").value_or("")};
}

struct Reading {
    Text type;
    FromReferee (*read)(json::Reader& reader);
};

template <auto read>
FromReferee as_message(json::Reader& reader) {
    return read(reader);
}

FromReferee read_ping(json::Reader& reader) {
    return Ping{reader.unsigned_integer("id")};
}
FromReferee read_pong(json::Reader& reader) {
    return Pong{reader.unsigned_integer("id")};
}

// The commonest first.
constexpr std::array<Reading, 17> readings = {{
    {"turn", as_message<read_turn>},
    {"note", as_message<read_note>},
    {"ping", read_ping},
    {"pong", read_pong},
    {"start", as_message<read_start>},
    {"end", as_message<read_end>},
    {"fault", as_message<read_fault>},
    {"history", as_message<read_history>},
    {"match_end", as_message<read_match_end>},
    {"error", as_message<read_error>},
    {"game_list", as_message<read_game_list>},
    {"game_story", as_message<read_game_story>},
    {"received", as_message<read_received>},
    {"submission_list", as_message<read_submission_list>},
    {"hello", as_message<read_hello>},
    {"welcome", as_message<read_welcome>},
    {"bye", as_message<read_bye>},
}};

ProtocolError with_line(ProtocolError error, Text line) {
    error.received = json::readable(line, limits::error_received_bytes_max);
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
