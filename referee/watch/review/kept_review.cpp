#include "referee/watch/review/kept_review.h"

#include <algorithm>
#include <limits>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay.h"
#include "referee/watch/review/review.h"

namespace referee::review {
namespace {

namespace json = protocol::json;

constexpr std::string_view replay_ending = ".ndjson";
constexpr std::string_view review_ending = ".review.json";
constexpr std::string_view scale_words[] = {"share", "score"};
// Every number of a review: shares are from 0 to 1, and no game has such scores.
constexpr double value_most = 1e15;
constexpr std::int64_t turns_most = std::numeric_limits<std::int32_t>::max();

// What its other parts are measured by.
struct Frame {
    std::size_t seats = 0;
    std::int64_t turns = 0;
    bool scores = false;
};

void check_numbers(json::Reader& reader, std::initializer_list<std::string_view> names) {
    for (const auto name : names) reader.member(name).number(-value_most, value_most);
}

void check_estimate(const json::Placed& value, const Frame& frame) {
    json::Reader estimate(value);
    check_numbers(estimate, {"value", "low", "high"});
    if (frame.scores) check_numbers(estimate, {"mean", "best"});
    estimate.no_others();
}

void check_difference(const json::Placed& value) {
    json::Reader difference(value);
    check_numbers(difference, {"value", "low", "high"});
    difference.boolean("sure");
    difference.no_others();
}

void check_points(const json::Placed& points, const Frame& frame) {
    if (points.array() && points.size() < 2)
        points.expected("two points at least, the first turn and the end");
    std::int64_t before = 0;
    for (const auto each : points.elements()) {
        json::Reader point(each);
        const auto turn = point.integer("turn", {before + 1, frame.turns + 1});
        before = std::max(before, turn);
        point.boolean("over");
        point.boolean("alike");
        point.integer("playouts", {0, static_cast<std::int64_t>(playouts_max)});
        const auto seats = point.array("seats");
        if (seats && seats.size() != frame.seats)
            seats.expected(fmt::format("an estimate for each of the {} seats", frame.seats));
        for (const auto estimate : seats.elements()) check_estimate(estimate, frame);
        point.no_others();
        if (each.mistakes()) return;
    }
}

void check_lost(const json::Placed& lost, const Frame& frame) {
    if (lost.array() && lost.size() > turns_told)
        lost.expected(std::to_string(turns_told) + " turns at most");
    for (const auto each : lost.elements()) {
        json::Reader turn(each);
        turn.integer("turn", {1, frame.turns});
        turn.value("played");
        check_estimate(turn.object("before"), frame);
        check_estimate(turn.object("as_played"), frame);
        check_difference(turn.object("cost"));
        turn.integer("moves_tried", {0, static_cast<std::int64_t>(moves_tried_max)});
        turn.boolean("all_tried");
        if (const auto liked = turn.optional_object("liked")) {
            json::Reader move(liked);
            move.value("move");
            check_estimate(move.object("estimate"), frame);
            check_difference(move.object("gain"));
            move.no_others();
        }
        turn.text("told");
        turn.no_others();
        if (each.mistakes()) return;
    }
}

// Whether it is of that replay: of its game, its turns and its bots.
void check_replay(json::Reader& review, std::string_view replay) {
    const auto of = review.text("replay");
    if (review.mistakes()) return;
    if (const auto mark = replay_mark(replay); of != mark)
        review.wrong("replay",
                     "this review is of another replay, or the replay was changed since; expected "
                     "\"" +
                         mark + "\"");
}

void check_review(json::Reader& review, std::string_view replay) {
    review.integer("review", {1, 1, "1"});
    if (review.mistakes()) return;
    check_replay(review, replay);
    if (review.mistakes()) return;
    review.text("game_id");
    review.text("game");
    Frame frame;
    const auto bots = review.texts("bots");
    frame.seats = bots.size();
    json::Document setup;
    const bool known = setup.parse(replay.substr(0, replay.find('\n'))).has_value();
    if (!known || frame.seats == 0 || !std::ranges::equal(setup.root().find("bots").texts(), bots))
        review.wrong("bots", "expected the bots of the replay, by seat");
    if (review.mistakes()) return;
    review.integer("seat", {0, static_cast<std::int64_t>(frame.seats) - 1});
    frame.turns = review.integer("turns", {1, turns_most});
    if (const auto scale = review.member("scale").word(scale_words)) frame.scores = *scale == 1;
    check_numbers(review, {"level"});
    review.integer("every", {1});
    for (const char* const how_many : {"playouts", "measured"})
        review.integer(how_many, {static_cast<std::int64_t>(playouts_min),
                                  static_cast<std::int64_t>(playouts_max)});
    review.unsigned_integer("seed");
    review.texts("played_by");
    std::vector<std::string> told_by;
    review.texts("past_told_by", told_by);
    review.boolean("alike");
    review.boolean("ended_by_moves");
    std::vector<std::string> differences;
    review.texts("differences", differences);
    if (review.mistakes()) return;
    check_points(review.array("points"), frame);
    check_lost(review.array("lost"), frame);
    review.texts("remarks");
    review.texts("assumed");
    review.no_others();
}

// Where programs lie is nobody's business who reads a page: "python3 bot.py" of "python3
// /home/ann/bot.py".
std::string without_folders(std::string_view told) {
    std::string text;
    while (!told.empty()) {
        const auto word = told.substr(0, told.find(' '));
        told.remove_prefix(std::min(word.size() + 1, told.size()));
        text += (text.empty() ? "" : " ");
        text += word.substr(word.rfind('/') + 1);
    }
    return text;
}

}  // namespace

std::string file_beside(const std::string& replay_file) {
    const auto stem = std::string_view(replay_file);
    const auto end =
        stem.ends_with(replay_ending) ? stem.size() - replay_ending.size() : stem.size();
    return std::string(stem.substr(0, end)).append(review_ending);
}

std::string replay_mark(std::string_view replay) {
    const auto lines = trace::lines_of(replay, "replay");
    if (!lines) return {};
    return base::hex_of(base::digest_of(lines->first, "\n", lines->turns));
}

base::Result<std::string, std::string> read_review(std::string_view text, std::string_view replay) {
    if (text.size() > kept_bytes_max)
        return base::failure(
            fmt::format("expected a review of at most {} bytes, as referee review --json writes "
                        "one; this has {}",
                        kept_bytes_max, text.size()));
    json::Document document;
    if (const auto parsed = document.parse(text); !parsed)
        return base::failure(std::string(
            "this is no JSON; expected a review, as referee review GAME --json writes one"));
    if (!document.root().is_object())
        return base::failure(
            std::string("expected an object, as referee review GAME --json writes one"));
    json::Mistakes mistakes(json::ReadingRules{.remembers_names = true});
    json::Reader review(document.root(), mistakes);
    check_review(review, replay);
    if (mistakes) return base::failure(mistakes.first().text());
    std::string line;
    json::Writer writer(line);
    json::rewrite(writer, document.root(), [&](std::string_view name, json::View value) {
        if (name != "played_by" && name != "assumed") return false;
        writer.texts(value.elements(),
                     [&](const auto& told) { return without_folders(told.text()); });
        return true;
    });
    return line;
}

}  // namespace referee::review
