#include "tests/sim/bad_lines.h"

namespace tests::sim {
namespace {

std::string nested(std::size_t depth) {
    return R"({"type":"move","game_id":"g","turn":1,"move":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}";
}

std::vector<std::string> all() {
    using namespace std::string_literals;
    return {
        "F",
        R"({"type":"move")",
        R"({"type":"move","game_id":"g","turn":1,"move":NaN})",
        R"({"type":"move","game_id":"g","turn":1,"move":Infinity})",
        R"({"type":"ping",/* 1 */"id":1})",
        R"({"type":"ping","id":1} // x)",
        R"({"type":"ping","id":1}{})",
        R"({"type":"ping","id":1,})",
        R"({'type':'ping','id':1})",
        "{\"type\":\"ping\",\"id\":1}\0"s,
        "{\"type\":\"pi\tng\",\"id\":1}",
        R"({"type":"ping","id":01})",
        "{\"type\":\"bye\",\"message\":\"\xff\xfe\"}",
        "{\"type\":\"bye\",\"message\":\"\xc0\xaf\"}",
        "\xef\xbb\xbf{\"type\":\"ping\",\"id\":1}",
        nested(32),
        nested(20'000),
        R"({"type":"ping","id":1,"id":2})",
        R"({"type":"move","game_id":"g","turn":1,"move":{"a":1,"a":2}})",
        R"({"type":"ping","id":18446744073709551616})",
        R"({"type":"move","game_id":"g","turn":1,"move":1e400})",
        R"("F")",
        "[]",
        "null",
        "{}",
        R"({"type":"move","game_id":"g","move":"F"})",
        R"({"type":"move","game_id":"g","turn":1})",
        R"({"type":"ready"})",
        R"({"type":"ping"})",
        R"({"type":"move","game_id":"g","turn":1.0,"move":"F"})",
        R"({"type":"move","game_id":"g","turn":1e0,"move":"F"})",
        R"({"type":"move","game_id":"g","turn":"1","move":"F"})",
        R"({"type":"move","game_id":7,"turn":1,"move":"F"})",
        R"({"type":5})",
        R"({"type":"move","game_id":"g","turn":1,"move":"F","debug":5})",
        R"({"type":"ping","id":-1})",
        R"({"type":"resign"})",
        R"({"type":"turn","game_id":"g","turn":1})",
    };
}

}  // namespace

const std::vector<std::string>& bad_lines() {
    static const std::vector<std::string> lines = all();
    return lines;
}

}  // namespace tests::sim
