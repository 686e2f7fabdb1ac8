// Makes the store of a ladder that was played for long, by the daemon's own writer and contest, and
// tells what it weighs. No game is played: each has one of the given replays, under its own names.
//
//     ladder_store CONFIG OUT MATCHES REPLAY...
//
// The first tournament of CONFIG is the ladder, between bots of the list. The replays are of games
// between "seat0" and "seat1". `ladder_viewers.py` calls it.

#include <boost/asio/io_context.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engines/registry.h"
#include "referee/config/read_config.h"
#include "referee/store/records/record_line.h"
#include "referee/store/store.h"
#include "referee/tournament/contests/contest.h"

namespace {

using namespace referee;

std::string text_of(const char* file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

records::GameRecord game_like(std::string replay, const GameKey& key,
                              const std::vector<std::string>& bots) {
    replace_all(replay, "\"t/1.1\"", "\"" + game_id(key) + "\"");
    replace_all(replay, R"("tournament":"t","match":1,"number":1)",
                R"("tournament":")" + key.tournament + R"(","match":)" + std::to_string(key.match) +
                    R"(,"number":)" + std::to_string(key.number));
    for (std::size_t seat = 0; seat < bots.size(); ++seat)
        replace_all(replay, "\"seat" + std::to_string(seat) + "\"", "\"" + bots[seat] + "\"");
    auto game = records::game_of_replay(std::move(replay), {});
    if (!game) {
        std::fprintf(stderr, "%s\n", game.error().message.c_str());
        std::exit(1);
    }
    game->result.fingerprint = game_id(key);
    return *std::move(game);
}

// A journal that waits for the disk where much is to be written.
class Writer {
 public:
    Writer(const std::string& path, std::uint64_t replay_bytes_max)
        : store_(*store::Store::open(path, {.replay_bytes_max = replay_bytes_max},
                                     loop_.get_executor())) {}
    void append(std::vector<records::Record> records) {
        ++given_;
        store_->append(std::move(records), [this](const auto& done) { told_ += done ? 1 : 0; });
        while (given_ - told_ > waiting_max) loop_.run_one();
    }

 private:
    static constexpr std::size_t waiting_max = 10'000;
    boost::asio::io_context loop_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keeps_running_{
        loop_.get_executor()};
    std::size_t given_ = 0;
    std::size_t told_ = 0;
    std::unique_ptr<store::Store> store_;
};

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t matches = 0;
    if (argc > 3) std::from_chars(argv[3], argv[3] + std::string_view(argv[3]).size(), matches);
    const auto config = config::read_config_file(argc > 4 && matches > 0 ? argv[1] : "");
    if (!config) {
        std::fprintf(stderr, "expected: ladder_store CONFIG OUT MATCHES REPLAY...\n");
        return 2;
    }
    std::vector<std::string> replays;
    for (int i = 4; i < argc; ++i) replays.push_back(text_of(argv[i]));
    std::filesystem::create_directories(argv[2]);
    const auto path = std::string(argv[2]) + "/" + std::string(store::name_in_output_folder);
    std::uint64_t games = 0;
    std::uint64_t bytes = 0;
    {
        Writer writer(path, config->replays_mb * 1024 * 1024);
        const auto& ladder = config->tournaments.front();
        const engines::Registry registry;
        contests::Contest contest(ladder, *registry.find(ladder.game));
        writer.append(
            contest.begin(config::entries_of(ladder, config->bots), ladder.text, "bench"));
        contest.committed(contest.changes());
        while (contest.view().counts().matches_played < matches) {
            std::vector<formats::Entrant> free;
            for (formats::Entrant one = 0; one < contest.entrants(); ++one) {
                if (!contest.matches().in_open_match(one)) free.push_back(one);
            }
            contest.offer(std::move(free), contest.entrants());
            writer.append(contest.draw(contest.entrants()));
            contest.committed(contest.changes());
            while (!contest.waiting().empty()) {
                const auto plan = contest.take(0);
                std::vector<std::string> bots;
                for (const auto entrant : plan.entrants) bots.push_back(contest.name(entrant));
                writer.append({contests::Contest::start_of(plan, bots)});
                const auto& like = replays[(plan.key.match * 7 + plan.key.number) % replays.size()];
                auto game = game_like(like, plan.key, bots);
                contest.finished(game.result);
                contest.committed(contest.changes());
                ++games;
                bytes += game.replay.size();
                writer.append({std::move(game)});
            }
        }
    }
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    std::printf("%llu games: %.0f MB of store, %.0f bytes a game; a replay of them has %.0f\n",
                static_cast<unsigned long long>(games), size / 1e6,
                size / static_cast<double>(games),
                static_cast<double>(bytes) / static_cast<double>(games));
    return 0;
}
