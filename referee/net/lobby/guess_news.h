#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "referee/net/loop/timers.h"

namespace referee::lobby {

// How tries at secrets are told: a line when a burst of them begins at a place (a network, or many
// addresses together), and one with the sum when it is over. Few tries are told not at all, and
// very many bursts together.
class GuessNews {
 public:
    using Tell = std::function<void(const std::string& line)>;

    GuessNews(loop::Timers& timers, Tell tell);
    ~GuessNews();
    GuessNews(const GuessNews&) = delete;
    GuessNews& operator=(const GuessNews&) = delete;

    // One more of so many tries at the place that waits are asked for; tells the first of them.
    void wrong(const std::string& place, const std::string& secret, std::int64_t tries);
    // One that alone would not be worth a line; counts where the place has a burst.
    void wrong_where_told(const std::string& place, const std::string& secret);
    // One that was not even judged.
    void turned_away(const std::string& place);

 private:
    struct Burst {
        std::int64_t tries = 0;
        std::int64_t turned_away = 0;
        std::set<std::string> secrets;
        std::string last_secret;
        Instant began{};
        Instant last{};
    };
    void count(Burst& burst, const std::string& secret);
    void look();
    void look_later();

    loop::Timers& timers_;
    Tell tell_;
    std::map<std::string, Burst> bursts_;
    loop::Timers::Id timer_ = 0;
};

}  // namespace referee::lobby
