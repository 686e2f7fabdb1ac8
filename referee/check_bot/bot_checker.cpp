#include "referee/check_bot/bot_checker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/base/enum_names.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/net/loop/timers.h"

namespace referee::check_bot {
namespace {

constexpr std::size_t label_columns = 17;
constexpr std::string_view margin = "                 ";
constexpr std::string_view further = "                   ";

struct VerdictWords {
    Verdict value;
    std::string_view name;
    std::string_view label;  // at a terminal
};
constexpr std::array<VerdictWords, 4> verdicts{{
    {Verdict::good, "good", "good"},
    {Verdict::could_be_better, "could_be_better", "could be better"},
    {Verdict::wrong, "wrong", "WRONG"},
    {Verdict::not_tried, "not_tried", "not tried"},
}};
static_assert(base::in_order(verdicts));

std::string_view label_of(Verdict verdict) {
    return base::row_of(verdicts, verdict).label;
}

std::string title_of(const CornerFinding& finding) {
    return finding.game.empty() ? finding.corner : finding.corner + " (" + finding.game + ")";
}

void add_lines(std::string& text, std::string_view what, const std::string& said) {
    if (said.empty()) return;
    text += margin;
    text += what;
    text += base::visible_lines(said, further);
    text += '\n';
}

// Text as it may stand in an attribute or an element of XML.
std::string xml(std::string_view text) {
    std::string safe;
    for (const char c : base::visible_lines(text, "")) {
        const auto entity = c == '\n'   ? "&#10;"
                            : c == '\'' ? std::string_view()
                                        : base::entity_of(c);
        entity.empty() ? safe.append(1, c) : safe.append(entity);
    }
    return safe;
}

using loop::monotonic_now;

// A person has to type the command.
constexpr Duration start_by_hand_max = std::chrono::minutes(5);
// The end of a program is told a moment after that of its connection.
constexpr Duration last_words_max = std::chrono::seconds(1);

}  // namespace

std::string_view name_of(Verdict verdict) {
    return base::row_of(verdicts, verdict).name;
}

void BotReport::add(CornerFinding finding) {
    if (on_finding) on_finding(finding);
    findings.push_back(std::move(finding));
}

std::size_t BotReport::count(Verdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count(findings, verdict, &CornerFinding::verdict));
}

std::string as_text(const CornerFinding& finding) {
    std::string text(label_of(finding.verdict));
    text.resize(label_columns, ' ');
    text += title_of(finding) + ": " + base::visible_lines(finding.seen, further) + '\n';
    add_lines(text, "expected: ", finding.expected);
    add_lines(text, "what to do: ", finding.advice);
    return text;
}

std::string last_line(const BotReport& report) {
    const auto wrong = report.count(Verdict::wrong);
    const auto better = report.count(Verdict::could_be_better);
    const auto untried = report.count(Verdict::not_tried);
    std::string text = wrong == 0 ? "nothing is wrong" : "wrong in " + std::to_string(wrong);
    text += wrong == 0 ? " in " : " of ";
    text += base::counted(report.findings.size() - untried, "corner");
    if (better > 0) text += fmt::format("; {} could be better", better);
    if (untried > 0) text += "; " + base::counted(untried, "was", "were") + " not tried";
    return text + '\n';
}

std::string as_json(const BotReport& report) {
    return protocol::json::object_text([&](protocol::json::Writer& writer) {
        writer.member("bot", report.bot).member("program", report.program);
        writer.member("passed", report.passed());
        writer.key("games").texts(report.games).key("corners").begin_array();
        for (const auto& finding : report.findings) {
            writer.begin_object().member("corner", finding.corner);
            if (!finding.game.empty()) writer.member("game", finding.game);
            writer.member("verdict", name_of(finding.verdict)).member("seen", finding.seen);
            if (!finding.expected.empty()) writer.member("expected", finding.expected);
            if (!finding.advice.empty()) writer.member("advice", finding.advice);
            writer.end_object();
        }
        writer.end_array();
    });
}

std::string as_junit(const BotReport& report) {
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"check-bot {}\" tests=\"{}\" "
        "failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
        xml(report.bot), report.findings.size(), report.count(Verdict::wrong),
        report.count(Verdict::not_tried));
    for (const auto& finding : report.findings) {
        text += "  <testcase classname=\"check-bot\" name=\"" + xml(title_of(finding)) + "\">";
        if (finding.verdict == Verdict::wrong) {
            text += fmt::format("<failure message=\"{}\">expected: {}&#10;what to do: {}</failure>",
                                xml(finding.seen), xml(finding.expected), xml(finding.advice));
        } else if (finding.verdict == Verdict::not_tried) {
            text += "<skipped message=\"" + xml(finding.seen) + "\"/>";
        } else {
            text += fmt::format("<system-out>{}: {}</system-out>", label_of(finding.verdict),
                                xml(finding.seen));
        }
        text += "</testcase>\n";
    }
    return text + "</testsuite>\n";
}

BotChecker::BotChecker(boost::asio::io_context& loop, Entrance& entrance,
                       const engines::Registry& registry, CheckBotOptions options)
    : loop_(loop), entrance_(entrance), registry_(registry), options_(std::move(options)) {}

base::Result<void, std::string> BotChecker::connect() {
    const bool used_up = one_game_a_launch_ && has_played_;
    if (connected() && !fallen_ && !used_up) return {};
    connection_.reset();
    entrance_.start_over();
    fallen_ = false;
    has_played_ = false;
    const bool by_hand = entrance_.connects_by() == ConnectsBy::by_hand;
    if (by_hand && options_.on_waiting)
        options_.on_waiting(came_
                                ? "waiting for the bot to come again: start it anew if it has ended"
                                : "waiting for the bot");
    const auto began = monotonic_now();
    auto came = greet(by_hand ? start_by_hand_max : options_.start_within);
    if (came && !came_) {
        came_ = true;
        start_up_ = monotonic_now() - began - entrance_.start_waited();
    }
    return came;
}

base::Result<void, std::string> BotChecker::come_back(Duration within) {
    connection_.reset();
    return greet(within);
}

base::Result<void, std::string> BotChecker::greet(Duration within) {
    entrance_.begin_start(within);
    auto came = entrance_.next();
    if (!came) {
        remains_ = entrance_.program_state();
        return base::failure(std::move(came.error()));
    }
    connection_ = std::make_unique<BotConnection>(loop_, *std::move(came), observations_);
    auto told = connection_->log_in("s" + std::to_string(++sessions_),
                                    [this] { return entrance_.start_ends(); });
    if (!told) {
        said_something_else_ = connection_->said_something();
        // What ends because we hang up did not end by itself, and what it prints then tells
        // nothing.
        const bool hangs_up = connection_->open();
        if (hangs_up) remains_ = entrance_.program_state();
        connection_.reset();
        if (!hangs_up) {
            await_end(told.error(), last_words_max);
            remains_ = entrance_.program_state();
        }
        return base::failure(std::move(told.error()));
    }
    login_ = *std::move(told);
    auto known = login_.games;
    std::erase_if(known, [this](const auto& game) { return registry_.find(game) == nullptr; });
    connection_->welcome(login_, known);
    return {};
}

bool BotChecker::await_end(std::string& why, Duration wait) {
    const auto exit = entrance_.await_exit(monotonic_now() + wait);
    if (exit) why += "; its program has ended: " + exit->text();
    return exit.has_value();
}

std::vector<std::string> BotChecker::games() const {
    auto played = options_.games.empty() ? login_.games : options_.games;
    std::erase_if(played, [this](const auto& game) {
        return !base::contains(login_.games, game) || registry_.find(game) == nullptr;
    });
    return played;
}

// Wall time is measured, whatever the game's page says: it is what the student sees.
clock::ClockConfig BotChecker::clock_of(const engines::Game& game) const {
    if (options_.clock) return *options_.clock;
    auto clock = clock::default_clock(game.info());
    clock.measure = clock::Measure::wall;
    return clock;
}

PlayedTrial BotChecker::play(const TrialCase& trial, const SendingStyle& style,
                             TrialGame::OnTurn on_turn, bool whole_states) {
    const auto* game = registry_.find(trial.game);
    connection_->set_style(style);
    has_played_ = true;
    TrialGame trial_game(connection_, observations_,
                         {game, trial, clock_of(*game), login_.name, ++matches_,
                          login_.delta && !whole_states, &entrance_},
                         std::move(on_turn));
    auto played = trial_game.play();
    if (connection_ != nullptr) connection_->set_style({});
    if (!played.went_well()) {
        drop();
        if (played.ending == TrialEnding::gone && connection_ != nullptr) {
            connection_->close();
            played.program_ended = await_end(played.why, last_words_max);
            const auto tail = entrance_.program_state().error_tail;
            if (!tail.empty()) played.why += "; the end of its standard error:\n" + tail;
        }
    }
    return played;
}

}  // namespace referee::check_bot
