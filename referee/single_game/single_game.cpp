#include "referee/single_game/single_game.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <istream>
#include <map>
#include <ostream>

#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/config/read_config.h"
#include "referee/connect/relay/lines.h"
#include "referee/files/file.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/launch/supply/unrecorded_referee.h"
#include "referee/single_game/bots.h"

namespace referee::single_game {
namespace {

// A person has to read first.
constexpr Duration person_ready_budget = std::chrono::seconds(30);
constexpr std::string_view person_name = "you";
// Of a terminal, beside a picture: the turn above; below it an empty line, the question, and what
// is said where a move was refused.
constexpr std::size_t question_lines = 3;
constexpr std::size_t refusal_lines = 2;
constexpr std::size_t printed_line_bytes_max = 2000;
constexpr unsigned printed_lines_max = 1000;  // of a bot; who prints more can't be read
// For bots that were told the end: what they print of it is shown.
constexpr Duration last_words_max = std::chrono::seconds(1);
constexpr std::chrono::milliseconds last_words_look{5};
constexpr std::size_t picture_lines_min = 12;  // the explanation scrolls away before less is shown

// One game outside of any tournament: the referee lets its bots in and brings those that are
// launched; the table belongs to this class.
class GameRun final : supply::UnrecordedReferee, table::Watcher {
 public:
    GameRun(const SingleGame& options, const engines::Game& game, std::istream& in,
            std::ostream& screen)
        : UnrecordedReferee(config_of(options),
                            {std::bind_front(&GameRun::on_trouble, this),
                             [this](const std::string& message) { screen_ << message << '\n'; },
                             nullptr, std::bind_front(&GameRun::on_printed, this)}),
          options_(options),
          game_(game),
          screen_(screen),
          in_(in) {}

    GameEnding play() {
        if (auto ending = prepare()) return *ending;
        take_signal(std::bind_front(&GameRun::interrupted, this));
        gather();
        timers_.run(loop_);
        if (table_ != nullptr && table_->play().finished()) tell();
        table_.reset();
        if (options_.person) referee_.lobby().bot(person_name).set_process(nullptr);
        local_bots_.clear();
        end();
        return ending_;
    }

    void on_arrived(const lobby::Bot& /*bot*/) override { gather(); }
    void on_left(const lobby::Bot& bot, session::CloseCause /*cause*/) override {
        if (bots_->launches(bot) || table_ == nullptr || table_->play().finished()) return;
        ending_ = {exit_interrupt, "you left before the end"};
        person_left_ = true;
        table_->stop(GameStatus::interrupted, "you left");
    }
    void on_position(const table::Table& table) override {
        if (!options_.show && !table.play().finished()) return;
        if (shown_turn_ == table.play().turns_played()) return;
        show(table.play(), shown_turn_ < 0);
    }

 private:
    static config::Config config_of(const SingleGame& options) {
        config::Config config;
        config.tournaments.emplace_back().game = options.game;
        std::size_t next = 0;
        const auto seats = options.bots.size() + (options.person ? 1 : 0);
        for (std::size_t seat = 0; seat < seats; ++seat) {
            config::BotConfig bot;
            const bool by_person = options.person == seat;
            const auto command = by_person ? std::string(person_name) : options.bots[next++];
            bot.name = by_person ? command : bot_name(command, config.bots);
            if (by_person || command == random_command) {
                bot.token = tournament::fresh_token();
            } else {
                bot.directory = options.directory;
                bot.start_within = options.start_within;
                bot.standard_output = options.standard_output;
                bot.reads = options.reads;
                set_command(bot, command);
            }
            config.bots.push_back(std::move(bot));
        }
        return config;
    }

    std::optional<GameEnding> prepare();
    void on_trouble(const std::string& bot, const std::string& message);
    void on_printed(const std::string& bot, std::string_view text);
    void show(const play::Play& play, bool below_explanation);
    int status_without(const std::string& bot) const;
    // Whether it is the first bot of the command line, of which the exit status tells.
    bool is_told(const std::string& bot) const;
    bool first_failed() const;
    void gather();
    void begin();
    void hear_last_words();
    void tell();
    void interrupted(int signal);
    void stop(GameEnding ending);

    const SingleGame& options_;
    const engines::Game& game_;
    std::ostream& screen_;
    std::istream& in_;
    struct Printed {
        protocol::Framer lines{printed_line_bytes_max, protocol::Beyond::is_passed_over};
        unsigned shown = 0;
    };
    std::map<std::string, Printed> printed_;  // by bot
    PersonsTime persons_time_;
    std::vector<std::unique_ptr<LocalBot>> local_bots_;
    std::unique_ptr<table::Table> table_;
    std::int64_t shown_turn_ = -1;
    bool person_left_ = false;
    bool over_ = false;
    GameEnding ending_;
};

std::optional<GameEnding> GameRun::prepare() {
    if (!referee_.roster().launch_tokens().empty()) {
        const auto terms = supply::SandboxTerms{.unsandboxed = options_.unsandboxed};
        auto opened = supply::open_launcher(loop_.get_executor(), terms);
        if (!opened) return GameEnding{exit_trouble, opened.error()};
        const auto& offer = (*opened)->sandbox();
        const auto sandbox = supply::describe(terms, offer);
        if (supply::worth_a_warning(terms, offer)) {
            log::warn("{}", sandbox);
        } else if (options_.show) {
            screen_ << sandbox << '\n';
        }
        bots_->launch_by(*std::move(opened));
    }
    referee_.bring_bots_by(*bots_);
    for (const auto& bot : referee_.config().bots) {
        if (bot.launched()) {
            bots_->want(referee_.lobby().bot(bot.name));
            continue;
        }
        const auto state = [this] { return table_ == nullptr ? nullptr : &table_->play().state(); };
        if (bot.name == person_name) {
            const auto draw = [this] { show(table_->play(), true); };
            referee_.lobby().bot(bot.name).set_process(&persons_time_);
            local_bots_.push_back(std::make_unique<Person>(
                loop_.get_executor(), bot.name, bot.token, game_, state, draw, in_, screen_));
        } else {
            local_bots_.push_back(std::make_unique<RandomPlayer>(
                loop_.get_executor(), bot.name, bot.token, game_, state,
                options_.seed + local_bots_.size() + base::SplitMix::mixed(options_.number - 1)));
        }
        referee_.lobby().admit(local_bots_.back()->take_far_end());
    }
    return std::nullopt;
}

// A command that can't be started is nobody's game lost. A program that is started and doesn't come
// loses it, as it would in a tournament.
int GameRun::status_without(const std::string& bot) const {
    if (bots_->has_never_started(bot)) return exit_trouble;
    return is_told(bot) ? exit_no : exit_bad_input;
}

void GameRun::on_trouble(const std::string& bot, const std::string& message) {
    if (over_) return;  // all end now
    const auto told = bot + ": " + terminal_text(message);
    if (table_ == nullptr) return stop({status_without(bot), told});
    screen_ << told << '\n';
}

void GameRun::on_printed(const std::string& bot, std::string_view text) {
    auto& printed = printed_[bot];
    printed.lines.each_line(text, [&](auto line) {
        if (printed.shown == printed_lines_max) return;
        screen_ << bot << " | " << relay::printed_text(line) << '\n';
        if (++printed.shown == printed_lines_max)
            screen_ << bot << " prints much; from here on it is not shown\n";
    });
}

// For a person as much as the terminal holds beside the line above and the question below, and
// sometimes the explanation of the moves.
void GameRun::show(const play::Play& play, bool below_explanation) {
    shown_turn_ = play.turns_played();
    std::string picture;
    if (options_.person) {
        auto room = options_.screen;
        auto others = question_lines + refusal_lines;
        if (below_explanation) {
            const auto explanation = explained(game_, *options_.person);
            others = question_lines + 1 +
                     static_cast<std::size_t>(std::ranges::count(explanation, '\n'));
        }
        room.lines = std::max(room.lines, others + picture_lines_min) - others;
        picture = play.state().render_for(*options_.person, room);
    } else {
        picture = play.state().render();
    }
    screen_ << "turn " << shown_turn_ << '\n' << picture << '\n' << std::flush;
}

// Begins as soon as all bots are there. A bot that does not come ends the run, in on_trouble().
void GameRun::gather() {
    if (table_ != nullptr || loop_.stopped()) return;
    const bool all = std::ranges::all_of(referee_.config().bots, [this](const auto& bot) {
        return referee_.lobby().bot(bot.name).connected();
    });
    if (all) begin();
}

void GameRun::begin() {
    play::PlaySetup setup;
    setup.key = {options_.past ? "fork" : "play", 1, options_.number, 1};
    setup.past = options_.past;
    setup.game = &game_;
    setup.params = options_.params;
    setup.seed = options_.seed;
    std::vector<lobby::Bot*> bots;
    for (const auto& bot : referee_.config().bots) {
        setup.bots.push_back(bot.name);
        bots.push_back(&referee_.lobby().bot(bot.name));
    }
    setup.clock = options_.clock ? *options_.clock : clock::default_clock(game_.info());
    setup.faults = play::default_faults(game_.info());
    if (options_.person) setup.ready_budget = person_ready_budget;
    const table::MatchFacts match{match_id(setup.key.tournament, setup.key.match), 1};
    table_ = std::make_unique<table::Table>(std::move(setup), match, bots, timers_, watch_,
                                            referee_.cores(), [this](table::Table&) {
                                                table_->announce();
                                                stop(ending_);
                                            });
    table_->watch(*this);
    if (options_.person) screen_ << explained(game_, *options_.person) << '\n';
    on_position(*table_);
    table_->start();
}

// Each program ends when it has been told so, or its connection ends.
void GameRun::hear_last_words() {
    const auto runs = [this](const config::BotConfig& bot) {
        const auto* process = referee_.lobby().bot(bot.name).process();
        return bot.launched() && process != nullptr && !process->exited();
    };
    const auto until = loop::monotonic_now() + last_words_max;
    loop_.restart();
    while (std::ranges::any_of(referee_.config().bots, runs) && loop::monotonic_now() < until)
        loop_.run_one_for(last_words_look);
    bots_->read_printed();
}

void GameRun::tell() {
    const auto& result = table_->play().result();
    if (!options_.silent) hear_last_words();
    tell_result(screen_, game_, *table_, person_left_ ? options_.person : std::nullopt);
    if (!options_.replay.empty()) {
        // Where it can't be made, the file can't be written either.
        std::error_code untold;
        std::filesystem::create_directories(std::filesystem::path(options_.replay).parent_path(),
                                            untold);
        const auto written = files::write_named_file(options_.replay, table_->play().replay());
        if (!written) {
            ending_ = {exit_trouble, options_.replay + ' ' + written.error()};
            return;
        }
        screen_ << "replay: " << options_.replay << '\n';
    }
    if (!counts(result.status) && ending_.message.empty()) {
        ending_ = {exit_trouble, terminal_text(result.reason)};
    } else if (ending_.status == exit_done && first_failed()) {
        ending_.status = exit_no;
    }
    ending_.result = result_in(table_->play().replay());
    ending_.game = result;
}

bool GameRun::is_told(const std::string& bot) const {
    const auto& bots = referee_.config().bots;
    const auto seat = options_.told_seat.value_or(options_.person == 0U ? 1 : 0);
    return seat < bots.size() && bots[seat].name == bot;
}

// Whether it lost the game by a fault, or has faults and gave no valid move at all.
bool GameRun::first_failed() const {
    const auto& result = table_->play().result();
    return counts(result.status) && std::ranges::any_of(result.faults, [&](const auto& fault) {
               return is_told(result.bots[fault.seat]) &&
                      (fault.consequence == Consequence::forfeit ||
                       result.valid_moves[fault.seat] == 0);
           });
}

void GameRun::interrupted(int signal) {
    ending_ = {exit_of_signal(signal), "stopped before the end"};
    if (table_ == nullptr || table_->play().finished()) return stop(ending_);
    table_->stop(GameStatus::interrupted, "stopped by a signal");
}

void GameRun::stop(GameEnding ending) {
    ending_ = std::move(ending);
    over_ = true;
    signals_.cancel();
    referee_.lobby().close_all(protocol::ByeReason::finished, "the game is over");
    loop_.stop();
}

}  // namespace

GameEnding play_game(SingleGame options, std::istream& in, std::ostream& screen) {
    config::TournamentConfig tournament;
    tournament.game = options.game;
    tournament.maps_directory = options.maps_directory;
    auto registry = config::registry_for(tournament);
    if (!registry) return {exit_bad_input, registry.error().message};
    const auto* game = (*registry)->find(options.game);
    if (game == nullptr) return {exit_bad_input, config::unknown_game(**registry, options.game)};
    if (auto mistake = mistake_in_commands(options.bots, options.game); !mistake.empty())
        return {exit_bad_input, std::move(mistake)};
    protocol::json::Document params;
    if (!options.params.empty())
        if (const auto parsed = params.parse(options.params); !parsed)
            return {exit_bad_input, "--params: " + parsed.error().message};
    const auto started = game->start(params.root(), options.seed);
    if (!started) {
        auto message = base::visible_line(started.error().member + ": " + started.error().message);
        if (options.params.empty())
            message += "; give it by --params, and see what there is by `referee maps " +
                       options.game + "`";
        return {exit_bad_input, std::move(message)};
    }
    const auto seats = (*started)->seats();
    if (options.bots.empty())
        options.bots.assign(seats - (options.person ? 1 : 0), std::string(random_command));
    if (const auto given = options.bots.size() + (options.person ? 1 : 0);
        given != seats || (options.person && *options.person >= seats)) {
        return {
            exit_bad_input,
            fmt::format(
                "this game has {} seats, and players for {} were named; give a --bot for each "
                "seat, or --human for one of them; \"random\" is a bot that plays any legal move",
                seats, given)};
    }
    std::ostream nowhere(nullptr);
    return GameRun(options, *game, in, options.silent ? nowhere : screen).play();
}

}  // namespace referee::single_game
