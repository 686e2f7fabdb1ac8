#include <optional>

#include "protocol/base/text.h"
#include "protocol/limits.h"
#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"

// Where bots dial in, a daemon takes orders and pages are served.

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
        if (!file->empty()) *file = absolute_path(directory, *file);
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
    if (!read.tls && !is_loopback(read.address))
        config.warnings.push_back(
            "listen.web: other machines may reach " + read.address +
            ", and nothing is encrypted on the way: nobody logs in there; \"tls\": true beside "
            "the address lets students in");
    if (read.tls && !config.tls && !is_loopback(config.address))
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
    if (!read.socket.empty()) read.socket = absolute_path(directory, read.socket);
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
    if (tcp && !read.tls && !is_loopback(read.address)) {
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

}  // namespace referee::config
