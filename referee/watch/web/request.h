#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "protocol/base/recent_table.h"
#include "protocol/base/result.h"
#include "referee/game/clock/time.h"

// What a browser asks, what it is answered, and how much may be asked.

namespace referee::web {

class Spectator;

using Fields = std::map<std::string, std::string, std::less<>>;

// A request as a browser sent it, without what only the connection needs.
struct Request {
    std::string method{};  // "GET"
    std::string path{};    // decoded, "/t/friday"
    Fields query{};
    std::string host{};        // as the header has it
    std::string origin{};      // empty: none
    std::string fetch_site{};  // "same-origin"; empty: none
    std::string cookie{};
    std::string content_type{};
    std::string body{};
    std::string address{};  // whom it comes from, without a port
    bool tls = false;
    bool only_head = false;  // it wants no body, and does nothing
};

// The statuses of HTTP that are more than numbers here.
enum HttpStatus : unsigned { http_ok = 200, http_not_modified = 304, http_errors_begin = 400 };

// What it is answered.
struct Answer {
    unsigned status = http_ok;
    std::string type = "application/json";
    std::shared_ptr<const std::string> body{};
    std::vector<std::pair<std::string, std::string>> headers{};
    std::shared_ptr<Spectator> stream{};  // not null: events follow, until it is closed
};
using Reply = std::function<void(Answer)>;

// What a browser says that it has already, and can unpack.
struct BrowserCache {
    std::string if_none_match;
    bool gzip = false;
};
// The answer with a tag of its bytes, for a browser that keeps it and asks each time whether it is
// still good: without a body where the browser has just these bytes, else packed where that is
// shorter. An answer that is not 200, or has a stream, stays as it is.
Answer for_cache(Answer answer, const BrowserCache& cache);

Answer json_answer(std::string text);
Answer text_answer(std::string type, std::string text);
// {"error": {"code": ..., "message": ...}}: what was expected.
Answer error_answer(unsigned status, std::string_view code, std::string_view message);

// A target such as "/t/friday?from=3", decoded; an error says what is wrong with it.
struct Target {
    std::string path;
    Fields query;
};
base::Result<Target, std::string> read_target(std::string_view target);
// The fields of the form that is the request's body: "name=ada&token=...".
base::Result<Fields, std::string> posted_form(const Request& request);
std::string form_field(const Fields& form, std::string_view name);  // empty: it has none
// The cookie of that name; empty where there is none.
std::string cookie_named(std::string_view cookies, std::string_view name);
inline constexpr std::string_view session_cookie = "referee_session";
// What its cookie says of the session that it belongs to; empty: nothing.
std::string session_of(const Request& request);
// A text as a part of a path in a URL; slashes stay.
std::string in_url(std::string_view text);

// ---- How much of that there may be --------------------------------------------------------------

// Requests of one network: a lab that opens a page at the same moment, and then a page's worth a
// second for each of some dozen people.
inline constexpr double requests_at_once_max = 2000;
inline constexpr double requests_per_second_max = 200;
inline constexpr std::size_t browser_networks_max = 4096;
// Answers to one network that it has not taken yet, those that others read too not counted: some
// dozen people who load the largest standings at the same moment.
inline constexpr std::size_t unsent_bytes_max = 64UL * 1024 * 1024;

// How many connections are open, and how many requests come, in all and from one network.
class RequestRate {
 public:
    RequestRate(std::size_t connections_max, std::size_t connections_of_network_max)
        : connections_max_(connections_max),
          connections_of_network_max_(connections_of_network_max) {}

    // Whether one more may be open; then it is counted until closed() is told.
    bool open(const std::string& network);
    void closed(const std::string& network);
    std::size_t connections() const { return connections_; }
    // Whether one more request may come now from there.
    bool request(const std::string& network, Instant now);
    // Whether so many bytes more may wait until it takes them; then they are counted until sent().
    // Requires: open().
    bool send(const std::string& network, std::size_t bytes);
    void sent(const std::string& network, std::size_t bytes);

 private:
    struct OfNetwork {
        std::size_t connections = 0;
        std::size_t unsent_bytes = 0;
    };
    struct Credit {
        double requests = requests_at_once_max;
        std::optional<Instant> at{};
    };
    std::size_t connections_max_;
    std::size_t connections_of_network_max_;
    std::size_t connections_ = 0;
    std::unordered_map<std::string, OfNetwork> of_network_;
    base::RecentTable<Credit> credits_{browser_networks_max};
};

}  // namespace referee::web
