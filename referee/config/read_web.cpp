// Where pages are served to browsers.

#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"

namespace referee::config {
namespace {

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

}  // namespace

void read_names(json::Reader& root, Config& config) {
    config.pseudonyms = hides_names(root);
}

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
        web.wrong("port", "bots dial in at " + std::to_string(read.port) +
                              "; expected a port of its own, such as " +
                              std::to_string(WebConfig{}.port + (read.port == WebConfig{}.port)));
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

}  // namespace referee::config
