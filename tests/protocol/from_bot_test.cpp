// What a bot may send, good lines first, then every kind of bad one.

#include <gtest/gtest.h>

#include <string>

#include "protocol/bad_line.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"

namespace protocol {
namespace {

template <typename Message>
Message decoded(json::Document& document, std::string_view line) {
    const auto message = decode_from_bot(line, document);
    if (const auto* const error = std::get_if<ProtocolError>(&message)) {
        ADD_FAILURE() << line << ": " << error->message;
    }
    if (const auto* const good = std::get_if<Message>(&message)) return *good;
    ADD_FAILURE() << "another message: " << line;
    return {};
}

ProtocolError refused(std::string_view line, BotMessage awaited = BotMessage::move) {
    json::Document document;
    auto message = decode_from_bot(line, document, awaited);
    if (auto* const error = std::get_if<ProtocolError>(&message)) return std::move(*error);
    ADD_FAILURE() << "accepted: " << base::readable(line, 200);
    return {};
}

TEST(FromBot, reads_a_login) {
    json::Document document;
    const auto all = decoded<Login>(
        document,
        R"({"type":"login","name":"Zoë 1","token":"t","client":"mine 1.0","games":["walls","superball"],)"
        R"("version":"2.1","parallel":4,"state":"delta","colour":"red"})");
    EXPECT_EQ(all.name, "Zo\xC3\xAB 1");
    EXPECT_EQ(all.token, "t");
    EXPECT_EQ(all.client, "mine 1.0");
    EXPECT_EQ(all.version, "2.1");
    EXPECT_EQ(all.games, (std::vector<std::string_view>{"walls", "superball"}));
    EXPECT_EQ(all.parallel, 4);
    EXPECT_EQ(all.state, StateForm::delta);

    const auto least = decoded<Login>(document, R"({"games":["walls"],"name":"a","type":"login"})");
    EXPECT_EQ(least.token, "");
    EXPECT_EQ(least.parallel, 1);
    EXPECT_EQ(least.state, StateForm::full);

    const auto nulls = decoded<Login>(
        document,
        R"({"type":"login","name":"a","games":["walls"],"token":null,"client":null,"version":null,"parallel":null,"state":null})");
    EXPECT_EQ(nulls.token, "");
    EXPECT_EQ(nulls.version, "");
    EXPECT_EQ(nulls.parallel, 1);
}

TEST(FromBot, grants_no_more_games_at_once_than_there_may_be) {
    json::Document document;
    const auto login = decoded<Login>(
        document, R"({"type":"login","name":"a","games":["walls"],"parallel":1000000})");
    EXPECT_EQ(login.parallel, limits::games_parallel_max);
}

TEST(FromBot, reads_a_move_whatever_it_holds) {
    const std::string_view moves[] = {
        "\"F\"",
        "null",
        "5",
        "-2.50",
        "1e300",
        "true",
        "[]",
        "{}",
        "[[1,2],null]",
        R"({"a":[1]})",
        "\"\xC3\xA9\"",
        R"("a\"b\\c\nd\te")",
        "18446744073709551615",
    };
    json::Document document;
    for (const auto text : moves) {
        const auto move =
            decoded<Move>(document, R"({"type":"move","game_id":"g1","turn":7,"move":)" +
                                        std::string(text) + "}");
        EXPECT_EQ(move.game_id, "g1");
        EXPECT_EQ(move.turn, 7);
        EXPECT_TRUE(move.move);
        EXPECT_EQ(move.move.json_text(), text);
        EXPECT_EQ(move.debug, "");
    }
}

TEST(FromBot, cuts_debug_text_between_characters) {
    const std::string begin = R"({"type":"move","game_id":"g1","turn":7,"move":1,"debug":")";
    const std::string exact(limits::debug_bytes_max, 'd');
    json::Document document;
    auto move = decoded<Move>(document, begin + exact + "\"}");
    EXPECT_EQ(move.debug, exact);
    EXPECT_FALSE(move.debug_cut);
    move = decoded<Move>(document, begin + exact.substr(1) + "\xC3\xA9\"}");
    EXPECT_EQ(move.debug, exact.substr(1));
    EXPECT_TRUE(move.debug_cut);
}

struct BadLine {
    std::string line;
    ErrorCode code;
    std::string_view member = {};
};

void expect_refused(std::span<const BadLine> cases) {
    for (const auto& bad : cases) {
        const auto error = refused(bad.line);
        EXPECT_EQ(name_of(error.code), name_of(bad.code)) << bad.line << ": " << error.message;
        EXPECT_EQ(error.member, bad.member) << bad.line << ": " << error.message;
        EXPECT_FALSE(error.message.empty());
        json::Document document;
        const auto shown = decode_from_bot(error.expected, document);
        EXPECT_FALSE(std::holds_alternative<ProtocolError>(shown)) << error.expected;
        std::string line;
        encode(line, error);
        EXPECT_TRUE(document.parse(line)) << line;
    }
}

TEST(FromBot, refuses_objects_that_are_no_message) {
    const BadLine cases[] = {
        {"{}", ErrorCode::missing_member, "type"},
        {R"({"Type":"move"})", ErrorCode::missing_member, "type"},
        {R"({"type":5})", ErrorCode::wrong_type, "type"},
        {R"({"type":null})", ErrorCode::wrong_type, "type"},
        {R"({"type":"Move"})", ErrorCode::unknown_type, "type"},
        {R"({"type":""})", ErrorCode::unknown_type, "type"},
        {R"({"type":"turn","game_id":"g1"})", ErrorCode::unknown_type, "type"},
        {R"({"type":"hello"})", ErrorCode::unknown_type, "type"},

        {R"({"type":"move","turn":1,"move":"F"})", ErrorCode::missing_member, "game_id"},
        {R"({"type":"move","game_id":"g1","move":"F"})", ErrorCode::missing_member, "turn"},
        {R"({"type":"move","game_id":"g1","turn":1})", ErrorCode::missing_member, "move"},
        {R"({"type":"move","game_id":1,"turn":1,"move":"F"})", ErrorCode::wrong_type, "game_id"},
        {R"({"type":"move","game_id":null,"turn":1,"move":1})", ErrorCode::wrong_type, "game_id"},
        {R"({"type":"move","game_id":"g1","turn":"1","move":"F"})", ErrorCode::wrong_type, "turn"},
        {R"({"type":"move","game_id":"g1","turn":1.0,"move":"F"})", ErrorCode::wrong_type, "turn"},
        {R"({"type":"move","game_id":"g1","turn":1e0,"move":"F"})", ErrorCode::wrong_type, "turn"},
        {R"({"type":"move","game_id":"g1","turn":true,"move":1})", ErrorCode::wrong_type, "turn"},
        {R"({"type":"move","game_id":"g1","turn":null,"move":1})", ErrorCode::wrong_type, "turn"},
        {R"({"type":"move","game_id":"g1","turn":-1,"move":1})", ErrorCode::invalid_value, "turn"},
        {R"({"type":"move","game_id":"g1","turn":9223372036854775808,"move":1})",
         ErrorCode::invalid_value, "turn"},
        {R"({"type":"move","game_id":"g1","turn":1,"move":"F","debug":5})", ErrorCode::wrong_type,
         "debug"},
        {R"({"type":"move","turn":1,"move":1,"game_id":")" + std::string(65, 'g') + "\"}",
         ErrorCode::invalid_value, "game_id"},

        {R"({"type":"ready"})", ErrorCode::missing_member, "game_id"},
        {R"({"type":"ready","game_id":[]})", ErrorCode::wrong_type, "game_id"},
        {R"({"type":"ping"})", ErrorCode::missing_member, "id"},
        {R"({"type":"ping","id":-1})", ErrorCode::invalid_value, "id"},
        {R"({"type":"pong","id":1.0})", ErrorCode::wrong_type, "id"},
        {R"({"type":"pong","id":"1"})", ErrorCode::wrong_type, "id"},
        {R"({"type":"bye","reason":1})", ErrorCode::wrong_type, "reason"},
    };
    expect_refused(cases);
}

std::string login(std::string_view members) {
    return R"({"type":"login",)" + std::string(members) + "}";
}

TEST(FromBot, refuses_logins_that_promise_too_much_or_too_little) {
    const auto games = [](std::size_t count) {
        std::string text = R"("name":"a","games":[)";
        for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "\"w\"" : ",\"w\"");
        return text + "]";
    };
    const auto token = R"("name":"a","games":["w"],"token":")" + std::string(257, 't') + '"';
    const auto client = R"("name":"a","games":["w"],"client":")" + std::string(129, 'c') + '"';
    const auto version = R"("name":"a","games":["w"],"version":")" + std::string(65, 'v') + '"';
    const auto long_game = R"("name":"a","games":[")" + std::string(65, 'g') + "\"]";
    const BadLine cases[] = {
        {login(R"("games":["walls"])"), ErrorCode::missing_member, "name"},
        {login(R"("name":5,"games":["walls"])"), ErrorCode::wrong_type, "name"},
        {login(R"("name":"","games":["walls"])"), ErrorCode::invalid_value, "name"},
        {login(R"("name":" a","games":["walls"])"), ErrorCode::invalid_value, "name"},
        {login(R"("name":"a\u0007","games":["walls"])"), ErrorCode::invalid_value, "name"},
        {login(R"("name":"a")"), ErrorCode::missing_member, "games"},
        {login(R"("name":"a","games":"walls")"), ErrorCode::wrong_type, "games"},
        {login(R"("name":"a","games":[1])"), ErrorCode::wrong_type, "games"},
        {login(R"("name":"a","games":[""])"), ErrorCode::invalid_value, "games"},
        {login(games(0)), ErrorCode::invalid_value, "games"},
        {login(games(33)), ErrorCode::invalid_value, "games"},
        {login(long_game), ErrorCode::invalid_value, "games"},
        {login(token), ErrorCode::invalid_value, "token"},
        {login(R"("name":"a","games":["w"],"token":5)"), ErrorCode::wrong_type, "token"},
        {login(client), ErrorCode::invalid_value, "client"},
        {login(R"("name":"a","games":["w"],"client":"a\nb")"), ErrorCode::invalid_value, "client"},
        {login(version), ErrorCode::invalid_value, "version"},
        {login(R"("name":"a","games":["w"],"version":"2\n1")"), ErrorCode::invalid_value,
         "version"},
        {login(R"("name":"a","games":["w"],"version":2.1)"), ErrorCode::wrong_type, "version"},
        {login(R"("name":"a","games":["w"],"parallel":0)"), ErrorCode::invalid_value, "parallel"},
        {login(R"("name":"a","games":["w"],"parallel":2.0)"), ErrorCode::wrong_type, "parallel"},
        {login(R"("name":"a","games":["w"],"state":"diff")"), ErrorCode::invalid_value, "state"},
        {login(R"("name":"a","games":["w"],"state":true)"), ErrorCode::wrong_type, "state"},
    };
    expect_refused(cases);
}

TEST(FromBot, refuses_files_that_are_none) {
    const std::string digest(64, '0');
    const auto submit = [](std::string_view members, std::string_view sha256) {
        return R"({"type":"submit",)" + std::string(members) + R"(,"sha256":")" +
               std::string(sha256) + R"("})";
    };
    const auto long_name = R"("bytes":1,"file":")" + std::string(256, 'f') + '"';
    const BadLine cases[] = {
        {submit(R"("bytes":1)", digest), ErrorCode::missing_member, "file"},
        {submit(R"("bytes":1,"file":"")", digest), ErrorCode::invalid_value, "file"},
        {submit(R"("bytes":1,"file":"../a")", digest), ErrorCode::invalid_value, "file"},
        {submit(R"("bytes":1,"file":"a\nb")", digest), ErrorCode::invalid_value, "file"},
        {submit(long_name, digest), ErrorCode::invalid_value, "file"},
        {submit(R"("file":"a")", digest), ErrorCode::missing_member, "bytes"},
        {submit(R"("bytes":0,"file":"a")", digest), ErrorCode::invalid_value, "bytes"},
        {submit(R"("bytes":1.5,"file":"a")", digest), ErrorCode::wrong_type, "bytes"},
        {submit(R"("bytes":1,"file":"a")", digest.substr(1)), ErrorCode::invalid_value, "sha256"},
        {submit(R"("bytes":1,"file":"a")", digest.substr(1) + "A"), ErrorCode::invalid_value,
         "sha256"},
        {R"({"type":"piece"})", ErrorCode::missing_member, "data"},
        {R"({"type":"piece","data":[1]})", ErrorCode::wrong_type, "data"},
        {login(R"("name":"a","games":["w"],"purpose":"win")"), ErrorCode::invalid_value, "purpose"},
    };
    expect_refused(cases);
}

TEST(FromBot, shows_the_example_that_helps) {
    EXPECT_EQ(refused("F", BotMessage::move).expected, example(BotMessage::move));
    EXPECT_EQ(refused("me", BotMessage::login).expected, example(BotMessage::login));
    EXPECT_EQ(refused(R"({"type":"ready"})", BotMessage::move).expected,
              example(BotMessage::ready));
    EXPECT_NE(refused(R"({"type":"move","game_id":"g","turn":5.0,"move":1})")
                  .message.find("\"turn\" should be an integer"),
              std::string::npos);
    EXPECT_EQ(refused("\xFFhi").received, "\\xffhi");
    EXPECT_LE(refused(std::string(60'000, 'x')).received.size(),
              limits::error_received_bytes_max + 3);
}

// As a sentence that goes on, with the place, and what stands there.
TEST(FromBot, says_where_a_line_is_no_json) {
    const std::string move = R"({"type":"move","game_id":"g1","turn":3,"move":)";
    const std::string deep(limits::depth_max, '[');
    const std::pair<std::string, std::string> table[] = {
        {move + "99999999999999999999}",
         "an integer beyond 64 bits: 99999999999999999999 (at byte 67)"},
        {R"({"type":"ready","type":"move"})", R"(the member "type" twice (at byte 30))"},
        {move + deep, "arrays or objects in one another deeper than 32 levels (at byte 78)"},
        {move + "U}", "invalid literal; last read: 'U' (at byte 47)"},
        {move + "NaN}", "invalid literal; last read: 'N' (at byte 47)"},
    };
    for (const auto& [line, told] : table) {
        EXPECT_EQ(refused(line).message,
                  "a message is one JSON object on a line, but this one has " + told);
    }
    EXPECT_EQ(refused(R"({"token":"secret)").message.find("secret"), std::string::npos);
    EXPECT_EQ(refused(R"({"token":"secret"x})").message.find("secret"), std::string::npos);
    EXPECT_EQ(refused(R"({"token":s"ecret"})").message.find("ecret"), std::string::npos);
}

TEST(FromBot, tells_how_long_a_name_is_that_is_too_long) {
    std::string name;
    for (int i = 0; i < 40; ++i) name += "\xC3\xBC";
    EXPECT_NE(refused(R"({"type":"login","games":["walls"],"name":")" + name + "\"}")
                  .message.find("of at most 64 bytes, and has 80, without a space"),
              std::string::npos);
}

TEST(FromBot, tells_of_plain_text_at_length_once) {
    EXPECT_TRUE(is_plain_text(refused("my turn")));
    EXPECT_TRUE(is_plain_text(refused("[1]")));
    EXPECT_FALSE(is_plain_text(refused(R"({"type":"move",})")));
    auto error = refused("my turn");
    tell_plain_text(error, false, 1);
    EXPECT_TRUE(error.message.ends_with("must be such an object: print everything else elsewhere"));
    EXPECT_FALSE(error.expected.empty());
    tell_plain_text(error, false, 2);
    EXPECT_EQ(error.message, "again no JSON object: line 2 of this kind");
    EXPECT_TRUE(error.expected.empty());
}

TEST(FromBot, tells_a_browser_that_bots_dial_in_here) {
    auto error = refused("GET /standings HTTP/1.1");
    ASSERT_TRUE(is_plain_text(error));
    tell_plain_text(error, false, 1);
    EXPECT_TRUE(error.message.starts_with("this is HTTP, and bots dial in here: pages, "));
}

// Which characters are printable is tested at is_one_printable_line.
TEST(Names, are_one_printable_line_of_64_bytes) {
    const struct {
        std::string_view name;
        bool valid;
    } cases[] = {
        {"a", true},
        {"my bot", true},
        {"Zo\xC3\xAB", true},
        {"\xE6\xA3\x8B\xE5\xA3\xAB", true},
        {"a/b<c>&\"d\"", true},
        {"0123456789012345678901234567890123456789012345678901234567890123", true},
        {"01234567890123456789012345678901234567890123456789012345678901234", false},
        {"", false},
        {" a", false},
        {"a ", false},
        {"a\nb", false},
    };
    for (const auto& [name, valid] : cases) {
        EXPECT_EQ(is_valid_name(name), valid) << base::readable(name, 100);
    }
}

}  // namespace
}  // namespace protocol
