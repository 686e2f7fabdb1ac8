#include <algorithm>
#include <array>

#include "protocol/bad_line.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/message_fields.h"

namespace protocol {
namespace {

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

// A word that may be left out and is then the first of its kind.
template <typename Code>
Code read_code(json::Reader& reader, std::string_view name, std::string_view expected) {
    const auto given = reader.optional(name);
    if (!given) return Code{};
    const auto code = code_named<Code>(given.text().value_or(""));
    if (!code) given.expected(expected);
    return code.value_or(Code{});
}

FromBot read_login(json::Reader& reader) {
    constexpr std::string_view one_line = "one line of printable text";
    const auto any = [](std::string_view /*text*/) { return true; };
    Login login;
    const auto name = reader.member("name");
    login.name = name.text().value_or("");
    if (!is_valid_name(login.name)) {
        const auto bytes = login.name.size();
        name.expected(std::string(one_line) + ' ' + at_most(limits::name_bytes_max) +
                      (bytes > limits::name_bytes_max ? fmt::format(", and has {},", bytes) : ",") +
                      " without a space at either end and without two in a row");
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
    login.state = read_code<StateForm>(reader, "state", R"("full" or "delta")");
    login.purpose = read_code<Purpose>(reader, "purpose", R"("play", "ask" or "submit")");
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

FromBot read_submit(json::Reader& reader) {
    constexpr std::size_t digest_digits = 64;
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
    if (!base::is_hex(submit.sha256, digest_digits))
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
    {fields::type_name<Login>,
     R"({"type":"login","name":"my bot","token":"my-own-secret","games":["walls"]})", read_login},
    {fields::type_name<Ready>, R"({"type":"ready","game_id":"g1"})",
     [](json::Reader& reader) -> FromBot { return Ready{read_game_id(reader)}; }},
    {fields::type_name<Move>, R"({"type":"move","game_id":"g1","turn":3,"move":"F"})", read_move},
    {fields::type_name<Ping>, R"({"type":"ping","id":1})",
     [](json::Reader& reader) -> FromBot { return Ping{reader.unsigned_integer("id")}; }},
    {fields::type_name<Pong>, R"({"type":"pong","id":1})",
     [](json::Reader& reader) -> FromBot { return Pong{reader.unsigned_integer("id")}; }},
    {fields::type_name<Bye>, R"({"type":"bye"})", read_leave},
    {fields::type_name<AskGames>, R"({"type":"games","limit":20})", read_ask_games},
    {fields::type_name<AskGame>, R"({"type":"game","game_id":"friday/12.1"})",
     [](json::Reader& reader) -> FromBot { return AskGame{read_game_id(reader)}; }},
    {fields::type_name<Submit>,
     R"({"type":"submit","file":"bot.zip","bytes":4812,"sha256":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"})",
     read_submit},
    {fields::type_name<Piece>, R"({"type":"piece","data":"UEsDBBQAAAAI"})",
     [](json::Reader& reader) -> FromBot { return Piece{reader.text("data")}; }},
    {fields::type_name<AskSubmissions>, R"({"type":"submissions"})",
     [](json::Reader& /*reader*/) -> FromBot { return AskSubmissions{}; }},
    {fields::type_name<Withdraw>, R"({"type":"withdraw"})",
     [](json::Reader& /*reader*/) -> FromBot { return Withdraw{}; }},
}};

ProtocolError with_context(ProtocolError error, std::string_view line, std::string_view example) {
    error.expected = example;
    error.received = base::readable(line, limits::error_received_bytes_max);
    return error;
}

ProtocolError unknown_type(std::string_view name) {
    ProtocolError error;
    error.code = ErrorCode::unknown_type;
    error.member = "type";
    error.message =
        "\"type\" is \"" + base::visible_line(base::readable(name, limits::name_bytes_max)) +
        "\", but a bot sends one of: " + base::joined(types, ", ", &BotMessageType::name);
    return error;
}

}  // namespace

std::string_view example(BotMessage message) {
    return types[static_cast<std::size_t>(message)].example;
}

bool is_valid_name(std::string_view name) {
    return !name.empty() && name.size() <= limits::name_bytes_max &&
           base::is_one_printable_line(name) && base::has_plain_blanks(name);
}

FromBot decode_from_bot(std::string_view line, json::Document& document, BotMessage awaited) {
    auto object = parse_object(line, document);
    if (!object) return with_context(std::move(object.error()), line, example(awaited));
    if (const auto move = plain_move(*object)) return *move;
    json::Mistakes mistakes(message_rules);
    json::Reader reader(*object, mistakes);
    const auto type_name = reader.text("type");
    if (mistakes) return with_context(refusal(mistakes.first()), line, example(awaited));
    const auto* const type = std::ranges::find(types, type_name, &BotMessageType::name);
    if (type == types.end()) return with_context(unknown_type(type_name), line, example(awaited));
    auto message = type->read(reader);
    if (mistakes) return with_context(refusal(mistakes.first()), line, type->example);
    return message;
}

}  // namespace protocol
