#include <algorithm>
#include <array>
#include <cctype>

#include "protocol/base/enum_names.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"

namespace protocol {
namespace {

template <typename Value>
struct Answered {
    Value value;
    ErrorCode code;
};

constexpr std::array<Answered<json::ParseFault>, 7> of_faults = {{
    {json::ParseFault::syntax, ErrorCode::invalid_json},
    {json::ParseFault::invalid_utf8, ErrorCode::invalid_utf8},
    {json::ParseFault::byte_order_mark, ErrorCode::byte_order_mark},
    {json::ParseFault::too_deep, ErrorCode::too_deep},
    {json::ParseFault::duplicate_member, ErrorCode::duplicate_member},
    {json::ParseFault::integer_too_large, ErrorCode::integer_too_large},
    {json::ParseFault::number_too_large, ErrorCode::number_too_large},
}};
constexpr std::array<Answered<json::MistakeKind>, 4> of_mistakes = {{
    {json::MistakeKind::missing, ErrorCode::missing_member},
    {json::MistakeKind::unknown, ErrorCode::invalid_value},
    {json::MistakeKind::wrong_kind, ErrorCode::wrong_type},
    {json::MistakeKind::wrong_value, ErrorCode::invalid_value},
}};
static_assert(base::in_order(of_faults) && base::in_order(of_mistakes));

std::string words_of(const json::Mistake& mistake) {
    if (mistake.kind == json::MistakeKind::missing) return "is missing";
    if (mistake.kind == json::MistakeKind::wrong_kind) {
        return "should be " + std::string(json::describe(mistake.wanted)) + ", but is " +
               std::string(json::describe(mistake.found));
    }
    return mistake.expected.empty() ? mistake.message : "should be " + mistake.expected;
}

std::string at_most(std::size_t bytes) {
    return "of at most " + std::to_string(bytes) + " bytes";
}

void check_games(const json::Placed& given, const std::vector<std::string_view>& games) {
    const bool ids = std::all_of(games.begin(), games.end(), [](std::string_view game) {
        return !game.empty() && game.size() <= limits::game_name_bytes_max;
    });
    if (games.empty() || games.size() > limits::games_max || !ids) {
        given.wrong("should name 1 to " + std::to_string(limits::games_max) +
                    " games, each with an id " + at_most(limits::game_name_bytes_max));
    }
}

// A text that may be left out and is then empty.
template <typename Check>
std::string_view read_text(json::Reader& reader, std::string_view name, const Check& is_good,
                           std::string_view form, std::size_t bytes_max) {
    const auto given = reader.optional(name);
    if (!given) return {};
    const auto text = given.text().value_or("");
    if (text.size() > bytes_max || !is_good(text))
        given.expected(std::string(form) + ' ' + at_most(bytes_max));
    return text;
}

StateForm read_state_form(json::Reader& reader) {
    const auto given = reader.optional("state");
    if (!given) return StateForm::full;
    const auto form = code_named<StateForm>(given.text().value_or(""));
    if (!form) given.expected(R"("full" or "delta")");
    return form.value_or(StateForm::full);
}

Purpose read_purpose(json::Reader& reader) {
    const auto given = reader.optional("purpose");
    if (!given) return Purpose::play;
    const auto found = code_named<Purpose>(given.text().value_or(""));
    if (!found) given.expected(R"("play", "ask" or "submit")");
    return found.value_or(Purpose::play);
}

FromBot read_login(json::Reader& reader) {
    constexpr std::string_view one_line = "one line of printable text";
    const auto any = [](std::string_view /*text*/) { return true; };
    Login login;
    const auto name = reader.member("name");
    login.name = name.text().value_or("");
    if (!is_valid_name(login.name)) {
        name.expected(std::string(one_line) + ' ' + at_most(limits::name_bytes_max) +
                      ", without a space at either end and without two in a row");
    }
    login.token = read_text(reader, "token", any, "text", limits::token_bytes_max);
    login.password = read_text(reader, "password", any, "text", limits::token_bytes_max);
    login.client = read_text(reader, "client", base::is_one_printable_line, one_line,
                             limits::client_bytes_max);
    login.version = read_text(reader, "version", base::is_one_printable_line, one_line,
                              limits::version_bytes_max);
    login.games = reader.texts("games");
    check_games(reader.member("games"), login.games);
    login.parallel =
        std::min(reader.optional_integer("parallel", {1}).value_or(1), limits::games_parallel_max);
    login.state = read_state_form(reader);
    login.purpose = read_purpose(reader);
    // Older versions passed it over: a login doesn't fail by it, but is told.
    if (const auto given = reader.optional("protocol");
        given && given.view().integer() != protocol_version)
        login.other_protocol = given.view();
    return login;
}

std::string_view read_game_id(json::Reader& reader) {
    const auto id = reader.text("game_id");
    if (id.size() > limits::game_id_bytes_max) {
        reader.member("game_id").expected("the id that `start` told, " +
                                          at_most(limits::game_id_bytes_max));
    }
    return id;
}

FromBot read_move(json::Reader& reader) {
    Move move;
    move.game_id = read_game_id(reader);
    move.turn = reader.integer("turn");
    move.move = reader.value("move");
    if (const auto debug = reader.optional_text("debug")) {
        move.debug = base::utf8_prefix(*debug, limits::debug_bytes_max);
        move.debug_cut = move.debug.size() < debug->size();
    }
    return move;
}

// A move whose members are all as they should be: nearly every line is one. What is wrong with
// another line, or what else it may be, its reader finds.
std::optional<Move> plain_move(json::View message) {
    Move move;
    std::optional<std::string_view> type;
    std::optional<std::string_view> game_id;
    std::optional<std::int64_t> turn;
    for (const auto [name, value] : message.members()) {
        if (name == "type") type = value.string();
        if (name == "game_id") game_id = value.string();
        if (name == "turn") turn = value.integer();
        if (name == "move") move.move = value;
        if (name == "debug") return std::nullopt;
    }
    if (type != "move" || !game_id || turn.value_or(-1) < 0 || !move.move) return std::nullopt;
    if (game_id->size() > limits::game_id_bytes_max) return std::nullopt;
    move.game_id = *game_id;
    move.turn = *turn;
    return move;
}

FromBot read_ask_games(json::Reader& reader) {
    const auto any = [](std::string_view /*text*/) { return true; };
    AskGames question;
    question.tournament =
        read_text(reader, "tournament", any, "a tournament's id", limits::game_id_bytes_max);
    question.before = read_text(reader, "before", any, "a game's id", limits::game_id_bytes_max);
    question.limit = reader.optional_integer("limit", {1, limits::games_listed_max})
                         .value_or(limits::games_listed_default);
    return question;
}

bool is_file_name(std::string_view text) {
    return base::is_one_printable_line(text) && text.find('/') == std::string_view::npos;
}

bool is_digest(std::string_view text) {
    constexpr std::size_t digits = 64;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == text.npos;
}

FromBot read_submit(json::Reader& reader) {
    Submit submit;
    const auto file = reader.member("file");
    submit.file = file.text().value_or("");
    if (submit.file.empty() || submit.file.size() > limits::file_name_bytes_max ||
        !is_file_name(submit.file)) {
        file.expected("the name of a file without its folder, " +
                      at_most(limits::file_name_bytes_max) + ", such as \"bot.zip\"");
    }
    submit.bytes = reader.integer("bytes", {1});
    const auto digest = reader.member("sha256");
    submit.sha256 = digest.text().value_or("");
    if (!is_digest(submit.sha256))
        digest.expected("the SHA-256 of the file: 64 hexadecimal digits, small letters");
    return submit;
}

FromBot read_leave(json::Reader& reader) {
    Bye bye;
    bye.reason =
        base::utf8_prefix(reader.optional_text("reason").value_or(""), limits::bye_bytes_max);
    bye.message =
        base::utf8_prefix(reader.optional_text("message").value_or(""), limits::bye_bytes_max);
    return bye;
}

struct BotMessageType {
    std::string_view name;
    std::string_view example;
    FromBot (*read)(json::Reader& reader);
};

// In the order of BotMessage.
constexpr std::array<BotMessageType, 12> types = {{
    {"login", R"({"type":"login","name":"my bot","token":"my-own-secret","games":["walls"]})",
     read_login},
    {"ready", R"({"type":"ready","game_id":"g1"})",
     [](json::Reader& reader) -> FromBot { return Ready{read_game_id(reader)}; }},
    {"move", R"({"type":"move","game_id":"g1","turn":3,"move":"F"})", read_move},
    {"ping", R"({"type":"ping","id":1})",
     [](json::Reader& reader) -> FromBot { return Ping{reader.unsigned_integer("id")}; }},
    {"pong", R"({"type":"pong","id":1})",
     [](json::Reader& reader) -> FromBot { return Pong{reader.unsigned_integer("id")}; }},
    {"bye", R"({"type":"bye"})", read_leave},
    {"games", R"({"type":"games","limit":20})", read_ask_games},
    {"game", R"({"type":"game","game_id":"friday/12.1"})",
     [](json::Reader& reader) -> FromBot { return AskGame{read_game_id(reader)}; }},
    {"submit",
     R"({"type":"submit","file":"bot.zip","bytes":4812,"sha256":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"})",
     read_submit},
    {"piece", R"({"type":"piece","data":"UEsDBBQAAAAI"})",
     [](json::Reader& reader) -> FromBot { return Piece{reader.text("data")}; }},
    {"submissions", R"({"type":"submissions"})",
     [](json::Reader& /*reader*/) -> FromBot { return AskSubmissions{}; }},
    {"withdraw", R"({"type":"withdraw"})",
     [](json::Reader& /*reader*/) -> FromBot { return Withdraw{}; }},
}};

std::optional<BotMessage> type_of(std::string_view name) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].name == name) return static_cast<BotMessage>(i);
    }
    return std::nullopt;
}

ProtocolError with_context(ProtocolError error, std::string_view line, BotMessage meant) {
    error.expected = example(meant);
    error.received = base::readable(line, limits::error_received_bytes_max);
    return error;
}

ProtocolError unknown_type(std::string_view name) {
    ProtocolError error;
    error.code = ErrorCode::unknown_type;
    error.member = "type";
    error.message =
        "\"type\" is \"" + base::readable(name, limits::name_bytes_max) +
        "\", but a bot sends login, ready, move, games, game, submit, piece, submissions, "
        "withdraw, ping, pong or bye";
    return error;
}

}  // namespace

base::Result<json::View, ProtocolError> parse_object(std::string_view line,
                                                     json::Document& document) {
    const auto parsed = document.parse(line, {.depth_max = limits::depth_max});
    if (parsed && document.root().is_object()) return document.root();
    ProtocolError error;
    if (!parsed) {
        const auto& wrong = parsed.error();
        error.code = base::row_of(of_faults, wrong.fault).code;
        error.message = "a message is one JSON object on a line, but this one has " +
                        wrong.message + " (at byte " + std::to_string(wrong.offset) + ")";
        return base::failure(std::move(error));
    }
    error.code = ErrorCode::not_an_object;
    error.message = "a message is a JSON object, but this is " +
                    std::string(json::describe(document.root().kind()));
    return base::failure(std::move(error));
}

ProtocolError refusal(const json::Mistake& mistake) {
    ProtocolError error;
    error.code = base::row_of(of_mistakes, mistake.kind).code;
    error.message = '"' + mistake.path + "\" " + words_of(mistake);
    // The message's own member, whatever is inside it.
    error.member = mistake.path.substr(0, mistake.path.find_first_of(".["));
    return error;
}

bool may_hold_token(std::string_view line) {
    std::string lower(line);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto* sign : {"tok", "pass", "log", "name"}) {
        if (lower.find(sign) != std::string::npos) return true;
    }
    // A name can be spelt with escapes, as in "\u0074oken". Escapes of control characters spell no
    // letters.
    for (auto at = lower.find("\\u00"); at != std::string::npos; at = lower.find("\\u00", at + 1)) {
        constexpr std::size_t tens =
            4;  // behind the backslash: the first of the two digits that matter
        if (at + tens < lower.size() && lower[at + tens] >= '2' && lower[at + tens] <= '7')
            return true;
    }
    return false;
}

std::string_view example(BotMessage message) {
    return types[static_cast<std::size_t>(message)].example;
}

bool is_valid_name(std::string_view name) {
    return !name.empty() && name.size() <= limits::name_bytes_max &&
           base::is_one_printable_line(name) && base::has_plain_blanks(name);
}

ProtocolError line_too_long(std::size_t line_bytes_max) {
    ProtocolError error;
    error.code = ErrorCode::line_too_long;
    error.message = "a line has at most " + std::to_string(line_bytes_max) +
                    " bytes, but this one has more: the connection is closed";
    error.expected = example(BotMessage::move);
    return error;
}

bool is_plain_text(const ProtocolError& error) {
    const bool no_object =
        error.code == ErrorCode::invalid_json || error.code == ErrorCode::not_an_object;
    return no_object && !error.received.starts_with('{');
}

void tell_plain_text(ProtocolError& error, bool over_standard_output, std::uint64_t count) {
    if (count > 1) {
        error.message = "again no JSON object: line " + std::to_string(count) + " of this kind";
        error.expected.clear();
        return;
    }
    if (error.received.find(" HTTP/") != std::string::npos) {
        error.message =
            "this is HTTP, and bots dial in here: pages, where there are some, have another "
            "address, which the daemon's log tells";
        return;
    }
    error.message += over_standard_output
                         ? "; standard output belongs to the protocol: print everything else to "
                           "standard error"
                         : "; each line of this connection must be such an object: print "
                           "everything else elsewhere";
}

FromBot decode_from_bot(std::string_view line, json::Document& document, BotMessage awaited) {
    auto object = parse_object(line, document);
    if (!object) return with_context(std::move(object.error()), line, awaited);
    if (const auto move = plain_move(*object)) return *move;
    json::Mistakes mistakes(message_rules);
    json::Reader reader(*object, mistakes);
    const auto type_name = reader.text("type");
    if (mistakes) return with_context(refusal(mistakes.first()), line, awaited);
    const auto type = type_of(type_name);
    if (!type) return with_context(unknown_type(type_name), line, awaited);
    auto message = types[static_cast<std::size_t>(*type)].read(reader);
    if (mistakes) return with_context(refusal(mistakes.first()), line, *type);
    return message;
}

}  // namespace protocol
