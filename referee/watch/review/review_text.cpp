#include <algorithm>
#include <cmath>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/watch/review/review.h"

namespace referee::review {

namespace {

constexpr std::size_t bar_columns = 30;
// For a loss of so much it is told how many playouts show it.
constexpr double loss_to_see = 0.1;

std::string number_text(double value, Scale scale) {
    const bool whole = scale == Scale::score && std::floor(value) == value;
    return fmt::format("{:.{}f}", value == 0 ? 0.0 : value,  // no -0
                       scale == Scale::share ? 2 : (whole ? 0 : 1));
}

// An Estimate or a Difference: "0.50 (0.25 to 0.75)".
template <typename Measured>
std::string with_range(const Measured& measured, Scale scale) {
    return fmt::format("{} ({} to {})", number_text(measured.value, scale),
                       number_text(measured.interval.low, scale),
                       number_text(measured.interval.high, scale));
}

std::string sure_text(const Difference& difference) {
    return difference.is_sure() ? "" : ", which can't be told from chance";
}

std::string name_text(const ReviewFacts& about) {
    return base::visible_line(about.bots[about.seat]);
}

// The interval as a stroke, the estimate as a sign on it: |   ---o----   |
std::string bar_text(const Estimate& estimate) {
    std::string bar(bar_columns + 1, ' ');
    const auto column = [](double share) {
        return static_cast<std::size_t>(std::lround(share * bar_columns));
    };
    for (auto at = column(estimate.interval.low); at <= column(estimate.interval.high); ++at)
        bar[at] = '-';
    bar[column(estimate.value)] = 'o';
    return '|' + bar + '|';
}

std::string row_text(const Point& point, const Review& review, const ReviewFacts& about) {
    const auto estimate = estimate_of(point.sample, about.seat, review.scale);
    const bool is_end = point.turn > review.turns;
    const auto row = fmt::format("{:>6}  {:<24}", is_end ? "end" : std::to_string(point.turn),
                                 point.sample.over ? number_text(estimate.value, review.scale)
                                                   : with_range(estimate, review.scale));
    if (review.scale == Scale::share) return row + bar_text(estimate);
    return row + (point.sample.over ? "" : "best " + number_text(estimate.best, review.scale));
}

std::string curve_text(const Review& review, const ReviewFacts& about) {
    std::string text;
    for (const auto& point : review.points) {
        const bool drawn = (point.turn - 1) % review.every == 0 || point.turn > review.turns;
        if (drawn) text += row_text(point, review, about) + '\n';
    }
    return text;
}

std::string by_seat(const std::vector<std::string>& texts) {
    return base::joined(texts, ", ", [seat = 0](const std::string& text) mutable {
        return fmt::format("{} (seat {})", text, seat++);
    });
}

std::string words_of(const std::string& move, const ReviewFacts& about) {
    protocol::json::Document document;
    std::string words;
    if (about.rules != nullptr && document.parse(move))
        words = about.rules->move_in_words(document.root());
    return base::visible_line(words.empty() ? move : '"' + words + '"');
}

std::string tried_text(const CostlyTurn& lost) {
    if (!lost.had_time) return " There was no time to try other moves.";
    if (lost.moves_tried == 0) return " The game lists no other moves to try.";
    return fmt::format(" (Other moves tried: {}{}", lost.moves_tried,
                       lost.all_tried ? ", which are all.)" : " of more.)");
}

std::string differences_text(const std::vector<std::string>& differences) {
    std::string text =
        "\nThe record differs from what the rules say now: it was written by other rules, or "
        "changed since. All numbers are of its moves as the rules play them now.\n";
    for (const auto& difference : differences) text += "- " + base::visible_line(difference) + '\n';
    return text;
}

constexpr int review_version = 1;

using protocol::json::Writer;

// The beginning of an object that an Estimate or a Difference becomes.
template <typename Measured>
void begin_measured(Writer& writer, const Measured& measured) {
    writer.begin_object().member("value", measured.value);
    writer.member("low", measured.interval.low).member("high", measured.interval.high);
}

void write_estimate(Writer& writer, const Estimate& estimate, Scale scale) {
    begin_measured(writer, estimate);
    if (scale == Scale::score) writer.member("mean", estimate.mean).member("best", estimate.best);
    writer.end_object();
}

void write_difference(Writer& writer, const Difference& difference) {
    begin_measured(writer, difference);
    writer.member("sure", difference.is_sure()).end_object();
}

void write_point(Writer& writer, const Point& point, Scale scale, std::size_t seats) {
    writer.begin_object()
        .member("turn", point.turn)
        .member("over", point.sample.over)
        .member("playouts",
                point.sample.over ? std::uint64_t{0} : std::uint64_t{point.sample.worths.size()})
        .member("alike", point.sample.alike);
    writer.key("seats").begin_array();
    for (engines::Seat seat = 0; seat < seats; ++seat)
        write_estimate(writer, estimate_of(point.sample, seat, scale), scale);
    writer.end_array().end_object();
}

void write_lost(Writer& writer, const CostlyTurn& lost, const Review& review,
                const ReviewFacts& about) {
    writer.begin_object().member("turn", lost.turn).key("played");
    lost.played.empty() ? writer.null() : writer.raw(lost.played);
    write_estimate(writer.key("before"), lost.before, review.scale);
    write_estimate(writer.key("as_played"), lost.as_played, review.scale);
    write_difference(writer.key("cost"), lost.cost);
    writer.member("moves_tried", lost.moves_tried).member("all_tried", lost.all_tried);
    if (lost.liked) {
        writer.key("liked").begin_object().key("move").raw(lost.liked->move);
        write_estimate(writer.key("estimate"), lost.liked->estimate, review.scale);
        write_difference(writer.key("gain"), lost.liked->gain);
        writer.end_object();
    }
    writer.member("told", told(lost, review, about)).end_object();
}

}  // namespace

std::vector<std::string> assumptions(const Review& review, const ReviewFacts& about) {
    std::vector<std::string> said;
    said.push_back("The playouts were played by " + by_seat(about.played_by) +
                   ". What is told holds for these, who may be stronger or weaker than those who "
                   "played the game.");
    said.push_back(
        "The start and the game's own luck stay as they were in the game; only the players' luck "
        "differs from playout to playout.");
    for (const auto& sentence : about.assumed) said.push_back(sentence);
    said.push_back(
        fmt::format("{} playouts were played of each position, {} of each turn that was measured "
                    "(seed {}). An interval covers what endlessly many would come to in at least "
                    "95 of 100 cases: of a position by itself, of what turns cost all together{}",
                    review.playouts, review.measured, about.seed,
                    review.scale == Scale::share
                        ? "."
                        : "; of scores, the one in the middle. The best playout only shows what "
                          "can be reached at least: more may be possible."));
    said.emplace_back(
        "Turns were found by some playouts and measured by others. Turns between the positions "
        "that were looked at may have cost as much where others made up for it.");
    if (review.alike)
        said.emplace_back(
            "In each position all playouts were alike, move for move: chance has no part in how "
            "these bots play, so each number is one piece of evidence.");
    return said;
}

std::string told(const CostlyTurn& lost, const Review& review, const ReviewFacts& about) {
    const auto scale = review.scale;
    auto text = fmt::format(
        "Turn {}: {}{}", lost.turn, name_text(about),
        lost.played.empty() ? " gave no move" : " played " + words_of(lost.played, about));
    if (lost.liked) {
        text += "; the playouts liked " + words_of(lost.liked->move, about) +
                " better: " + with_range(lost.liked->estimate, scale) + " for " +
                with_range(lost.as_played, scale) + ", " + with_range(lost.liked->gain, scale) +
                " more" + sure_text(lost.liked->gain) + '.';
    } else {
        text +=
            lost.had_time ? "; the playouts liked none of the moves better that were tried." : ".";
    }
    if (lost.cost.value < cost_told_min && !lost.cost.is_sure())
        return text + " Those who play the playouts did no better there than this move." +
               tried_text(lost);
    return text + " The turn cost " + with_range(lost.cost, scale) + sure_text(lost.cost) + '.' +
           tried_text(lost);
}

std::string verdict(const Review& review, const ReviewFacts& about) {
    const auto scale = review.scale;
    const auto name = name_text(about);
    const auto cases = [scale](const Difference& difference) {
        auto text = with_range(difference, scale);
        return text.insert(text.size() - 1, " in 95 of 100 cases");
    };
    if (review.lost.empty() || !review.lost.front().is_sure()) {
        const auto needed = playouts_to_see(loss_to_see);
        const bool more_tell = scale == Scale::share && !review.alike && review.measured < needed;
        const auto harder = more_tell
                                ? fmt::format(
                                      " To look harder: --playouts {} finds a turn that cost {} of "
                                      "a point in an even position, and takes the time it needs.",
                                      needed, number_text(loss_to_see, scale))
                                : "";
        const auto playouts =
            fmt::format(", with {} playouts of each turn.{}", review.measured, harder);
        auto none = scale == Scale::share ? "No single turn lost it for " + name
                                          : "No single turn cost " + name + " much";
        if (review.time_over)
            none = "The time was over before it could be told which turn " +
                   (scale == Scale::share ? "lost it for " + name : "cost " + name + " most");
        if (review.lost.empty() && review.time_over) return none + '.' + harder;
        if (review.lost.empty()) return none + ": none can be told from chance" + playouts;
        const auto& most = review.lost.front();
        return fmt::format("{}: what cost most is turn {}, {}, which can't be told from chance{}",
                           none, most.turn, cases(most.cost), playouts);
    }
    const auto& most = review.lost.front();
    auto text = fmt::format(
        "Turn {} cost {} most: {}", most.turn, name,
        most.played.empty() ? "it gave no move" : "it played " + words_of(most.played, about));
    if (most.cost.value > 0 && most.cost.is_sure())
        text += (scale == Scale::share ? ", and its share of the points fell by "
                                       : ", and the score to be reached fell by ") +
                cases(most.cost) + ".";
    else
        text += ", and the turn seems to have cost " + cases(most.cost) + ".";
    if (most.liked && most.liked->gain.is_sure())
        text += " The playouts liked " + words_of(most.liked->move, about) + " better, by " +
                cases(most.liked->gain) + ".";
    return text;
}

std::vector<std::string> remarks(const Review& review, const ReviewFacts& about) {
    std::vector<std::string> said;
    if (!about.ending.empty()) said.push_back(about.ending);
    said.push_back(verdict(review, about));
    if (!review.lost.empty())
        said.emplace_back(
            "The curve's playouts found these turns, others measured what they cost, and again "
            "others compared the liked move: so numbers for one position differ, by chance, within "
            "their intervals.");
    return said;
}

std::string ending_of(const Review& review, const showing::ReplayFrames& replay_frames,
                      engines::Seat seat) {
    if (!review.ended_by_moves) {
        const auto reason = replay_frames.result().find("reason").text();
        return reason.empty()
                   ? "No move ended the game: it was broken off, or a bot was taken out of it."
                   : fmt::format("No move ended the game. After turn {}: {}.", review.turns,
                                 base::visible_line(reason));
    }
    for (const auto& fault : replay_frames.faults())
        if (fault.find("seat").unsigned_integer() == seat &&
            fault.find("consequence").string() == "forfeit")
            return fmt::format("{} forfeited in turn {}: {}.",
                               base::visible_line(replay_frames.bots()[seat]),
                               fault.find("turn").integer().value_or(0),
                               base::visible_line(fault.find("code").text()));
    return {};
}

std::string text_of(const Review& review, const ReviewFacts& about, bool verbose) {
    std::string text = "review of " + base::visible_line(about.game_id) + " (" + about.game +
                       "): " + base::visible_line(by_seat(about.bots)) + "\n\n";
    if (!about.ending.empty()) text += about.ending + "\n\n";
    text += verdict(review, about) + "\n\n";
    text +=
        review.scale == Scale::share
            ? "how it stood for " + name_text(about) +
                  ": the share of points that playouts came to (1 a win, 0.5 a draw, 0 a loss)\n"
            : "the score that playouts of " + name_text(about) +
                  " still came to: the one in the middle, and the best\n";
    text += "\nbefore turn\n" + curve_text(review, about);
    if (!review.ended_by_moves) text += "The last line says how it stood before its end.\n";
    if (!about.differences.empty()) text += differences_text(about.differences);
    if (!verbose) return text;
    text += '\n';
    for (const auto& lost : review.lost) text += told(lost, review, about) + "\n\n";
    const auto further = remarks(review, about);
    for (std::size_t i = about.ending.empty() ? 1 : 2; i < further.size(); ++i)
        text += further[i] + "\n\n";
    text += "What was assumed, and how sure it is:\n";
    for (const auto& sentence : assumptions(review, about)) text += "- " + sentence + '\n';
    return text;
}

std::string json_of(const Review& review, const ReviewFacts& about) {
    std::string text;
    Writer writer(text);
    writer.begin_object()
        .member("review", review_version)
        .member("replay", about.replay)
        .member("game_id", about.game_id)
        .member("game", about.game);
    writer.key("bots").texts(about.bots);
    writer.member("seat", about.seat)
        .member("scale", review.scale == Scale::share ? "share" : "score")
        .member("level", level)
        .member("turns", review.turns)
        .member("every", review.every)
        .member("playouts", review.playouts)
        .member("measured", review.measured)
        .member("seed", about.seed);
    writer.key("played_by").texts(about.played_by);
    if (!about.past_told_by.empty()) writer.key("past_told_by").texts(about.past_told_by);
    writer.member("alike", review.alike).member("ended_by_moves", review.ended_by_moves);
    if (!about.differences.empty()) writer.key("differences").texts(about.differences);
    writer.key("points").begin_array();
    for (const auto& point : review.points)
        write_point(writer, point, review.scale, about.bots.size());
    writer.end_array().key("lost").begin_array();
    for (const auto& lost : review.lost) write_lost(writer, lost, review, about);
    writer.end_array().key("remarks").texts(remarks(review, about));
    writer.key("assumed").texts(assumptions(review, about));
    writer.end_object();
    return text;
}

}  // namespace referee::review
