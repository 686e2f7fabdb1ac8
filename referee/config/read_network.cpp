#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <optional>

#include "protocol/address.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/limits.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"
#include "referee/files/file.h"
#include "referee/game/clock/allowances.h"

// Where bots dial in, a daemon takes orders and pages are served; and how much may be allowed for
// the way to bots of a range of addresses.

namespace referee::config {
namespace {

// {"port": 7778, "address": "0.0.0.0", "certificate": "tls.crt", "key": "tls.key"}
void read_tls(json::Reader& listen, const std::string& directory, Config& config) {
    const auto object = listen.optional_object("tls");
    if (!object) return;
    json::Reader tls(object);
    TlsPort port;
    port.address = config.address;
    tls.text("address", port.address);
    if (tls.has("address") && !may_listen_on(port.address))
        tls.wrong("address", "expected an IP address such as \"0.0.0.0\"");
    tls.integer("port", port.port, 0, port_max);
    if (port.port != 0 && port.port == config.port)
        tls.wrong(
            "port",
            fmt::format(
                "bots that speak plain text dial in at {}; expected a port of its own, such as {}",
                port.port, TlsPort{}.port));
    tls.text("certificate", config.tls_certificate);
    tls.text("key", config.tls_key);
    if (config.tls_certificate.empty() != config.tls_key.empty())
        tls.wrong(config.tls_key.empty() ? "key" : "certificate",
                  "missing; expected both, such as \"certificate\": \"tls.crt\", \"key\": "
                  "\"tls.key\", or neither: then the referee makes its own");
    for (auto* const file : {&config.tls_certificate, &config.tls_key})
        if (!file->empty()) *file = files::absolute_path(directory, *file);
    config.tls = port;
    tls.no_others();
}

// More turns than any game has are as good as no frames at all.
constexpr std::uint32_t delay_turns_max = 100'000;
// Each is a descriptor.
constexpr std::size_t browsers_most = 100'000;
// Who waits longer for a frame looks at the replay.
constexpr Duration delay_min = std::chrono::seconds(1);
constexpr Duration delay_max = std::chrono::hours(1);
constexpr std::string_view names_shown = "shown";
constexpr std::string_view names_hidden = "pseudonyms";

// {"turns": 20} or "30s"
void read_delay(json::Reader& web, WebConfig& read) {
    const auto given = web.optional("delay");
    if (!given) return;
    if (given.view().kind() != json::Kind::object) {
        read_time(web, "delay", read.delay);
        // A number would be one of microseconds.
        const bool none = read.delay == Duration::zero();
        if (!none && (read.delay < delay_min || read.delay > delay_max))
            web.wrong("delay",
                      "expected a time from 1 s to 1 h, such as \"30s\", or turns, such as "
                      "{\"turns\": 20}");
        return;
    }
    json::Reader delay(given);
    delay.integer("turns", read.delay_turns, 0, delay_turns_max, "20");
    if (!delay.has("turns"))
        delay.wrong("turns", "missing; expected a number of turns, such as 20");
    delay.no_others();
}

// "shown" or "pseudonyms"
bool hides_names(json::Reader& of) {
    std::string names(names_shown);
    of.text("names", names);
    if (names != names_shown && names != names_hidden)
        of.wrong("names",
                 "expected \"shown\", or \"pseudonyms\", which hide bots' names from everybody "
                 "but their owners and the instructor");
    return names == names_hidden;
}

bool is_web_url(const std::string& url) {
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) return false;
    const auto host = url.substr(scheme + 3);
    return (url.starts_with("http://") || url.starts_with("https://")) && !host.empty() &&
           host.find_first_of("/?#@ \"<>") == std::string::npos;
}

// Requires: the addresses of `listen` are read.
void read_web(json::Reader& listen, Config& config) {
    const auto object = listen.optional_object("web");
    if (!object) return;
    json::Reader web(object);
    WebConfig read;
    web.text("address", read.address);
    if (!may_listen_on(read.address))
        web.wrong("address", "expected an IP address such as \"127.0.0.1\"");
    web.integer("port", read.port, 0, port_max);
    const bool taken = read.port == config.port || (config.tls && read.port == config.tls->port);
    if (read.port != 0 && taken)
        web.wrong("port",
                  fmt::format("bots dial in at {}; expected a port of its own, such as {}",
                              read.port, WebConfig{}.port + (read.port == WebConfig{}.port)));
    web.boolean("tls", read.tls);
    web.text("title", read.title);
    web.text("url", read.url);
    if (!read.url.empty() && !is_web_url(read.url))
        web.wrong("url",
                  "expected how browsers reach the pages, without a path, such as "
                  "\"https://referee.example.org\"");
    read_delay(web, read);
    web.integer("connections", read.connections, 1, browsers_most, "1000");
    web.boolean("registration", read.registration);
    read.pseudonyms = hides_names(web);
    if (config.pseudonyms && !read.pseudonyms && web.has("names"))
        web.wrong("names",
                  "the config's own \"names\" hides them everywhere; expected \"pseudonyms\", or "
                  "this member left out");
    read.pseudonyms = read.pseudonyms || config.pseudonyms;
    if (!read.tls && !protocol::is_loopback(read.address))
        config.warnings.push_back(
            "listen.web: other machines may reach " + read.address +
            ", and nothing is encrypted on the way: nobody logs in there; \"tls\": true beside "
            "the address lets students in");
    if (read.tls && !config.tls && !protocol::is_loopback(config.address))
        config.warnings.push_back(
            "listen.web is encrypted and the bots' port is not: their tokens cross the network as "
            "plain text; \"tls\": {} in listen opens an encrypted port for them");
    config.web = std::move(read);
    web.no_others();
}

}  // namespace

void read_listen(json::Reader& root, const std::string& directory, Config& config) {
    const auto object = root.optional_object("listen");
    if (!object) return;
    json::Reader listen(object);
    listen.text("address", config.address);
    if (!may_listen_on(config.address))
        listen.wrong("address", "expected an IP address such as \"0.0.0.0\"");
    listen.integer("port", config.port, 0, port_max);
    read_tls(listen, directory, config);
    read_web(listen, config);
    listen.no_others();
}

void read_control(json::Reader& root, const std::string& directory, Config& config) {
    const auto object = read_object_of_secrets(root, "control");
    if (!object) return;
    json::Reader control(object);
    auto& read = config.control;
    control.text("socket", read.socket);
    if (!read.socket.empty()) read.socket = files::absolute_path(directory, read.socket);
    control.text("address", read.address);
    control.integer("port", read.port, 0, port_max);
    read_secret(control, "token", read.token);
    control.boolean("tls", read.tls);
    const bool tcp = control.has("address") || control.has("port");
    if (tcp && read.address.empty()) read.address = "127.0.0.1";
    const bool is_text = !control.has("token") || control.given("token").string().has_value();
    const bool by_page = config.web && control.has("token");
    if ((tcp || by_page) && is_text &&
        read.token.size() < protocol::limits::registered_token_bytes_min) {
        control.wrong("token", fmt::format("expected a token of at least {} bytes: whoever reaches "
                                           "the port and knows it may do everything",
                                           protocol::limits::registered_token_bytes_min));
    }
    if (tcp && !read.tls && !protocol::is_loopback(read.address)) {
        control.wrong("address",
                      "other machines may reach \"" + read.address +
                          "\", and the token would travel there as plain text; expected \"tls\": "
                          "true beside it, or the address \"127.0.0.1\"");
    }
    if (read.tls && !tcp)
        control.wrong("tls",
                      "only orders over TCP are encrypted; expected an \"address\" or a "
                      "\"port\" beside it, such as \"port\": 7780");
    control.no_others();
}

void read_names(json::Reader& root, Config& config) {
    config.pseudonyms = hides_names(root);
}

namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view range_example = R"(expected a range such as "10.0.0.0/8" or "fd00::/8")";

struct Range {
    clock::Address first;
    unsigned bits = 0;
    std::string without_host_bits;
};

std::optional<Range> range_from(const std::string& text) {
    boost::system::error_code error;
    if (const auto v4 = ip::make_network_v4(text, error); !error)
        return Range{clock::Address::v4(v4.address().to_bytes()),
                     clock::v4_bits + v4.prefix_length(), v4.canonical().to_string()};
    const auto v6 = ip::make_network_v6(text, error);
    if (error) return std::nullopt;
    return Range{{v6.address().to_bytes()},
                 static_cast<unsigned>(v6.prefix_length()),
                 v6.canonical().to_string()};
}

void read_range(json::Reader& reader, clock::NetworkRange& into) {
    reader.text("range", into.text);
    if (!reader.has("range")) {
        reader.wrong("range", "missing; " + std::string(range_example));
        return;
    }
    if (into.text.empty()) return;  // no text: noted already
    const auto range = range_from(into.text);
    if (!range) {
        reader.wrong("range", std::string(range_example) + ", found \"" + into.text + "\"");
        return;
    }
    if (range->first != range->first.first_bits(range->bits)) {
        reader.wrong("range", "has bits behind the " + into.text.substr(into.text.find('/')) +
                                  "; expected \"" + range->without_host_bits + "\"");
        return;
    }
    into.first = range->first;
    into.bits = range->bits;
}

// The most that may be allowed for the way of anybody who can reach a port there.
Duration longest_way(const Config& config, const std::string& listens_on) {
    boost::system::error_code error;
    const auto address = ip::make_address(listens_on, error);
    if (error) return Duration::zero();  // told where it is opened
    if (protocol::is_loopback(listens_on)) {
        clock::Allowances allowances(config.network);
        const auto bytes = address.is_v4() ? clock::Address::v4(address.to_v4().to_bytes())
                                           : clock::Address{address.to_v6().to_bytes()};
        return allowances.of(allowances.enter(bytes)).bound;
    }
    const bool all_said = base::contains(config.network, 0U, &clock::NetworkRange::bits);
    auto longest = all_said ? Duration::zero() : clock::default_ranges().back().allowance_max;
    for (const auto& range : config.network) longest = std::max(longest, range.allowance_max);
    return longest;
}

bool somebody_dials_in(const Config& config, const TournamentConfig& tournament) {
    const auto dials_in = [&config](auto bot) { return !config.bots[bot].launched(); };
    return config.registration.open() || std::ranges::any_of(tournament.bots, dials_in);
}

}  // namespace

void warn_of_short_budgets(Config& config) {
    auto longest = longest_way(config, config.address);
    if (config.tls) longest = std::max(longest, longest_way(config, config.tls->address));
    for (const auto& tournament : config.tournaments) {
        const auto& clock = tournament.clock;
        const auto way = std::min(longest, clock.allowance_max);
        if (clock.kind == clock::ClockKind::none || clock.measure != clock::Measure::wall) continue;
        const bool by_game = clock.kind == clock::ClockKind::game;
        const int turns = by_game ? clock::game_turns_assumed : 1;
        if (!clock.allowance || turns * way <= clock.budget + turns * clock.increment) continue;
        if (!somebody_dials_in(config, tournament)) continue;
        const auto room = by_game ? fmt::format(
                                        " are allowed for a bot's way each turn, {} in a game of "
                                        "{} turns: more than its budget of ",
                                        ms_text(turns * way), turns)
                                  : " are allowed for a bot's way, more than a turn's budget of ";
        config.warnings.push_back(
            "tournament " + tournament.id + ": up to " + ms_text(way) + room +
            ms_text(clock.budget + turns * clock.increment) +
            ": whoever delays its acknowledgements may think that much longer. Expected a lower "
            "\"allowance_max\" in \"network\" or in the clock, or a budget of at least " +
            ms_text(turns * way - turns * clock.increment));
    }
}

void read_network(const json::Placed& list, Config& config) {
    for (const auto element : list.elements()) {
        if (!element.object(R"({"range": "10.0.0.0/8", "allowance_max": "20ms"})")) continue;
        json::Reader reader(element);
        clock::NetworkRange range;
        read_range(reader, range);
        if (!reader.has("allowance_max"))
            reader.wrong("allowance_max", "missing; expected a time such as \"20ms\"");
        read_time(reader, "allowance_max", range.allowance_max);
        reader.boolean("peers", range.peers);
        reader.no_others();
        const auto same = [&range](const clock::NetworkRange& other) {
            return other.first == range.first && other.bits == range.bits;
        };
        if (std::ranges::any_of(config.network, same))
            reader.wrong("range",
                         "the range \"" + range.text + "\" is there twice; expected it once");
        config.network.push_back(std::move(range));
    }
}

}  // namespace referee::config
