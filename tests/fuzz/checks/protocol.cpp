// Framer and codec. Any bytes are cut into the same lines however they come in; each line is
// answered by a message that is written and read again as the same, or by one typed error that can
// be sent and whose example is right.

#include <variant>
#include <vector>

#include "protocol/codec.h"
#include "protocol/framer.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

constexpr std::size_t line_bytes_max = 512;  // small, so that the limit is met often
constexpr std::size_t answer_bytes_max = 4096;

struct Lines {
    std::vector<std::string> lines;
    bool too_long = false;
    bool operator==(const Lines&) const = default;
};

Lines framed(std::string_view rest, std::size_t piece_bytes) {
    Lines found;
    protocol::Framer framer(line_bytes_max);
    while (!rest.empty() && !found.too_long) {
        rest.remove_prefix(framer.push(rest.substr(0, piece_bytes)));
        auto next = framer.next();
        for (; next.what == protocol::Framing::line; next = framer.next())
            found.lines.emplace_back(next.line);
        found.too_long = next.what == protocol::Framing::too_long;
    }
    return found;
}

// The message as a line without its end; empty where it is one that nobody sends.
template <typename Message>
std::string encoded(const Message& message) {
    std::string line;
    if constexpr (requires { protocol::encode(line, message); }) {
        protocol::encode(line, message);
        line.pop_back();
    }
    return line;
}

// What is read of a message that was written is the same message.
template <typename Decode>
Complaint check_round_trip(std::string_view line, Decode decode) {
    protocol::json::Document first;
    const auto message = decode(line, first);
    if (std::holds_alternative<protocol::ProtocolError>(message)) return {};
    const auto write = [](const auto& each) { return encoded(each); };
    const auto written = std::visit(write, message);
    if (written.empty()) return {};
    if (written.find('\n') != std::string::npos) return "a message takes two lines: " + written;
    protocol::json::Document second;
    const auto again = decode(written, second);
    if (again.index() != message.index()) return "another message is read again: " + written;
    const auto twice = std::visit(write, again);
    return twice == written ? Complaint() : "written again it is " + twice + ", not " + written;
}

Complaint check_error(const protocol::ProtocolError& error) {
    protocol::json::Document document;
    const auto line = encoded(error);
    if (line.size() > answer_bytes_max)
        return "an error of " + std::to_string(line.size()) + " bytes";
    const auto read = protocol::decode_from_referee(line, document);
    const auto* const message = std::get_if<protocol::ErrorMessage>(&read);
    if (message == nullptr) return "an error can't be read: " + line;
    if (message->message != error.message || message->received != error.received)
        return "an error is read as another one: " + line;
    if (error.message.empty()) return "an error without a word";
    if (error.expected.empty()) return {};
    const auto example = protocol::decode_from_bot(error.expected, document);
    return std::holds_alternative<protocol::ProtocolError>(example)
               ? "the example is wrong: " + line
               : Complaint();
}

Complaint check_line(std::string_view line) {
    protocol::json::Document document;
    const auto from_bot = protocol::decode_from_bot(line, document);
    if (const auto* const error = std::get_if<protocol::ProtocolError>(&from_bot)) {
        if (auto wrong = check_error(*error); !wrong.empty()) return wrong;
    }
    if (auto wrong = check_round_trip(line,
                                      [](std::string_view text, auto& read) {
                                          return protocol::decode_from_bot(text, read);
                                      });
        !wrong.empty())
        return wrong;
    return check_round_trip(line, [](std::string_view text, auto& read) {
        return protocol::decode_from_referee(text, read);
    });
}

}  // namespace

Complaint check_protocol(std::string_view bytes) {
    const auto all = framed(bytes, bytes.size());
    for (const std::size_t piece_bytes : {std::size_t{1}, std::size_t{7}, line_bytes_max}) {
        if (framed(bytes, piece_bytes) != all)
            return "other lines where bytes come by " + std::to_string(piece_bytes);
    }
    for (const auto& line : all.lines) {
        if (auto wrong = check_line(line); !wrong.empty()) return wrong;
    }
    return {};
}

}  // namespace fuzz
