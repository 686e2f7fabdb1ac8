#include "protocol/json/writer.h"
#include "referee/watch/review/review_text.h"

namespace referee::review {
namespace {

constexpr int review_version = 1;

using protocol::json::Writer;

void write_interval(Writer& writer, const WorthInterval& interval) {
    writer.member("low", interval.low).member("high", interval.high);
}

void write_estimate(Writer& writer, const Estimate& estimate, Scale scale) {
    writer.begin_object().member("value", estimate.value);
    write_interval(writer, estimate.interval);
    if (scale == Scale::score) writer.member("mean", estimate.mean).member("best", estimate.best);
    writer.end_object();
}

void write_difference(Writer& writer, const Difference& difference) {
    writer.begin_object().member("value", difference.value);
    write_interval(writer, difference.interval);
    writer.member("sure", difference.is_sure()).end_object();
}

void write_strings(Writer& writer, const std::vector<std::string>& texts) {
    writer.begin_array();
    for (const auto& text : texts) writer.string(text);
    writer.end_array();
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

void write_lost(Writer& writer, const CostlyTurn& lost, const Review& review, const About& about) {
    writer.begin_object().member("turn", lost.turn).key("played");
    if (lost.played.empty()) {
        writer.null();
    } else {
        writer.raw(lost.played);
    }
    writer.key("before");
    write_estimate(writer, lost.before, review.scale);
    writer.key("as_played");
    write_estimate(writer, lost.as_played, review.scale);
    writer.key("cost");
    write_difference(writer, lost.cost);
    writer.member("moves_tried", std::uint64_t{lost.moves_tried})
        .member("all_tried", lost.all_tried);
    if (lost.liked) {
        writer.key("liked").begin_object().key("move").raw(lost.liked->move).key("estimate");
        write_estimate(writer, lost.liked->estimate, review.scale);
        writer.key("gain");
        write_difference(writer, lost.liked->gain);
        writer.end_object();
    }
    writer.member("told", told(lost, review, about)).end_object();
}

}  // namespace

std::string json_of(const Review& review, const About& about) {
    std::string text;
    Writer writer(text);
    writer.begin_object()
        .member("review", review_version)
        .member("replay", about.replay)
        .member("game_id", about.game_id)
        .member("game", about.game);
    writer.key("bots");
    write_strings(writer, about.bots);
    writer.member("seat", std::uint64_t{about.seat})
        .member("scale", review.scale == Scale::share ? "share" : "score")
        .member("level", level)
        .member("turns", review.turns)
        .member("every", review.every)
        .member("playouts", std::uint64_t{review.playouts})
        .member("measured", std::uint64_t{review.measured})
        .member("seed", about.seed);
    writer.key("played_by");
    write_strings(writer, about.played_by);
    if (!about.past_told_by.empty()) {
        writer.key("past_told_by");
        write_strings(writer, about.past_told_by);
    }
    writer.member("alike", review.alike).member("ended_by_moves", review.ended_by_moves);
    if (!about.differences.empty()) {
        writer.key("differences");
        write_strings(writer, about.differences);
    }
    writer.key("points").begin_array();
    for (const auto& point : review.points)
        write_point(writer, point, review.scale, about.bots.size());
    writer.end_array().key("lost").begin_array();
    for (const auto& lost : review.lost) write_lost(writer, lost, review, about);
    writer.end_array().key("remarks");
    write_strings(writer, remarks(review, about));
    writer.key("assumed");
    write_strings(writer, assumptions(review, about));
    writer.end_object();
    return text;
}

}  // namespace referee::review
