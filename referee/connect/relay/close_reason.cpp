#include "referee/connect/relay/close_reason.h"

#include <algorithm>
#include <array>

#include "protocol/codes.h"
#include "protocol/json/printable.h"

namespace referee::relay {
namespace {

struct ErrorMeaning {
    std::string_view code;
    After after;
    std::string_view remedy;  // what to do, as the end of a sentence
};

// Those that aren't here are the referee's last word: see its message.
constexpr std::array<ErrorMeaning, 13> meanings = {{
    {"too_many_connections", After::later, "the bridge tries again"},
    {"too_many_tries", After::later, "the bridge tries again"},
    {"approval_needed", After::later,
     "the instructor has to approve the name; the bridge tries again until then"},
    {"login_timeout", After::again, ""},
    {"flooding", After::program_failed, "print one move for each turn, and nothing else"},
    {"backlog", After::program_failed, "keep reading standard input, also while you think"},
    {"line_too_long", After::program_failed, "end each message with a line feed, and flush"},
    {"wrong_token", After::refused, "look at --token, --token-file and REFEREE_TOKEN"},
    {"wrong_password", After::refused, "look at --password and REFEREE_PASSWORD"},
    {"token_needed", After::refused,
     "make up a token and keep it: --token-file, or REFEREE_TOKEN in the environment"},
    {"unknown_name", After::refused, "look at --name"},
    {"already_connected", After::refused, "end the other program, or the other bridge"},
    {"tls_expected", After::refused,
     "write the address as the instructor gives it, tls://HOST:PORT#sha256=..."},
}};

std::string sentence(std::string_view what, std::string_view message, std::string_view remedy) {
    auto words = std::string(what) + ": " + protocol::json::visible_line(message);
    if (!remedy.empty()) words.append("; ").append(remedy);
    return words;
}

}  // namespace

bool is_parting(std::string_view code) {
    const auto codes = protocol::all_error_codes();
    const auto known = std::find_if(codes.begin(), codes.end(),
                                    [&](auto one) { return protocol::name_of(one) == code; });
    return known != codes.end() && protocol::closes(*known);
}

CloseReason close_reason_of_error(std::string_view code, std::string_view message) {
    const auto* const found = std::find_if(meanings.begin(), meanings.end(),
                                           [&](const auto& one) { return one.code == code; });
    const bool known = found != meanings.end();
    return {
        known ? found->after : After::refused,
        sentence("the referee ended the connection (" + protocol::json::visible_line(code) + ")",
                 message, known ? found->remedy : "")};
}

CloseReason close_reason_of_bye(std::string_view reason, std::string_view message) {
    if (reason == "finished" || reason == "released")
        return {After::finished, sentence("the referee says goodbye", message, "")};
    if (reason == "shutdown") {
        return {After::later,
                sentence("the referee stops", message, "the bridge waits until it is there again")};
    }
    if (reason == "replaced") {
        return {After::refused, sentence("another login of this name took this connection's place",
                                         message, "end the other program, or the other bridge")};
    }
    if (reason == "refused")
        return {After::refused, sentence("the referee ended the connection", message, "")};
    return {After::again, sentence("the referee ended the connection", message, "")};
}

}  // namespace referee::relay
