#include "referee/run/run_screen.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <utility>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "protocol/codes.h"
#include "referee/contest/formats/format.h"
#include "referee/files/log/log.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"
#include "referee/report/ledger.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::run {

namespace {

constexpr Duration table_every = std::chrono::milliseconds(250);
// Lines come the more seldom the longer the run has been going on: a file of a day's run is read
// too.
constexpr Duration progress_line_every_min = std::chrono::seconds(2);
constexpr Duration progress_line_every_max = std::chrono::minutes(5);
constexpr int progress_lines_of_run = 20;
// Standings take only a small share of the time, because bots need the processor too.
constexpr Duration ranked_every_min = std::chrono::seconds(1);
constexpr int rest_per_work = 50;

report::TournamentLine line_of(const contests::ContestStatus& contest, std::size_t running) {
    const auto& config = *contest.config;
    return {config.id,
            config.game,
            std::string(formats::name_of(config.format.kind())),
            std::string(records::name_of(contest.state)),
            contest.entries->size(),
            contest.round,
            contest.round == 0 ? std::nullopt : contest.rounds_planned,
            contest.matches_played,
            contest.matches_total,
            contest.games_played,
            running};
}

// How many matches are yet to be played, as far as that can be known: a Swiss draws its rounds one
// by one, but how many there are is known, and how many matches each has at most.
std::optional<std::uint64_t> matches_left(const contests::ContestStatus& contest) {
    auto total = contest.matches_total;
    const auto entrants = contest.entries->size();
    if (!total && contest.config->format.kind() == formats::FormatKind::swiss) {
        if (const auto rounds = contest.rounds_planned)
            total = *rounds * (entrants / formats::seats_of(contest.config->format));
    }
    if (!total) return std::nullopt;
    return std::max(*total, contest.matches_played) - contest.matches_played;
}

// While the terminal takes nothing, no more is kept for it than a person would read.
constexpr std::size_t said_lines_max = 1000;
constexpr std::size_t last_faults_max = 3;
// A line that would reach beyond the right edge ends there, for the time of a drawing.
constexpr std::string_view no_wrap = "\x1b[?7l";
constexpr std::string_view wrap = "\x1b[?7h";
constexpr std::string_view clear_below = "\x1b[J";
constexpr std::string_view clear_right = "\x1b[K";

std::string as_said(const std::string& line) {
    return base::visible_lines(line, base::further_line);
}

}  // namespace

// What stands on the screen: only the thread that draws touches it, as long as there is one.
class Canvas {
 public:
    explicit Canvas(std::ostream& out) : out_(out) {}

    void say(std::vector<std::string> lines) {
        said_.insert(said_.end(), lines.begin(), lines.end());
    }

    void rank(const contests::ContestSnapshot& contest) {
        standings_ = std::make_shared<report::LiveStandings>(
            report::live_standings(report::ledger_of(contest)));
    }

    void draw(report::LiveState state) {
        state.standings = standings_;
        const auto size = terminal::screen_size();
        auto text = beginning(size);
        widths_.clear();
        for (const auto& line : report::live_table(state, size)) {
            const auto plain = terminal::drawn(line, size.columns, false);
            widths_.push_back(base::columns_of(plain));
            text.append(clear_right)
                .append(colour_ ? terminal::drawn(line, size.columns, true) : plain)
                .append("\r\n");
        }
        out_ << text << clear_below << wrap << std::flush;
    }

    void clear() {
        out_ << beginning(terminal::screen_size()) << clear_below << wrap << std::flush;
    }

 private:
    // Goes to where the table begins, and says what is to be said there.
    std::string beginning(const engines::Screen& size) {
        std::string text(no_wrap);
        text += '\r';
        // A terminal that became narrower has wrapped the lines.
        std::size_t up = 0;
        for (const auto width : widths_)
            up += std::max<std::size_t>(1, (width + size.columns - 1) / size.columns);
        if (up > 0) text += fmt::format("\x1b[{}A", up);
        widths_.clear();
        if (said_.empty()) return text;
        text.append(clear_below).append(wrap);
        for (const auto& line : said_) text += as_said(line) + "\r\n";
        said_.clear();
        return text.append(no_wrap);
    }

    std::ostream& out_;
    const bool colour_ = terminal::has_colour(terminal::environment());
    std::vector<std::size_t> widths_;  // of the lines that stand on the screen
    std::vector<std::string> said_;
    std::shared_ptr<const report::LiveStandings> standings_;
};

// Draws a run's table again and again in the same place of a terminal, below the lines that are
// said. A thread of its own writes: a terminal that is stopped or slow never holds up the loop. No
// setting of the terminal is changed, so nothing must be put back, whatever ends the program.
class LivePainter {
 public:
    // The loop and the stream outlive it.
    LivePainter(const boost::asio::any_io_executor& loop, std::ostream& out)
        : out_(out),
          canvas_(std::make_shared<Canvas>(out)),
          thread_(std::make_unique<loop::BackgroundThread>(loop)) {}
    ~LivePainter() { finish(); }
    LivePainter(const LivePainter&) = delete;
    LivePainter& operator=(const LivePainter&) = delete;

    // A line of its own above the table, or several; written with the next drawing.
    void say(std::string line) {
        if (!thread_) {
            out_ << as_said(line) << std::endl;
        } else if (said_.size() < said_lines_max) {
            said_.push_back(std::move(line));
        } else {
            ++unsaid_;
        }
    }
    // Whether what was given last is drawn.
    bool is_idle() const { return !drawing_; }
    // Requires: it is idle. The snapshot, where there is one, makes new standings; how long that
    // took is told by work().
    void draw(report::LiveState state, std::optional<contests::ContestSnapshot> snapshot) {
        if (!thread_ || drawing_) return;
        drawing_ = true;
        piece_ = std::make_shared<Piece>(Piece{take_said(), std::move(state), std::move(snapshot)});
        thread_->run(
            [piece = piece_, canvas = canvas_] {
                canvas->say(std::exchange(piece->said, {}));
                if (piece->snapshot) {
                    const auto begun = std::chrono::steady_clock::now();
                    // It may take a while to destroy, so that is done here.
                    canvas->rank(*std::exchange(piece->snapshot, std::nullopt));
                    piece->took = std::chrono::steady_clock::now() - begun;
                }
                canvas->draw(std::move(piece->state));
            },
            life_.while_it_lasts([this] {
                drawing_ = false;
                work_ = piece_->took;
            }));
    }
    Duration work() const { return work_; }
    // Takes the table away and writes what was said; waits for that. Nothing is drawn any more, and
    // what is said then is written at once.
    void finish() {
        if (!thread_) return;
        thread_.reset();
        // A drawing that had not begun is dropped, but not what it should have said.
        if (piece_) canvas_->say(std::exchange(piece_->said, {}));
        canvas_->say(take_said());
        canvas_->clear();
    }

 private:
    // One drawing. The thread empties what is said when it begins with it.
    struct Piece {
        std::vector<std::string> said;
        report::LiveState state;
        std::optional<contests::ContestSnapshot> snapshot;
        Duration took{};
    };

    std::vector<std::string> take_said() {
        if (unsaid_ > 0) said_.push_back(fmt::format("({} more lines had no room)", unsaid_));
        unsaid_ = 0;
        return std::exchange(said_, {});
    }

    std::ostream& out_;
    std::vector<std::string> said_;  // for the next drawing
    std::size_t unsaid_ = 0;         // lines for which there was no room
    std::shared_ptr<Canvas> canvas_;
    std::shared_ptr<Piece> piece_;  // the last one
    bool drawing_ = false;
    Duration work_{};
    std::unique_ptr<loop::BackgroundThread> thread_;  // null: it is finished
    loop::Life life_;
};

RunScreen::RunScreen(const boost::asio::any_io_executor& loop, std::ostream& out, Options options)
    : out_(out), options_(options) {
    if (!options_.table) return;
    painter_ = std::make_unique<LivePainter>(loop, out);
    // The log would write across the table.
    if (::isatty(STDERR_FILENO) == 1)
        log_as_before_ = log::show_by([this](const std::string& line) { painter_->say(line); });
}

RunScreen::~RunScreen() {
    finish();
}

void RunScreen::say(const std::string& line) {
    if (painter_) return painter_->say(line);
    out_ << as_said(line) << std::endl;
}

void RunScreen::waits(const std::vector<scheduler::Wait>& waiting, Instant now) {
    for (const auto& wait : scheduler::without(waiting, waiting_)) {
        if (wait.routine) continue;
        if (const auto text = told_waits_.begins(wait, now); !text.empty()) say(text);
    }
    waiting_ = waiting;
}

void RunScreen::game_ended(const GameResult& result) {
    if (!painter_ || !options_.names || !counts(result.status)) return;
    for (const auto& fault : result.faults) {
        const auto& bot = result.bots[fault.seat];
        ++faults_[result.key.tournament][bot];
        last_faults_.insert(
            last_faults_.begin(),
            fmt::format("{}, {} in {}, turn {}: {}", bot, protocol::name_of(fault.code),
                        game_id(result.key), fault.turn, fault.message));
        last_faults_.resize(std::min(last_faults_.size(), last_faults_max));
    }
}

report::LiveState RunScreen::state_of(const scheduler::Scheduler& scheduler, Instant now) const {
    report::LiveState state;
    state.names = options_.names;
    std::optional<std::uint64_t> left = 0;
    for (const auto& contest : scheduler.statuses()) {
        state.tournaments.push_back(line_of(contest, scheduler.games_running(contest.config->id)));
        const auto more = matches_left(contest);
        left = left && more ? std::optional(*left + *more) : std::nullopt;
    }
    state.elsewhere = scheduler.matches_elsewhere();
    state.elapsed = now - begun_;
    state.games_a_second = pace_.games_a_second();
    if (left && *left > 0) state.left = pace_.left(*left);
    const auto wait = std::ranges::find_if(waiting_, [](const auto& one) { return !one.routine; });
    if (wait != waiting_.end()) state.waits = scheduler::describe(*wait, now);
    return state;
}

// Its time, and its pace, count from the first game on.
void RunScreen::begin(const scheduler::Scheduler& scheduler, Instant now) {
    if (begun_ == Instant{}) begun_ = now;
    std::uint64_t games = 0;
    std::uint64_t matches = 0;
    for (const auto& contest : scheduler.statuses()) {
        games += contest.games_played;
        matches += contest.matches_played;
    }
    pace_.add(now, games, matches);
}

Duration RunScreen::line_every(Instant now) const {
    const auto goes_on = begun_ == Instant{} ? Duration::zero() : now - begun_;
    return std::clamp(goes_on / progress_lines_of_run, progress_line_every_min,
                      progress_line_every_max);
}

void RunScreen::tick(const scheduler::Scheduler& scheduler, Instant now) {
    if (now - shown_ < (painter_ ? table_every : line_every(now))) return;
    const bool plays = scheduler.games_running() > 0 || scheduler.matches_elsewhere() > 0;
    if (plays) begin(scheduler, now);
    if (painter_) return draw(scheduler, now);
    if (!plays) return;
    shown_ = now;
    const auto state = state_of(scheduler, now);
    say(report::progress_line(state) + ", " + report::pace_line(state));
}

void RunScreen::draw(const scheduler::Scheduler& scheduler, Instant now) {
    if (!painter_->is_idle()) return;
    ranked_every_ = std::max(ranked_every_, rest_per_work * painter_->work());
    shown_ = now;
    auto state = state_of(scheduler, now);
    if (begun_ == Instant{}) state.elapsed = {};
    std::optional<contests::ContestSnapshot> snapshot;
    if (options_.names && now - ranked_ >= std::max(ranked_every_, ranked_every_min)) {
        ranked_ = now;
        ranked_every_ = {};
        // Those of the first that is played stay on the screen until it is over.
        const auto& all = state.tournaments;
        const auto is_over = [](const auto& one) {
            return one.matches_total && one.matches >= *one.matches_total;
        };
        auto shown = std::find_if_not(all.begin(), all.end(), is_over);
        if (shown == all.end() && !all.empty()) shown = std::prev(all.end());
        if (shown != all.end()) {
            ranked_tournament_ = shown->id;
            snapshot = scheduler.contest(shown->id).snapshot();
        }
    }
    state.faults_of_bots = faults_[ranked_tournament_];
    state.last_faults = last_faults_;
    painter_->draw(std::move(state), std::move(snapshot));
}

void RunScreen::finish() {
    if (!painter_) return;
    painter_->finish();
    if (log_as_before_) log_as_before_();
    painter_.reset();
}

void RunScreen::tell_end(const scheduler::Scheduler& scheduler, Instant now) {
    begin(scheduler, now);
    auto state = state_of(scheduler, now);
    state.left.reset();
    say(report::progress_line(state) + ", " + report::pace_line(state));
}

bool can_show_a_table() {
    return ::isatty(STDOUT_FILENO) == 1 && terminal::has_cursor(terminal::environment());
}

}  // namespace referee::run
