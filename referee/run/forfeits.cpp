#include <map>
#include <set>
#include <utility>
#include <variant>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/contest/formats/match_fold.h"
#include "referee/run/tournament_run.h"
#include "referee/store/reader.h"

namespace referee::run {
namespace {

constexpr std::string_view own_faults = " by its own faults";
constexpr std::string_view in_doubt =
    ", perhaps by no fault of its own: it ended before its login with exit status 126 or 127, as a "
    "script does that can't start another program, which this machine may lack";

// What a bot lost by its own faults.
struct Forfeits {
    std::uint64_t games = 0;      // that count
    std::uint64_t forfeited = 0;  // of these, by a fault of this bot
    std::uint64_t in_doubt = 0;   // of these, where this machine may lack what its program starts
    std::uint64_t silent = 0;     // played to their end without a valid move of it
    std::string last;             // game and fault of the last that it forfeited: "game t/3.1: ..."
};

// The games that count, from a store's records in their order; but for some, which are passed over.
class CountedGames {
 public:
    explicit CountedGames(const std::set<GameKey>& without) : without_(without) {}

    void take(const records::Record& record) {
        if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&record)) {
            annulled_.insert(annulled->key);
        } else if (const auto* restored = std::get_if<records::RestorationRecord>(&record)) {
            annulled_.erase(restored->key);
        } else if (const auto* played = std::get_if<records::GameRecord>(&record)) {
            if (counts(played->result.status) && !without_.contains(played->result.key))
                add(played->result);
        }
    }
    // Those that don't count after all, by order.
    const std::set<GameKey>& annulled() const { return annulled_; }
    const std::map<std::string, Forfeits>& by_bot() const { return by_bot_; }

 private:
    void add(const GameResult& result) {
        std::map<std::string, const Fault*> faults;  // by bot: those that lost it the game
        for (const auto& fault : result.faults) {
            if (fault.consequence == Consequence::forfeit && fault.seat < result.bots.size())
                faults.emplace(result.bots[fault.seat], &fault);
        }
        for (engines::Seat seat = 0; seat < result.bots.size(); ++seat) {
            const auto& bot = result.bots[seat];
            auto& its = by_bot_[bot];
            ++its.games;
            if (!faults.contains(bot) &&
                formats::presence_in(result, seat) == formats::Presence::silent)
                ++its.silent;
        }
        for (const auto& [bot, fault] : faults) {
            auto& its = by_bot_[bot];
            ++its.forfeited;
            its.in_doubt += may_lack_a_program(*fault) ? 1 : 0;
            its.last = "game " + game_id(result.key) + ": " + fault->message;
        }
    }

    const std::set<GameKey>& without_;
    std::set<GameKey> annulled_;
    std::map<std::string, Forfeits> by_bot_;
};

// How often each bot lost a game by its own faults; or why that can't be read. That a game was
// annulled is known only behind it: then all is read once more.
base::Result<std::map<std::string, Forfeits>, std::string> forfeits_in(const std::string& store) {
    std::set<GameKey> annulled;
    while (true) {
        CountedGames counted(annulled);
        const auto read =
            store::read_history(store, [&counted](const auto& record) { counted.take(record); });
        if (!read) return base::failure(read.error().message);
        if (counted.annulled() == annulled) return counted.by_bot();
        annulled = counted.annulled();
    }
}

}  // namespace

bool may_lack_a_program(const Fault& fault) {
    constexpr int not_executable = 126;
    constexpr int not_found = 127;
    const auto status = fault.evidence.exit_status;
    return (status == not_executable || status == not_found) &&
           fault.message.find(fault_words::ended_before_login) != std::string::npos;
}

Ending judged_by_forfeits(const std::string& store,
                          const std::vector<std::string>& fail_on_forfeits) {
    const auto by_bot = forfeits_in(store);
    if (!by_bot) return {exit_trouble, by_bot.error()};
    Ending ending;
    for (const auto& [bot, its] : *by_bot) {
        const bool asked = base::contains(fail_on_forfeits, bot);
        const bool never_moved = its.games > 0 && its.forfeited + its.silent == its.games;
        if (!never_moved && (its.forfeited == 0 || !asked)) continue;
        if (asked) ending.status = exit_no;
        if (!ending.message.empty()) ending.message += '\n';
        const auto of_games = " of its " + base::counted(its.games, "game");
        std::string text = bot;
        if (its.silent > 0 && never_moved)
            text += fmt::format(" gave no valid move in {}{}", its.silent, of_games);
        if (its.forfeited > 0)
            text += fmt::format("{}{}{}{}; the last: {}",
                                text == bot ? " forfeited " : ", and forfeited ", its.forfeited,
                                of_games, its.in_doubt < its.forfeited ? own_faults : in_doubt,
                                its.last);
        ending.message += base::visible_line(text);
    }
    return ending;
}

}  // namespace referee::run
