#include "referee/report/live_table.h"

#include <algorithm>
#include <chrono>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/text_table.h"
#include "referee/report/standings_rows.h"

namespace referee::report {

namespace {

using base::visible_line;
using terminal::Line;
using terminal::Paint;

constexpr std::size_t live_bar_width = 16;
// A table of tournaments takes no more than this share of the screen.
constexpr std::size_t share_of_tournaments = 4;
constexpr std::size_t faults_told_max = 3;
// Standings of fewer lines (a title, a heading and a bot) tell nothing.
constexpr std::size_t standings_lines_min = 3;
constexpr std::int64_t ms_a_second = 1000;
constexpr std::int64_t s_a_minute = 60;
constexpr std::int64_t s_an_hour = 60 * s_a_minute;
constexpr int rate_decimals = 1;

std::string bar(std::uint64_t done, std::uint64_t total) {
    const auto full =
        total == 0 ? 0 : static_cast<std::size_t>(std::min(done, total) * live_bar_width / total);
    return "[" + std::string(full, '#') + std::string(live_bar_width - full, '.') + "]";
}

std::string whole_seconds(std::int64_t s) {
    if (s >= s_an_hour)
        return fmt::format("{} h {} min", s / s_an_hour, s % s_an_hour / s_a_minute);
    if (s >= s_a_minute) return fmt::format("{} min {} s", s / s_a_minute, s % s_a_minute);
    return std::to_string(s) + " s";
}

std::string elapsed_text(Duration elapsed) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
    if (ms >= s_a_minute * ms_a_second) return whole_seconds(ms / ms_a_second);
    return files::fixed_text(static_cast<double>(ms) / ms_a_second, 1) + " s";
}

// Rounded up, and to no more digits than an estimate has.
std::string about(Duration left) {
    constexpr std::int64_t coarse_s = 5;
    auto s = std::chrono::ceil<std::chrono::seconds>(left).count();
    if (s > s_an_hour) s = (s + s_a_minute - 1) / s_a_minute * s_a_minute;
    if (s > 2 * coarse_s) s = (s + coarse_s - 1) / coarse_s * coarse_s;
    return "about " + whole_seconds(s) + " left";
}

std::string part_of(std::uint64_t part, const std::optional<std::uint64_t>& whole) {
    return std::to_string(part) + (whole ? " of " + std::to_string(*whole) : std::string());
}

Line plain(std::string text, Paint paint = Paint::plain) {
    return {{std::move(text), paint}};
}

// A table's text as lines; its heading can be told from its rows.
std::vector<Line> lines_of(std::string_view table) {
    std::vector<Line> lines;
    while (!table.empty())
        lines.push_back(plain(std::string(base::next_line(table)),
                              lines.empty() ? Paint::strong : Paint::plain));
    return lines;
}

void append(std::vector<Line>& lines, std::vector<Line> more) {
    lines.insert(lines.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

std::vector<Line> tournament_lines(const LiveState& state, const engines::Screen& screen) {
    const auto most = std::max<std::size_t>(1, screen.lines / share_of_tournaments);
    auto shown = state.tournaments;
    // Those that are played come first.
    std::stable_partition(shown.begin(), shown.end(),
                          [](const auto& one) { return one.running > 0; });
    const auto hidden = shown.size() > most ? shown.size() - most : 0;
    shown.resize(shown.size() - hidden);
    auto lines = lines_of(tournaments_table(shown, screen.columns));
    if (hidden > 0) lines.push_back(plain(fmt::format("and {} more", hidden), Paint::faint));
    return lines;
}

std::vector<Line> standings_lines(const LiveState& state, std::size_t room, std::size_t columns) {
    const auto& standings = *state.standings;
    constexpr std::size_t above = 2;  // the title, the heading
    auto count = std::min(standings.rows.size(), room - above);
    if (count < standings.rows.size()) --count;  // room to say so
    files::TextTable table({"rank", "name", standings.points, "games", "faults"});
    for (std::size_t i = 0; i < count; ++i) {
        const auto& row = standings.rows[i];
        const auto faults = state.faults_of_bots.find(row.name);
        table.add({rank_text(row.rank), row.name, row.points, std::to_string(row.games),
                   faults == state.faults_of_bots.end() ? "-" : std::to_string(faults->second)});
    }
    std::vector<Line> lines;
    lines.push_back(plain("Standings of " + visible_line(standings.tournament), Paint::strong));
    append(lines, lines_of(table.text(columns)));
    if (count < standings.rows.size())
        lines.push_back(
            plain(fmt::format("and {} more", standings.rows.size() - count), Paint::faint));
    return lines;
}

// Who plays what round now, where names may be told or there is only one tournament.
std::string round_text(const LiveState& state) {
    if (state.tournaments.size() != 1 || state.tournaments.front().round == 0) return {};
    const auto& one = state.tournaments.front();
    return fmt::format(", round {}{}", one.round,
                       one.rounds ? " of " + std::to_string(*one.rounds) : std::string());
}

using Seconds = std::chrono::duration<double>;

// Long games come and go in it, and a machine that becomes busy is noticed.
constexpr Duration window = std::chrono::seconds(60);
constexpr Duration sample_every = std::chrono::milliseconds(500);
// Less than this tells nothing.
constexpr Duration measured_min = std::chrono::seconds(2);
constexpr std::uint64_t games_min = 2;
constexpr std::uint64_t matches_min = 4;

}  // namespace

std::string tournaments_table(std::span<const TournamentLine> tournaments, std::size_t width) {
    files::TextTable table(
        {"tournament", "game", "format", "state", "bots", "round", "matches", "games", "running"});
    for (const auto& one : tournaments) {
        table.add({one.id, one.game, one.format, one.state, std::to_string(one.bots),
                   one.round == 0 ? "-" : part_of(one.round, one.rounds),
                   part_of(one.matches, one.matches_total), std::to_string(one.games),
                   std::to_string(one.running)});
    }
    return table.text(width);
}

LiveStandings live_standings(const Ledger& ledger) {
    LiveStandings live{ledger.config.id, "points", {}};
    const auto& ranked_by = ledger.config.tie_breaks;
    if (!ranked_by.empty()) live.points = standings::name_of(ranked_by.front());
    for (const auto& row : rows_of(ledger)) {
        LiveStandings::Row shown{row.rank, ledger.name(row.entrant), "-", 0};
        if (!row.cells.empty() && row.cells.front() != "-0") shown.points = row.cells.front();
        for (const auto& [match, seat] : row.appearances) {
            for (const auto& game : match->counted) {
                if (game.scores[seat]) ++shown.games;  // else a solo game of another bot
            }
        }
        live.rows.push_back(std::move(shown));
    }
    return live;
}

std::string progress_line(const LiveState& state) {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::uint64_t games = 0;
    bool known = true;
    for (const auto& one : state.tournaments) {
        done += one.matches;
        games += one.games;
        known = known && one.matches_total.has_value();
        total += one.matches_total.value_or(0);
    }
    auto line = known ? fmt::format("{} {} of {}", bar(done, total), done,
                                    base::counted(total, "match", "matches"))
                      : base::counted(done, "match", "matches");
    return line + round_text(state) + ", " + base::counted(games, "game");
}

std::string pace_line(const LiveState& state) {
    std::uint64_t running = 0;
    for (const auto& one : state.tournaments) running += one.running;
    auto line = std::to_string(running) + " running, ";
    if (state.elsewhere > 0)
        line += base::counted(state.elsewhere, "match", "matches") + " on other machines, ";
    if (state.games_a_second)
        line += files::fixed_text(*state.games_a_second, rate_decimals) + " games a second, ";
    if (state.left) line += about(*state.left) + ", ";
    return line + elapsed_text(state.elapsed) + " so far";
}

std::vector<Line> live_table(const LiveState& state, const engines::Screen& screen) {
    std::vector<Line> lines{plain(progress_line(state), Paint::strong), plain(pace_line(state))};
    const auto room = screen.lines - std::min<std::size_t>(screen.lines, 1);
    if (!state.waits.empty()) lines.push_back(plain(visible_line(state.waits)));
    if (state.names) {
        std::vector<Line> below;
        for (const auto& fault : state.last_faults) {
            if (below.size() == faults_told_max) break;
            below.push_back({{"fault: ", Paint::bad}, {visible_line(fault)}});
        }
        if (!below.empty()) below.insert(below.begin(), Line{});
        // Of one tournament alone the first line tells all.
        if (state.tournaments.size() > 1) {
            auto table = tournament_lines(state, screen);
            table.insert(table.begin(), Line{});
            if (lines.size() + table.size() <= room) append(lines, std::move(table));
        }
        const auto used = lines.size() + below.size() + 1;
        if (state.standings && used + standings_lines_min <= room) {
            lines.emplace_back();
            append(lines, standings_lines(state, room - used, screen.columns));
        }
        append(lines, std::move(below));
    }
    if (lines.size() > room) lines.resize(room);
    return lines;
}

void Pace::add(Instant now, std::uint64_t games, std::uint64_t matches) {
    // The last sample is always of now.
    if (samples_.size() > 1 && now - samples_[samples_.size() - 2].at < sample_every)
        samples_.pop_back();
    samples_.push_back({now, games, matches});
    while (samples_.size() > 2 && now - samples_[1].at >= window) samples_.pop_front();
    if (ends_.empty()) begun_ = now;
    // Matches that are played again are not over.
    while (ends_.size() > 1 && ends_.back().matches > matches) ends_.pop_back();
    if (ends_.empty() || matches > ends_.back().matches) ends_.push_back(samples_.back());
    const auto half = std::max(window, (now - begun_) / 2);
    while (ends_.size() > 2 && now - ends_[1].at >= half) ends_.pop_front();
}

std::optional<double> Pace::games_a_second() const {
    if (samples_.empty()) return std::nullopt;
    const auto& from = samples_.front();
    const auto& to = samples_.back();
    // Games that are played again may make it less than it was.
    if (to.at - from.at < measured_min || to.games < from.games + games_min) return std::nullopt;
    return static_cast<double>(to.games - from.games) / Seconds(to.at - from.at).count();
}

std::optional<Duration> Pace::left(std::uint64_t matches_left) const {
    if (ends_.empty()) return std::nullopt;
    const auto& from = ends_.front();
    const auto& to = ends_.back();
    if (to.at - from.at < measured_min || to.matches < from.matches + matches_min)
        return std::nullopt;
    const auto per_match =
        Seconds(to.at - from.at) / static_cast<double>(to.matches - from.matches);
    const auto since = Seconds(samples_.back().at - to.at);
    const auto left = per_match * static_cast<double>(matches_left) - since;
    return std::chrono::duration_cast<Duration>(std::max(left, per_match));
}

}  // namespace referee::report
