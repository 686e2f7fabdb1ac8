#include "referee/grading/verdict/phrases.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "protocol/base/find.h"
#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"

namespace referee::verdict {

std::string number(double value) {
    std::string text;
    protocol::json::Writer(text).real(rubric::hundredths(value));
    return text;
}

std::string percent(double share) {
    constexpr double whole = 100;
    auto percents = std::round(share * whole);
    if (share < 1) percents = std::min(percents, whole - 1);
    if (share > 0) percents = std::max(percents, 1.0);
    return number(percents) + '%';
}

std::string length(Duration duration) {
    if (duration < std::chrono::seconds(1)) return "less than 1 s";
    return base::span_text(std::chrono::duration_cast<std::chrono::seconds>(duration).count());
}

std::string tail_of(std::string_view text) {
    if (text.size() <= feedback_output_bytes_max) return std::string(text);
    auto tail = text.substr(text.size() - feedback_output_bytes_max);
    const auto line = tail.find('\n');
    if (line != std::string_view::npos && tail.find_first_not_of('\n', line) != std::string::npos)
        tail.remove_prefix(line + 1);
    return "...\n" + std::string(tail);
}

std::string with_short_times(std::string_view text) {
    constexpr std::string_view unit = " ms";
    constexpr std::size_t fraction = 4;  // a point and three digits
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && base::is_digit(text[end])) ++end;
        const auto rest = text.substr(end);
        constexpr std::size_t digits_max = 15;  // more is no length of time
        const bool is_time =
            end > at && end - at <= digits_max && rest.size() >= fraction + unit.size() &&
            rest.front() == '.' &&
            std::all_of(rest.begin() + 1, rest.begin() + fraction, base::is_digit) &&
            rest.substr(fraction).starts_with(unit);
        if (is_time) {
            const auto us = std::stoll(std::string(text.substr(at, end - at)) +
                                       std::string(rest.substr(1, fraction - 1)));
            constexpr std::int64_t us_of_a_second = 1'000'000;
            const bool in_seconds = us >= us_of_a_second;
            shown +=
                base::thousandths_text(in_seconds ? us / 1000 : us) + (in_seconds ? " s" : " ms");
            at = end + fraction + unit.size();
            continue;
        }
        end = std::max(end, at + 1);
        shown += text.substr(at, end - at);
        at = end;
    }
    return shown;
}

std::string true_in_words(const std::string& member) {
    if (member == "finished") return "the way out is found";
    if (member == "win") return "the program wins";
    return '"' + member + "\" is true of the outcome";
}

namespace {

std::string of_score(const rubric::ScoreOf& rule) {
    const std::string where = rule.in_sum ? "Needed: all games together" : "Needed: each game";
    const std::string least = rule.share == 1
                                  ? "at least the score"
                                  : "at least " + number(rule.share * 100) + "% of the score";
    return where + (rule.in_sum ? " bring " : " brings ") + least +
           " of the course's own program \"" + rule.reference +
           (rule.in_sum ? "\" in the same games." : "\" in the same game.");
}

std::string of_share(const rubric::ShareOf& rule) {
    const auto sum = [](const std::string& member) {
        return "the \"" + member + "\" of all outcomes together";
    };
    return "The points are given in proportion: " +
           (rule.reached == "score" ? "the scores of all games together" : sum(rule.reached)) +
           ", of " +
           (rule.attainable == "attainable" ? "what could be had" : sum(rule.attainable)) + '.';
}

constexpr std::string_view blanks = " \t\r\v\f";

std::string without_blanks(std::string_view line) {
    std::string text(line);
    std::erase_if(text, [](char c) { return blanks.find(c) != std::string_view::npos; });
    return text;
}

std::vector<std::string_view> lines_in(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto line = base::next_line(text);
        lines.push_back(line.substr(0, line.find_last_not_of(blanks) + 1));  // npos + 1 is 0
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace

std::string criterion_of(const rubric::Step& step) {
    return std::visit(
        base::Overloaded{
            [](const rubric::Faultless&) {
                return std::string(
                    "Needed: every move of every game comes in time and is legal, and the program "
                    "doesn't crash.");
            },
            [](const rubric::Wins& rule) {
                return "Needed: at least " + base::counted(rule.at_least, "game") +
                       (rule.at_least == 1 ? " is won." : " are won.");
            },
            [](const rubric::EachWin&) {
                return std::string("Each game that is won gives an equal share of the points.");
            },
            [](const rubric::AverageScore& rule) {
                return "Needed: the average score of all games is at least " +
                       number(rule.at_least) + '.';
            },
            [](const rubric::ScoreOf& rule) { return of_score(rule); },
            [](const rubric::ShareOf& rule) { return of_share(rule); },
            [](const rubric::Always& rule) {
                return "Needed: in every game " + true_in_words(rule.member) + '.';
            },
            [](const rubric::IsAsGood&) {
                return std::string(
                    "Needed: the program plays about as well as its opponents, or better. Matches "
                    "(of one game or a few) are played until its share of their points shows that, "
                    "or the contrary; who is last in a match has none of its points, who is first "
                    "all, and each place between has its part.");
            },
            [](const rubric::Place& rule) {
                std::vector<std::string> places;
                for (const auto each : rule.points)
                    places.push_back(fmt::format("place {} gives {}{}", places.size() + 1,
                                                 number(each), places.empty() ? " points" : ""));
                return "In the tournament " + base::listed(places) +
                       ". Who is level shares the better place, and each has all its points.";
            },
            [](const rubric::Right& rule) {
                return rule.at_least == 0
                           ? std::string("Needed: what is printed is right for each input.")
                           : "Needed: what is printed is right for at least " +
                                 base::counted(rule.at_least, "input") + '.';
            },
            [](const rubric::EachRight&) {
                return std::string(
                    "Each input for which the right thing is printed gives an equal share of the "
                    "points.");
            },
        },
        step.rule);
}

std::string quoted_line(std::string_view line) {
    const bool cut = line.size() > shown_line_bytes_max;
    return '"' + base::visible_line(line.substr(0, shown_line_bytes_max)) + (cut ? "...\"" : "\"");
}

std::string difference_of_lines(std::string_view expected, std::string_view printed) {
    const auto should = lines_in(expected);
    const auto is = lines_in(printed);
    for (std::size_t i = 0; i < std::max(should.size(), is.size()); ++i) {
        const auto where = fmt::format("line {}: expected ", i + 1);
        if (i >= is.size())
            return where + quoted_line(should[i]) + ", found the end after " +
                   base::counted(is.size(), "line");
        if (i >= should.size())
            return where + "the end after " + base::counted(should.size(), "line") + ", found " +
                   quoted_line(is[i]);
        if (should[i] != is[i])
            return where + quoted_line(should[i]) + ", found " + quoted_line(is[i]) +
                   (without_blanks(should[i]) == without_blanks(is[i])
                        ? ": they differ in their blanks alone"
                        : "");
    }
    return {};
}

std::string difference_in_any_order(std::string_view expected, std::string_view printed) {
    std::map<std::string_view, std::ptrdiff_t> open;  // how often each is still to come
    const auto should = lines_in(expected);
    for (const auto line : should) ++open[line];
    std::size_t number = 0;
    for (const auto line : lines_in(printed)) {
        ++number;
        if (--open[line] >= 0) continue;
        const bool is_known = base::contains(should, line);
        return fmt::format(
            "line {}: {}{}", number, quoted_line(line),
            is_known ? " is there too often" : " is none of the lines that were expected");
    }
    for (const auto line : should) {
        if (open[line] > 0) return "the line " + quoted_line(line) + " is missing";
    }
    return {};
}

}  // namespace referee::verdict
