#include "tests/sim/bad_lines.h"

#include <vector>

namespace tests::sim {
namespace {

using enum protocol::ErrorCode;

std::string nested(std::size_t depth) {
    return R"({"type":"move","game_id":"g","turn":1,"move":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}";
}

std::vector<BadLine> all() {
    using namespace std::string_literals;
    return {
        {"no_json", "F", invalid_json, ""},
        {"half_an_object", R"({"type":"move")", invalid_json, ""},
        {"nan", R"({"type":"move","game_id":"g","turn":1,"move":NaN})", invalid_json, ""},
        {"infinity", R"({"type":"move","game_id":"g","turn":1,"move":Infinity})", invalid_json, ""},
        {"comment", R"({"type":"ping",/* 1 */"id":1})", invalid_json, ""},
        {"line_comment", R"({"type":"ping","id":1} // x)", invalid_json, ""},
        {"trailing_bytes", R"({"type":"ping","id":1}{})", invalid_json, ""},
        {"trailing_comma", R"({"type":"ping","id":1,})", invalid_json, ""},
        {"single_quotes", R"({'type':'ping','id':1})", invalid_json, ""},
        {"nul_byte", "{\"type\":\"ping\",\"id\":1}\0"s, invalid_json, ""},
        {"control_character", "{\"type\":\"pi\tng\",\"id\":1}", invalid_json, ""},
        {"leading_zero", R"({"type":"ping","id":01})", invalid_json, ""},
        {"bad_utf8", "{\"type\":\"bye\",\"message\":\"\xff\xfe\"}", invalid_utf8, ""},
        {"overlong_utf8", "{\"type\":\"bye\",\"message\":\"\xc0\xaf\"}", invalid_utf8, ""},
        {"byte_order_mark", "\xef\xbb\xbf{\"type\":\"ping\",\"id\":1}", byte_order_mark, ""},
        {"too_deep", nested(32), too_deep, ""},
        {"far_too_deep", nested(20'000), too_deep, ""},
        {"duplicate_member", R"({"type":"ping","id":1,"id":2})", duplicate_member, ""},
        {"duplicate_in_move", R"({"type":"move","game_id":"g","turn":1,"move":{"a":1,"a":2}})",
         duplicate_member, ""},
        {"integer_too_large", R"({"type":"ping","id":18446744073709551616})", integer_too_large,
         ""},
        {"number_too_large", R"({"type":"move","game_id":"g","turn":1,"move":1e400})",
         number_too_large, ""},
        {"a_string", R"("F")", not_an_object, ""},
        {"an_array", "[]", not_an_object, ""},
        {"null", "null", not_an_object, ""},
        {"no_type", "{}", missing_member, "type"},
        {"no_turn", R"({"type":"move","game_id":"g","move":"F"})", missing_member, "turn"},
        {"no_move", R"({"type":"move","game_id":"g","turn":1})", missing_member, "move"},
        {"no_game_id", R"({"type":"ready"})", missing_member, "game_id"},
        {"no_ping_id", R"({"type":"ping"})", missing_member, "id"},
        {"float_turn", R"({"type":"move","game_id":"g","turn":1.0,"move":"F"})", wrong_type,
         "turn"},
        {"exponent_turn", R"({"type":"move","game_id":"g","turn":1e0,"move":"F"})", wrong_type,
         "turn"},
        {"text_turn", R"({"type":"move","game_id":"g","turn":"1","move":"F"})", wrong_type, "turn"},
        {"number_game_id", R"({"type":"move","game_id":7,"turn":1,"move":"F"})", wrong_type,
         "game_id"},
        {"number_type", R"({"type":5})", wrong_type, "type"},
        {"number_debug", R"({"type":"move","game_id":"g","turn":1,"move":"F","debug":5})",
         wrong_type, "debug"},
        {"negative_ping", R"({"type":"ping","id":-1})", invalid_value, "id"},
        {"unknown_type", R"({"type":"resign"})", unknown_type, "type"},
        {"referees_type", R"({"type":"turn","game_id":"g","turn":1})", unknown_type, "type"},
    };
}

}  // namespace

std::span<const BadLine> bad_lines() {
    static const std::vector<BadLine> lines = all();
    return lines;
}

}  // namespace tests::sim
