#include "protocol/codec.h"

namespace protocol {
namespace {

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

template <std::size_t size>
void write(Writer& writer, const char (&name)[size], const Payload& payload) {
    writer.key(name);
    payload.write(writer);
}

template <std::size_t size>
void write(Writer& writer, const char (&name)[size], const std::vector<std::string_view>& texts) {
    writer.key(name).begin_array();
    for (const auto text : texts) writer.string(text);
    writer.end_array();
}

template <std::size_t size>
void write_if_told(Writer& writer, const char (&name)[size], std::string_view text) {
    if (!text.empty()) writer.member(name, text);
}

template <std::size_t size>
void write_if_told(Writer& writer, const char (&name)[size],
                   const std::optional<std::string>& text) {
    if (text) writer.member(name, *text);
}

template <std::size_t size>
void write_if_told(Writer& writer, const char (&name)[size], std::optional<std::int64_t> number) {
    if (number) writer.member(name, *number);
}

void write(Writer& writer, const Hello::Limits& limits) {
    writer.key("limits").begin_object();
    writer.member("line_bytes", limits.line_bytes).member("depth", limits.depth);
    writer.member("debug_bytes", limits.debug_bytes).member("name_bytes", limits.name_bytes);
    writer.member("games_parallel", limits.games_parallel);
    writer.member("login_ms", limits.login_ms).member("ready_ms", limits.ready_ms);
    writer.member("backlog_bytes", limits.backlog_bytes);
    writer.member("backlog_ms", limits.backlog_ms);
    writer.end_object();
}

void write(Writer& writer, const ClockTerms& clock) {
    writer.key("clock").begin_object();
    writer.member("kind", name_of(clock.kind)).member("measure", name_of(clock.measure));
    writer.member("budget_us", clock.budget_us).member("hard_limit_us", clock.hard_limit_us);
    write_if_told(writer, "increment_us", clock.increment_us);
    writer.end_object();
}

void write(Writer& writer, const LastAnswer& last) {
    writer.key("last").begin_object();
    writer.member("turn", last.turn).member("charged_us", last.charged_us);
    writer.member("allowed_us", last.allowed_us);
    write_if_told(writer, "wall_us", last.wall_us);
    write_if_told(writer, "round_trip_us", last.round_trip_us);
    write_if_told(writer, "allowance_us", last.allowance_us);
    write_if_told(writer, "jitter_us", last.jitter_us);
    write_if_told(writer, "waited_us", last.waited_us);
    write_if_told(writer, "corrected_us", last.corrected_us);
    write_if_told(writer, "cause", last.cause);
    write_if_told(writer, "doubted_us", last.doubted_us);
    writer.member("late", last.late);
    write(writer, "move", last.move);
    writer.key("notes").begin_array();
    for (const auto& note : last.notes) {
        writer.begin_object().member("seat", note.seat).member("code", note.code);
        writer.member("message", note.message).end_object();
    }
    writer.end_array().end_object();
}

}  // namespace

void encode(std::string& out, const Login& message) {
    MessageLine line(out, "login");
    line->member("name", message.name);
    write_if_told(line.writer(), "token", message.token);
    write_if_told(line.writer(), "password", message.password);
    write_if_told(line.writer(), "client", message.client);
    write_if_told(line.writer(), "version", message.version);
    write(line.writer(), "games", message.games);
    line->member("parallel", message.parallel).member("state", name_of(message.state));
    if (message.purpose != Purpose::play) line->member("purpose", name_of(message.purpose));
    if (message.other_protocol) write(line.writer(), "protocol", message.other_protocol);
}

void encode(std::string& out, const AskGames& message) {
    MessageLine line(out, "games");
    write_if_told(line.writer(), "tournament", message.tournament);
    write_if_told(line.writer(), "before", message.before);
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
    write_if_told(line.writer(), "debug", message.debug);
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
    write_if_told(line.writer(), "reason", message.reason);
    write_if_told(line.writer(), "message", message.message);
}

void encode(std::string& out, const Hello& message) {
    MessageLine line(out, "hello");
    line->member("protocol", message.protocol).member("server", message.server);
    line->member("version", message.version).member("session", message.session);
    write(line.writer(), message.limits);
}

void encode(std::string& out, const Welcome& message) {
    MessageLine line(out, "welcome");
    line->member("name", message.name).member("session", message.session);
    line->member("protocol", message.protocol).member("parallel", message.parallel);
    line->member("state", name_of(message.state));
    write(line.writer(), "games", message.games);
    if (message.purpose != Purpose::play) line->member("purpose", name_of(message.purpose));
    write_if_told(line.writer(), "page", message.page);
}

void encode(std::string& out, const Start& message) {
    MessageLine line(out, "start");
    line->member("match", message.match).member("game_id", message.game_id);
    line->member("game_number", message.game_number).member("games", message.games);
    line->member("game", message.game).member("seat", message.seat);
    write(line.writer(), "names", message.names);
    write(line.writer(), "params", message.params);
    write(line.writer(), message.clock);
    line->member("turn", message.turn);
    write(line.writer(), "state", message.state);
    if (message.resumed) line->member("resumed", true);
}

void encode(std::string& out, const History& message) {
    MessageLine line(out, "history");
    line->member("game_id", message.game_id).member("from_turn", message.from_turn);
    write(line.writer(), "turns", message.turns);
    line->member("last", message.last);
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
    line->member("game_id", message.game_id).member("turn", message.turn);
    line->member("budget_us", message.budget_us);
    if (message.delta) {
        write(line.writer(), "delta", message.delta);
    } else {
        write(line.writer(), "state", message.state);
    }
    if (message.last) write(line.writer(), *message.last);
}

void write_evidence(Writer& writer, const Evidence& evidence) {
    writer.begin_object();
    write_if_told(writer, "received", evidence.received);
    write_if_told(writer, "sent_us", evidence.sent_us);
    write_if_told(writer, "received_us", evidence.received_us);
    write_if_told(writer, "noticed_us", evidence.noticed_us);
    write_if_told(writer, "charged_us", evidence.charged_us);
    write_if_told(writer, "allowed_us", evidence.allowed_us);
    write_if_told(writer, "round_trip_us", evidence.round_trip_us);
    write_if_told(writer, "allowance_us", evidence.allowance_us);
    write_if_told(writer, "budget_us", evidence.budget_us);
    if (evidence.measure) writer.member("measure", name_of(*evidence.measure));
    write_if_told(writer, "method", std::string_view(evidence.method));
    write_if_told(writer, "exit_status", evidence.exit_status);
    write_if_told(writer, "signal", evidence.signal);
    write_if_told(writer, "stderr_tail", evidence.stderr_tail);
    writer.end_object();
}

void encode(std::string& out, const Fault& message) {
    MessageLine line(out, "fault");
    line->member("game_id", message.game_id).member("turn", message.turn);
    line->member("seat", message.seat).member("code", name_of(message.code));
    line->member("message", message.message).member("rule", message.rule);
    write_if_told(line.writer(), "rule_text", message.rule_text);
    line->member("consequence", name_of(message.consequence)).key("evidence");
    write_evidence(line.writer(), message.evidence);
}

void encode(std::string& out, const Note& message) {
    MessageLine line(out, "note");
    line->member("code", message.code).member("message", message.message);
    write_if_told(line.writer(), "game_id", message.game_id);
    write_if_told(line.writer(), "turn", message.turn);
    write_if_told(line.writer(), "wait_us", message.wait_us);
    write_if_told(line.writer(), "took_us", message.took_us);
    write_if_told(line.writer(), "over_us", message.over_us);
}

void encode(std::string& out, const End& message) {
    MessageLine line(out, "end");
    line->member("game_id", message.game_id);
    write(line.writer(), "outcome", message.outcome);
    line->key("seats").begin_array();
    for (const auto& seat : message.seats) {
        line->begin_object().member("name", seat.name);
        write(line.writer(), "score", seat.score);
        line->member("place", seat.place).member("reason", seat.reason).end_object();
    }
    line->end_array();
    write_if_told(line.writer(), "seed", message.seed);
    line->member("turns", message.turns).member("reason", message.reason);
}

void encode(std::string& out, const MatchEnd& message) {
    MessageLine line(out, "match_end");
    line->member("match", message.match);
    write(line.writer(), "names", message.names);
    write(line.writer(), "scores", message.scores);
    line->key("placing").begin_array();
    for (const auto place : message.placing) line->integer(place);
    line->end_array().member("games", message.games).member("reason", message.reason);
}

void encode(std::string& out, const GameList& message) {
    MessageLine line(out, "game_list");
    line->key("games").begin_array();
    for (const auto& game : message.games) {
        line->begin_object().member("game_id", game.game_id);
        line->member("tournament", game.tournament).member("game", game.game);
        write(line.writer(), "names", game.names);
        line->member("seat", game.seat).member("status", game.status);
        write_if_told(line.writer(), "place", game.place);
        if (game.score) write(line.writer(), "score", game.score);
        line->member("faults", game.faults).member("turns", game.turns);
        line->member("reason", game.reason).member("ago_ms", game.ago_ms);
        write_if_told(line.writer(), "ruling", game.ruling);
        line->end_object();
    }
    line->end_array().member("more", message.more);
}

void encode(std::string& out, const GameStory& message) {
    MessageLine line(out, "game_story");
    line->member("game_id", message.game_id).member("story", message.story);
    line->key("debug").begin_array();
    for (const auto& debug : message.debug) {
        line->begin_object().member("turn", debug.turn).member("debug", debug.text).end_object();
    }
    line->end_array();
    write_if_told(line.writer(), "stderr_tail", message.stderr_tail);
    if (!message.cut.empty()) write(line.writer(), "cut", message.cut);
}

void encode(std::string& out, const Received& message) {
    MessageLine line(out, "received");
    line->member("bytes", message.bytes).member("of", message.of);
}

void encode(std::string& out, const SubmissionList& message) {
    MessageLine line(out, "submission_list");
    line->key("versions").begin_array();
    for (const auto& one : message.versions) {
        line->begin_object().member("version", one.version).member("file", one.file);
        line->member("bytes", one.bytes).member("sha256", one.sha256);
        line->member("status", name_of(one.status));
        write_if_told(line.writer(), "reason", one.reason);
        write_if_told(line.writer(), "output", one.output);
        line->member("ago_ms", one.ago_ms).end_object();
    }
    line->end_array().member("plays", message.plays);
}

void encode(std::string& out, const ProtocolError& message) {
    MessageLine line(out, "error");
    line->member("code", name_of(message.code)).member("message", message.message);
    write_if_told(line.writer(), "expected", std::string_view(message.expected));
    write_if_told(line.writer(), "member", std::string_view(message.member));
    write_if_told(line.writer(), "received", std::string_view(message.received));
}

}  // namespace protocol
