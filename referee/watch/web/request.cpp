#include "referee/watch/web/request.h"

#include <algorithm>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/json/writer.h"

namespace referee::web {

namespace {

// Nothing where a percent sign has no two digits behind it, or the text is no UTF-8 then.
std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus_is_blank) {
            out += ' ';
        } else if (text[i] != '%') {
            out += text[i];
        } else {
            constexpr int hexadecimal = 16;
            const auto byte = base::small(std::string(text.substr(i + 1, 2)));
            if (!base::is_hex(byte, 2)) return std::nullopt;
            out += static_cast<char>(std::stoi(byte, nullptr, hexadecimal));
            i += 2;
        }
    }
    if (out.find('\0') != std::string::npos || !base::is_utf8(out)) return std::nullopt;
    return out;
}

std::optional<Fields> fields_of(std::string_view text) {
    Fields fields;
    for (const auto field : base::split(text, '&')) {
        if (field.empty()) continue;
        const auto equals = std::min(field.find('='), field.size());
        const auto name = decoded(field.substr(0, equals), true);
        const auto value =
            decoded(equals < field.size() ? field.substr(equals + 1) : std::string_view(), true);
        if (!name || !value) return std::nullopt;
        fields.emplace(*name, *value);
    }
    return fields;
}

// Shorter bodies gain nothing.
constexpr std::size_t packed_bytes_min = 1024;
constexpr std::size_t tag_digits = 32;

}  // namespace

Answer text_answer(std::string type, std::string text) {
    return {.type = std::move(type), .body = std::make_shared<const std::string>(std::move(text))};
}

Answer for_cache(Answer answer, const BrowserCache& cache) {
    if (answer.status != http_ok || answer.stream || !answer.body || answer.body->empty())
        return answer;
    const auto tag = '"' + base::hex_of(base::digest_of(*answer.body)).substr(0, tag_digits) + '"';
    answer.headers.emplace_back("ETag", tag);
    answer.headers.emplace_back("Cache-Control", "private, no-cache");
    answer.headers.emplace_back("Vary", "Accept-Encoding, Cookie");
    if (cache.if_none_match.find(tag) != std::string::npos) {
        answer.status = http_not_modified;
        answer.body = nullptr;
    } else if (cache.gzip && answer.body->size() >= packed_bytes_min) {
        auto packed = base::gzip(*answer.body);
        if (packed.size() >= answer.body->size()) return answer;
        answer.body = std::make_shared<const std::string>(std::move(packed));
        answer.headers.emplace_back("Content-Encoding", "gzip");
    }
    return answer;
}

Answer json_answer(std::string text) {
    return text_answer("application/json", std::move(text));
}

Answer error_answer(unsigned status, std::string_view code, std::string_view message) {
    auto answer = json_answer(protocol::json::object_text([&](protocol::json::Writer& writer) {
        writer.key("error").begin_object().member("code", code);
        writer.member("message", message).end_object();
    }));
    answer.status = status;
    return answer;
}

base::Result<Target, std::string> read_target(std::string_view target) {
    const auto wrong = [](const char* message) { return base::failure(std::string(message)); };
    if (!target.starts_with('/')) return wrong("expected a path such as /api/v1/tournaments");
    const auto mark = std::min(target.find('?'), target.size());
    auto path = decoded(target.substr(0, mark), false);
    auto query = fields_of(mark < target.size() ? target.substr(mark + 1) : std::string_view());
    if (!path || !query)
        return wrong(
            "expected UTF-8, and two digits behind each percent sign, such as /t/friday%20night");
    return Target{*std::move(path), *std::move(query)};
}

std::string form_field(const Fields& form, std::string_view name) {
    const auto found = form.find(name);
    return found == form.end() ? std::string() : found->second;
}

base::Result<Fields, std::string> posted_form(const Request& request) {
    auto fields = fields_of(request.body);
    if (!fields || !request.content_type.starts_with("application/x-www-form-urlencoded"))
        return base::failure(std::string("expected a form such as name=ada&token=secret"));
    return *std::move(fields);
}

std::string cookie_named(std::string_view cookies, std::string_view name) {
    for (auto cookie : base::split(cookies, ';')) {
        while (cookie.starts_with(' ')) cookie.remove_prefix(1);
        if (cookie.starts_with(name) && cookie.substr(name.size()).starts_with('='))
            return std::string(cookie.substr(name.size() + 1));
    }
    return {};
}

std::string session_of(const Request& request) {
    return cookie_named(request.cookie, session_cookie);
}

std::string in_url(std::string_view text) {
    static constexpr std::string_view plain = ".~/";
    return base::joined(text, "", [](char c) {
        return base::is_of_id(c) || base::contains(plain, c)
                   ? std::string(1, c)
                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    });
}

bool RequestRate::open(const std::string& network) {
    if (connections_ >= connections_max_) return false;
    auto& neighbours = of_network_[network];
    if (neighbours.connections >= connections_of_network_max_) return false;
    ++neighbours.connections;
    ++connections_;
    return true;
}

void RequestRate::closed(const std::string& network) {
    const auto found = of_network_.find(network);
    if (found == of_network_.end()) return;
    --connections_;
    if (--found->second.connections == 0) of_network_.erase(found);
}

bool RequestRate::send(const std::string& network, std::size_t bytes) {
    auto& unsent = of_network_[network].unsent_bytes;
    if (unsent + bytes > unsent_bytes_max) return false;
    unsent += bytes;
    return true;
}

void RequestRate::sent(const std::string& network, std::size_t bytes) {
    of_network_[network].unsent_bytes -= bytes;
}

bool RequestRate::request(const std::string& network, Instant now) {
    auto& credit = credits_.touch(network);
    const std::chrono::duration<double> passed = now - credit.at.value_or(now);
    credit.requests =
        std::min(credit.requests + passed.count() * requests_per_second_max, requests_at_once_max);
    credit.at = now;
    if (credit.requests < 1) return false;
    credit.requests -= 1;
    return true;
}

}  // namespace referee::web
