#include "referee/watch/web/request.h"

#include <algorithm>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/watch/pages/pages.h"

namespace referee::web {

namespace {

std::optional<unsigned> digit_of(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return std::nullopt;
}

// Nothing where a percent sign has no two digits behind it, or the text is no UTF-8 then.
std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus_is_blank) {
            out += ' ';
        } else if (text[i] != '%') {
            out += text[i];
        } else {
            if (i + 2 >= text.size()) return std::nullopt;
            const auto high = digit_of(text[i + 1]);
            const auto low = digit_of(text[i + 2]);
            if (!high || !low) return std::nullopt;
            out += static_cast<char>(*high * 16 + *low);
            i += 2;
        }
    }
    if (out.find('\0') != std::string::npos || !base::is_utf8(out)) return std::nullopt;
    return out;
}

std::optional<Fields> fields_of(std::string_view text) {
    Fields fields;
    while (!text.empty()) {
        const auto end = std::min(text.find('&'), text.size());
        const auto field = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
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

constexpr std::string_view navigation =
    "<nav class=\"pages\" aria-label=\"Pages\"><a href=\"/\">Home</a> <a "
    "href=\"/wall\">Projector</a> <a href=\"/me\">My bot</a></nav>\n";

Answer linked(std::string_view title, std::string_view script, pages::Links links) {
    const auto path = "/page/" + std::string(script);
    if (!script.empty()) links.scripts = {path};
    links.style = "/page/style.css";
    links.source = "api";
    links.icon = icon_path;
    links.navigation.insert(0, navigation);
    return text_answer("text/html; charset=utf-8", pages::linked_html(title, links));
}

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
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object().key("error").begin_object();
    writer.member("code", code).member("message", message).end_object().end_object();
    auto answer = json_answer(std::move(text));
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
    while (!cookies.empty()) {
        const auto end = std::min(cookies.find(';'), cookies.size());
        auto cookie = cookies.substr(0, end);
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
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
    constexpr std::string_view digits = "0123456789ABCDEF";
    constexpr std::string_view plain = "-_.~/";
    std::string out;
    for (const char c : text) {
        if (base::is_letter(c) || base::is_digit(c) || plain.find(c) != std::string_view::npos) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte / 16];
            out += digits[byte % 16];
        }
    }
    return out;
}

Answer no_such_game() {
    return error_answer(404, "no_such_game",
                        "expected the id of a game that was played or is being played here, such "
                        "as friday/12.1; of one that has just ended, try again in a second; the "
                        "oldest replays of a ladder may have been dropped");
}

Answer kept_secret() {
    return error_answer(403, "not_shown_yet",
                        "others play the same game of one seat, so it is shown to everybody when "
                        "all tournaments of this game are over; until then log in at /me as the "
                        "bot's owner, or as the instructor");
}

std::optional<std::size_t> number_in(std::string_view text) {
    return base::whole_number<std::size_t>(text);
}

std::optional<std::optional<showing::Range>> range_of(const Request& request) {
    const auto from = request.query.find("from");
    const auto to = request.query.find("to");
    if (from == request.query.end() && to == request.query.end())
        return std::optional<showing::Range>();
    if (from == request.query.end() || to == request.query.end()) return std::nullopt;
    const auto begin = number_in(from->second);
    const auto end = number_in(to->second);
    if (!begin || !end || *begin > *end) return std::nullopt;
    return showing::Range{*begin, *end};
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

Answer page_answer(std::string_view title, std::string_view script, const std::string& html) {
    return linked(title, script,
                  {.body = "<main><h1>" + base::in_markup(title) + "</h1>\n" + html + "</main>\n"});
}

Answer drawn_page(std::string_view title, std::string_view script, const std::string& links) {
    return linked(title, script, {.navigation = links});
}

std::string tournament_link(const std::string& id) {
    return pages::link("/t/" + in_url(id), id);
}

std::string game_link(const std::string& id) {
    return pages::link("/g/" + in_url(id), id);
}

std::string bot_path(std::string_view tournament, std::string_view bot) {
    return "/t/" + in_url(tournament) + "/bots/" + in_url(bot);
}

}  // namespace referee::web
