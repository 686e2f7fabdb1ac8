#pragma once

#include <algorithm>
#include <boost/asio/execution_context.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "referee/game/clock/path_history.h"
#include "referee/game/clock/time.h"
#include "referee/net/loop/transport.h"
#include "referee/net/transport/send_stamps.h"
#include "referee/net/transport/stamp_converter.h"

namespace referee::transport {

// A send that takes longer than this was interrupted: the kernel took the bytes at some moment of
// it, and the usual send takes some microseconds.
inline constexpr Duration bracket_wide_min = std::chrono::microseconds(500);

// How often all connections of a loop together ask the kernel for stamps of what they send. What
// comes back wakes the loop and has to be fetched, by several calls. So a thousand bots that play
// fast ask no more than a few that play slowly, and those ask for each turn. A service of the loop.
class AskingBudget final : public boost::asio::execution_context::service {
 public:
    static constexpr Duration ask_every = std::chrono::milliseconds(1);
    // Games that move on together send so many turns at once.
    static constexpr int asks_at_once_max = 64;

    using key_type = AskingBudget;
    inline static boost::asio::execution_context::id id;
    explicit AskingBudget(boost::asio::execution_context& context) : service(context) {}

    // Whether one more may ask now; then it has asked. Who says something to a peer that has said
    // nothing has a budget apart: a crowd of strangers takes none from bots that play.
    bool take(Instant now, bool of_stranger = false) {
        auto& last = of_stranger ? last_of_strangers_ : last_;
        const auto next = std::max(last, now - asks_at_once_max * ask_every) + ask_every;
        if (next > now) return false;
        last = next;
        return true;
    }

 private:
    void shutdown() noexcept override {}

    // The last asking, had they come evenly.
    Instant last_{};
    Instant last_of_strangers_{};
};

// Writes to a TCP socket, tells of each write when the bytes left, and learns from the peer's
// acknowledgements how long the way is.
//
// A write lies between the moments before and after the call. Where the processor was taken away
// in between, those are far apart; then the kernel's own stamp of sending counts, where it was
// asked for. Asking costs calls of the kernel (each stamp wakes the loop, which then has to fetch
// it). So only some writes ask: those at the beginning, when a peer's kernel acknowledges at once;
// later one in each `ask_again`, as far as the budget for all connections goes; and all of them for
// a while when a write was interrupted.
class StampedWriter {
 public:
    // The budget outlives it.
    StampedWriter(int socket, AskingBudget& budget);

    loop::Transport::Write write(int socket, std::string_view bytes);
    // Something came from the peer, at that moment.
    void heard(int socket, Instant at);
    // Takes the stamps that have come. While some are there, whoever waits for the socket is woken
    // again and again, so this has to be called when a wait turns out to have been for nothing.
    void collect(int socket);

    // What it has learned; asks the kernel again where that is a second ago.
    Path path(int socket, Instant now);
    // Goes on from a history that is older, and adds to it what was learned so far.
    void continues(std::shared_ptr<clock::PathHistory> known);

 private:
    // A write whose stamps were asked for.
    struct Asked {
        std::uint32_t last_byte = 0;
        Stamp handed{};
        std::optional<Instant> left;
        // When other lines left so soon that one acknowledgement may have waited for them too.
        std::vector<Instant> behind{};
        bool followed = false;  // by one that did not leave at once
    };
    // A round trip whose acknowledgement may have waited for something that the bot sent.
    struct Candidate {
        Duration round_trip{};  // of the line that asked
        Duration at_least{};    // of the last line that may have been acknowledged with it
        Instant acknowledged{};
        bool followed = false;
    };
    bool is_due(Instant now);
    void note_followed(Instant now);
    void book(const SendStamps::Seen& seen);
    Duration least_shown(const Asked& asked, Instant acknowledged) const;
    // The kernel's stamp of the write that was just made.
    std::optional<Instant> stamp_of(std::uint32_t last_byte) const;

    AskingBudget& budget_;
    SendStamps stamps_;
    StampConverter converter_;
    std::uint32_t sent_bytes_ = 0;  // wraps around, as the kernel's count does
    unsigned asks_ = 0;
    Instant asked_at_{};
    Instant strained_until_{};
    std::vector<Asked> asked_;
    std::vector<Candidate> candidates_;
    Instant heard_at_{};
    // The last round trip of a line that nothing followed; at first, the beginning.
    std::optional<Instant> alone_at_;
    std::shared_ptr<clock::PathHistory> history_ = std::make_shared<clock::PathHistory>();
    Instant facts_at_{};
};

}  // namespace referee::transport
