// Any bytes through framer and codec, both directions: answered by messages or typed errors, and
// an error can be sent and read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/base/assertion.h"
#include "protocol/codec.h"
#include "protocol/framer.h"

namespace {

constexpr std::size_t line_bytes_max = 512;  // small, so that the limit is met often

void decode(std::string_view line, protocol::json::Document& document) {
    const auto from_bot = protocol::decode_from_bot(line, document);
    if (const auto* const error = std::get_if<protocol::ProtocolError>(&from_bot)) {
        std::string answer;
        protocol::encode(answer, *error);
        const auto read = protocol::decode_from_referee(answer, document);
        REFEREE_ASSERT(std::holds_alternative<protocol::ErrorMessage>(read));
    } else if (const auto* const move = std::get_if<protocol::Move>(&from_bot)) {
        std::string again;
        protocol::encode(again, *move);
        protocol::json::Document other;
        const auto read = protocol::decode_from_bot(again, other);
        REFEREE_ASSERT(std::holds_alternative<protocol::Move>(read));
        REFEREE_ASSERT(std::get<protocol::Move>(read).turn == move->turn);
    }
    const auto from_referee = protocol::decode_from_referee(line, document);
    REFEREE_ASSERT(!from_referee.valueless_by_exception());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    protocol::Framer framer(line_bytes_max);
    protocol::json::Document document;
    auto framing = protocol::Framing::more;
    while (!rest.empty() && framing != protocol::Framing::too_long) {
        rest.remove_prefix(framer.push(rest));
        protocol::Framed found;
        while ((found = framer.next()).what == protocol::Framing::line) {
            decode(found.line, document);
        }
        framing = found.what;
    }
    return 0;
}
