#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "referee/net/loop/process_resources.h"
#include "referee/net/loop/timers.h"
#include "referee/server/instructor_news.h"
#include "referee/store/store.h"
#include "referee/tournament/referee.h"

namespace referee::server {

// What the log is told of a referee's events: who comes and goes, what waits, games that don't
// count, bots that are late or doubted, stalls, and room on the disk. What an instructor who asks
// is told of that, too.
class EventLog final : public tournament::RefereeObserver {
 public:
    struct Terms {
        std::string out;               // the folder of the store
        bool stays = false;            // of a daemon; a run shows some news on the screen itself
        std::uint64_t replays_mb = 0;  // the most that the store keeps
    };
    // The timers outlive it.
    EventLog(loop::Timers& timers, Terms terms) : timers_(timers), terms_(std::move(terms)) {}

    // Whose events these are. The referee outlives this, but for its end.
    void follow(tournament::Referee& referee);
    // The first registrations are told, and from now on, in a daemon, room on the disk.
    void start();
    void close() { timers_.cancel(std::exchange(disk_timer_, 0)); }

    // The loop stood still.
    void stood(std::string_view cause, Duration stood);
    // A game begins: whether the referee has its class, and whose turns passed by doubt.
    void keep(loop::KeptPriority& priority);
    void dropped(const store::DroppedReplays& dropped);
    // An arbiter's order was carried out.
    void order(const std::string& tournament, const std::string& what);

    // On which day the disk is full; empty: none is in sight.
    const std::string& disk_forecast() const { return disk_forecast_.text(); }
    // That several bots were late in the same seconds, not long ago; empty: they weren't.
    std::string busy() const;
    // When its connection ended last since the beginning; nothing where none did.
    std::optional<Instant> left_at(std::string_view bot) const {
        const auto found = left_at_.find(bot);
        return found == left_at_.end() ? std::nullopt : std::optional(found->second);
    }
    // Of the games that the bot has played since the beginning.
    clock::Doubts doubts_of(std::string_view bot) const { return doubted_turns_.of(bot); }

    void on_arrived(const lobby::Bot& bot) override;
    void on_left(const lobby::Bot& bot, session::CloseCause cause) override;
    void on_guessing(const std::string& news) override;
    void on_names_changed() override { registration_news_.changed(); }
    void on_not_enrolled(const std::string& ladder, const std::string& reason) override;
    void on_waits(const std::vector<scheduler::Wait>& waits) override;
    void on_game_started(const std::string& tournament, const table::Table& table) override;
    void on_game(const std::shared_ptr<const records::GameRecord>& game,
                 const table::Table* table) override;
    void on_match(const std::string& tournament, const formats::MatchResult& match) override;
    void on_dropped(const std::string& tournament, const std::string& reason) override;
    void on_state(const std::string& tournament, records::TournamentState state,
                  const std::string& reason) override;
    void on_withdrawn(const std::string& tournament, const std::string& bot,
                      const std::string& reason) override;
    void on_admitted(const std::string& tournament, const std::string& bot) override;
    void on_annulled(const std::string& tournament, const Annulled& annulled) override;
    void on_store_trouble(const std::string& trouble) override;

 private:
    // Who waits for approval, and whether new names have room.
    void tell_registrations();
    // Once for each connection of a bot.
    void tell_outlier(const lobby::Bot& bot);
    // A warning for each bot that passed too many turns of the game by doubt, and where several
    // behind one address did.
    void count_doubts(const table::Table& table);
    void look_at_disk();

    loop::Timers& timers_;
    Terms terms_;
    tournament::Referee* referee_ = nullptr;               // null until it is followed
    std::set<std::string, std::less<>> outliers_;          // bots that were told to be one
    std::map<std::string, Instant, std::less<>> left_at_;  // by bot
    std::map<std::string, Instant, std::less<>> arrival_told_at_;
    std::set<std::string, std::less<>> untold_;  // bots that are here, and the log doesn't say so
    DoubtedTurns doubted_turns_;
    LateBots late_bots_;
    VersionNews version_news_;
    PriorityLosses priority_losses_;
    StallNews stall_news_;
    DiskForecast disk_forecast_;
    loop::Timers::Id disk_timer_ = 0;
    store::DroppedReplays dropped_;       // since the start
    std::vector<scheduler::Wait> waits_;  // as they were told last
    scheduler::ToldWaits told_waits_;
    RegistrationNews registration_news_{timers_, [this] { tell_registrations(); }};
};

}  // namespace referee::server
