#include <algorithm>
#include <array>

#include "protocol/codec.h"
#include "protocol/json/utf8.h"
#include "protocol/member_reader.h"

namespace protocol {
namespace {

struct BotMessageType {
    std::string_view name;
    std::string_view example;
};

// In the order of BotMessage.
constexpr std::array<BotMessageType, 6> types = {{
    {"login", R"({"type":"login","name":"my bot","token":"secret","games":["walls"]})"},
    {"ready", R"({"type":"ready","game_id":"g1"})"},
    {"move", R"({"type":"move","game_id":"g1","turn":3,"move":"F"})"},
    {"ping", R"({"type":"ping","id":1})"},
    {"pong", R"({"type":"pong","id":1})"},
    {"bye", R"({"type":"bye"})"},
}};

std::optional<BotMessage> type_of(std::string_view name) {
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].name == name) return static_cast<BotMessage>(i);
    }
    return std::nullopt;
}

struct CodePoints {
    char32_t first, last;
};

// What makes text other than one plain line: controls, separators of lines, marks without width,
// marks that turn the direction of what follows.
constexpr std::array<CodePoints, 7> not_printable = {{
    {0x00, 0x1F},
    {0x7F, 0x9F},
    {0x200B, 0x200F},
    {0x2028, 0x202E},
    {0x2060, 0x2069},
    {0xFEFF, 0xFEFF},
    {0xFFF9, 0xFFFB},
}};

char32_t code_point(std::string_view sequence) {
    constexpr unsigned continuation_bits = 6;
    constexpr unsigned continuation_mask = 0x3F;
    constexpr std::array<unsigned, 5> lead_mask = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t code = static_cast<unsigned char>(sequence[0]) & lead_mask[sequence.size()];
    for (const char c : sequence.substr(1)) {
        code = (code << continuation_bits) | (static_cast<unsigned char>(c) & continuation_mask);
    }
    return code;
}

bool is_one_printable_line(std::string_view text) {
    while (!text.empty()) {
        const auto bytes = json::utf8_sequence_bytes(text);
        if (bytes == 0) return false;
        const auto code = code_point(text.substr(0, bytes));
        for (const auto& range : not_printable) {
            if (code >= range.first && code <= range.last) return false;
        }
        text.remove_prefix(bytes);
    }
    return true;
}

std::string at_most(std::size_t bytes) {
    return "of at most " + std::to_string(bytes) + " bytes";
}

void check_games(MemberReader& reader, const std::vector<std::string_view>& games) {
    const bool ids = std::all_of(games.begin(), games.end(), [](std::string_view game) {
        return !game.empty() && game.size() <= limits::game_name_bytes_max;
    });
    if (games.empty() || games.size() > limits::games_max || !ids) {
        reader.fail(ErrorCode::invalid_value, "games",
                    "should name 1 to " + std::to_string(limits::games_max) +
                        " games, each with an id " + at_most(limits::game_name_bytes_max));
    }
}

Login read_login(MemberReader& reader) {
    Login login;
    login.name = reader.text("name");
    if (!is_valid_name(login.name)) {
        reader.fail(ErrorCode::invalid_value, "name",
                    "should be one line of printable text " + at_most(limits::name_bytes_max) +
                        ", without a space at either end");
    }
    login.token = reader.optional_text("token").value_or("");
    if (login.token.size() > limits::token_bytes_max) {
        reader.fail(ErrorCode::invalid_value, "token",
                    "should be text " + at_most(limits::token_bytes_max));
    }
    login.password = reader.optional_text("password").value_or("");
    if (login.password.size() > limits::token_bytes_max) {
        reader.fail(ErrorCode::invalid_value, "password",
                    "should be text " + at_most(limits::token_bytes_max));
    }
    login.client = reader.optional_text("client").value_or("");
    if (login.client.size() > limits::client_bytes_max || !is_one_printable_line(login.client)) {
        reader.fail(ErrorCode::invalid_value, "client",
                    "should be one line of printable text " + at_most(limits::client_bytes_max));
    }
    login.games = reader.texts("games");
    check_games(reader, login.games);
    login.parallel =
        std::min(reader.optional_integer("parallel", 1).value_or(1), limits::games_parallel_max);
    const auto form = state_form(reader.optional_text("state").value_or("full"));
    if (!form) {
        reader.fail(ErrorCode::invalid_value, "state", R"(should be "full" or "delta")");
    }
    login.state = form.value_or(StateForm::full);
    return login;
}

std::string_view read_game_id(MemberReader& reader) {
    const auto id = reader.text("game_id");
    if (id.size() > limits::game_id_bytes_max) {
        reader.fail(ErrorCode::invalid_value, "game_id",
                    "should be the id that `start` told, " + at_most(limits::game_id_bytes_max));
    }
    return id;
}

Move read_move(MemberReader& reader) {
    Move move;
    move.game_id = read_game_id(reader);
    move.turn = reader.integer("turn");
    move.move = reader.value("move");
    if (const auto debug = reader.optional_text("debug")) {
        move.debug = json::utf8_prefix(*debug, limits::debug_bytes_max);
        move.debug_cut = move.debug.size() < debug->size();
    }
    return move;
}

Bye read_leave(MemberReader& reader) {
    Bye bye;
    bye.reason =
        json::utf8_prefix(reader.optional_text("reason").value_or(""), limits::bye_bytes_max);
    bye.message =
        json::utf8_prefix(reader.optional_text("message").value_or(""), limits::bye_bytes_max);
    return bye;
}

FromBot read_message(BotMessage type, MemberReader& reader) {
    switch (type) {
        case BotMessage::login:
            return read_login(reader);
        case BotMessage::ready:
            return Ready{read_game_id(reader)};
        case BotMessage::move:
            return read_move(reader);
        case BotMessage::ping:
            return Ping{reader.unsigned_integer("id")};
        case BotMessage::pong:
            return Pong{reader.unsigned_integer("id")};
        case BotMessage::bye:
            return read_leave(reader);
    }
    return ProtocolError{};
}

ProtocolError with_context(ProtocolError error, std::string_view line, BotMessage meant) {
    error.expected = example(meant);
    error.received = json::readable(line, limits::error_received_bytes_max);
    return error;
}

ProtocolError unknown_type(std::string_view name) {
    ProtocolError error;
    error.code = ErrorCode::unknown_type;
    error.member = "type";
    error.message = "\"type\" is \"" + json::readable(name, limits::name_bytes_max) +
                    "\", but a bot sends login, ready, move, ping, pong or bye";
    return error;
}

}  // namespace

std::string_view example(BotMessage message) {
    return types[static_cast<std::size_t>(message)].example;
}

bool is_valid_name(std::string_view name) {
    return !name.empty() && name.size() <= limits::name_bytes_max && name.front() != ' ' &&
           name.back() != ' ' && is_one_printable_line(name);
}

ProtocolError line_too_long(std::size_t line_bytes_max) {
    ProtocolError error;
    error.code = ErrorCode::line_too_long;
    error.message = "a line has at most " + std::to_string(line_bytes_max) +
                    " bytes, but this one has more: the connection is closed";
    error.expected = example(BotMessage::move);
    return error;
}

FromBot decode_from_bot(std::string_view line, json::Document& document, BotMessage awaited) {
    if (auto error = parse_object(line, document)) {
        return with_context(*std::move(error), line, awaited);
    }
    MemberReader reader(document.root());
    const auto type_name = reader.text("type");
    if (reader.failed()) return with_context(reader.take_error(), line, awaited);
    const auto type = type_of(type_name);
    if (!type) return with_context(unknown_type(type_name), line, awaited);
    auto message = read_message(*type, reader);
    if (reader.failed()) return with_context(reader.take_error(), line, *type);
    return message;
}

}  // namespace protocol
