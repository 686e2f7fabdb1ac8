#include "referee/cli/check_report.h"

#include <algorithm>
#include <array>
#include <iostream>

#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/config/read_config.h"
#include "referee/exit_code.h"
#include "referee/grading/verdict/phrases.h"

namespace referee::cli {
namespace {

std::string field_of(const config::TournamentConfig& tournament) {
    if (!tournament.field_from) return base::counted(tournament.bots.size(), "bot");
    const auto best = tournament.field_from->best;
    return (best > 0 ? "the best " + std::to_string(best) : std::string("all")) +
           " of the ladder " + tournament.field_from->ladder +
           (tournament.field_from->has_house ? ", house bots among them" : "");
}

std::string range_text(const estimate::CountRange& range, const std::string& one,
                       const std::string& several) {
    const auto most = base::counted(range.most, one, several);
    return range.least == range.most ? most : fmt::format("{} to {}", range.least, most);
}

std::string times_text(const estimate::DurationEstimate& estimate) {
    const auto likely =
        estimate.likely ? "likely takes " + verdict::length(*estimate.likely)
                        : "how long it likely takes is known once such games were played (--out) "
                          "or you say how long one takes (--game-time)";
    if (!estimate.worst) return likely + "; by its rules a game may go on without end";
    return likely + "; never more than " + verdict::length(*estimate.worst) +
           ", as if all bots used up their time in all " +
           base::counted(*estimate.turns_most, "turn") + " that a game can have";
}

struct BottleneckWords {
    estimate::Bottleneck value;
    std::string_view name, sentence;
};
constexpr std::array<BottleneckWords, 3> bottlenecks{{
    {estimate::Bottleneck::cores, "cores",
     "what takes longest is the bots' thinking: more cores would shorten it"},
    {estimate::Bottleneck::games_at_once, "games_at_once",
     "what takes longest are games that wait for others to end: more games at once would shorten "
     "it"},
    {estimate::Bottleneck::bots, "bots",
     "what takes longest are bots and rounds that wait for one another: neither more cores nor "
     "more games at once would shorten it"},
}};
static_assert(base::in_order(bottlenecks));

std::string times_on_cores(const estimate::DurationEstimate& estimate) {
    const auto times = base::joined(estimate.on_cores, ", ", [](const auto& on) {
        return fmt::format("{}: {}", on.cores, verdict::length(on.time));
    });
    return fmt::format(
        "likely on cores{}: {}; more than {} don't help",
        estimate.machine.by_jobs ? " that other machines have for jobs, however many are out" : "",
        times, estimate.on_cores.back().cores);
}

// A line each.
std::vector<std::string> describe(const estimate::DurationEstimate& estimate) {
    if (!estimate.unknown.empty())
        return {"how many games it has can't be said: " + estimate.unknown};
    std::vector<std::string> lines{
        fmt::format("{}, {}, {} at once", range_text(estimate.matches, "match", "matches"),
                    range_text(estimate.games, "game", "games"), estimate.machine.games_at_once),
        times_text(estimate)};
    if (estimate.bottleneck)
        lines.emplace_back(base::row_of(bottlenecks, *estimate.bottleneck).sentence);
    if (!estimate.on_cores.empty()) lines.push_back(times_on_cores(estimate));
    return lines;
}

std::uint64_t ms_of(Duration time) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

// As configs/README.md lists them.
void write_members(protocol::json::Writer& writer, const estimate::DurationEstimate& estimate) {
    if (!estimate.unknown.empty()) {
        writer.member("unknown", estimate.unknown);
        return;
    }
    const auto range = [&writer](std::string_view name, const estimate::CountRange& of) {
        writer.key(name).begin_object().member("least", of.least).member("most", of.most);
        writer.end_object();
    };
    writer.member("bots", estimate.bots);
    range("matches", estimate.matches);
    range("games", estimate.games);
    writer.member("games_at_once", estimate.machine.games_at_once)
        .member("cores", estimate.machine.cores);
    if (estimate.likely)
        writer.member("likely_ms", ms_of(*estimate.likely))
            .member("games_known", estimate.games_known);
    if (estimate.worst) writer.member("worst_ms", ms_of(*estimate.worst));
    if (estimate.turns_most) writer.member("turns_most", *estimate.turns_most);
    if (!estimate.on_cores.empty()) {
        writer.key("on_cores").begin_array();
        for (const auto& on : estimate.on_cores)
            writer.begin_object()
                .member("cores", on.cores)
                .member("likely_ms", ms_of(on.time))
                .end_object();
        writer.end_array();
    }
    if (estimate.bottleneck)
        writer.member("bottleneck", base::row_of(bottlenecks, *estimate.bottleneck).name);
}

}  // namespace

void CheckReport::mistake(const config::ConfigError& error) {
    if (!json_) std::cerr << config::describe(error, config_) << '\n';
    mistakes_.push_back(error);
}

void CheckReport::warning(const std::string& text, std::size_t line) {
    if (!json_) std::cerr << config::describe({line, {}, "warning: " + text}, config_) << '\n';
    warnings_.push_back({line, {}, text});
}

void CheckReport::remark(const std::string& text) {
    if (!json_) std::cerr << config_ << ": note: " << text << '\n';
    warnings_.push_back({0, {}, text});
}

void CheckReport::note(const std::string& text) {
    if (!json_) std::cout << config_ << ": " << text << '\n';
    notes_.push_back({0, {}, text});
}

void CheckReport::of_machine(const server::MachineRemark& remark) {
    using Kind = server::MachineRemark::Kind;
    if (remark.kind == Kind::mistake) return mistake(remark.said);
    if (remark.kind == Kind::warning) return warning(remark.said.message, remark.said.line);
    note(remark.said.message);
}

void CheckReport::tournament(const config::TournamentConfig& tournament,
                             estimate::DurationEstimate estimate) {
    if (!json_) {
        std::cout << config_ << ": " << tournament.id << ": " << tournament.game << ", "
                  << formats::name_of(tournament.format.kind()) << ", " << field_of(tournament)
                  << ", clock " << clock::name_of(tournament.clock.kind) << " by "
                  << clock::name_of(tournament.clock.measure) << " time\n";
        for (const auto& line : describe(estimate))
            std::cout << config_ << ": " << tournament.id << ": " << line << '\n';
    }
    tournaments_.push_back({tournament, std::move(estimate)});
}

void CheckReport::roster(const config::RegistrationConfig& registration) {
    if (!registration.class_roster) return;
    const auto& students = registration.class_roster->students();
    const auto without =
        std::ranges::count_if(students, [](const auto& one) { return one.token.empty(); });
    note(fmt::format("{} may register by {}, {} of them without a token there",
                     base::counted(students.size(), "bot"), registration.roster_file, without));
}

void CheckReport::assumptions() {
    const bool any = std::ranges::any_of(
        tournaments_, [](const auto& told) { return told.estimate.unknown.empty(); });
    if (any)
        note(
            "these times hold for each tournament alone, where all bots are there, play one game "
            "at a time (elsewhere, one in each job) and don't leave, no game is annulled and no "
            "job lost or kept waiting. Likely is as long as bots thought in earlier games of the "
            "same kind, or as you say");
}

void CheckReport::end(int status) const {
    if (!json_) {
        if (status == exit_done) std::cout << config_ << ": good\n";
        if (status == exit_no)
            std::cout << config_ << ": not good on this machine: it has a bot that can't start\n";
        return;
    }
    std::string text;
    protocol::json::Writer writer(text);
    const auto list = [&writer](std::string_view name, const Remarks& remarks) {
        writer.key(name).begin_array();
        for (const auto& one : remarks) {
            writer.begin_object();
            if (one.line > 0) writer.member("line", one.line);
            if (!one.member.empty()) writer.member("member", one.member);
            writer.member("text", one.message).end_object();
        }
        writer.end_array();
    };
    writer.begin_object().member("config", config_).member("status", std::int64_t{status});
    list("mistakes", mistakes_);
    list("warnings", warnings_);
    list("notes", notes_);
    writer.key("tournaments").begin_array();
    for (const auto& [config, estimate] : tournaments_) {
        writer.begin_object()
            .member("id", config.id)
            .member("game", config.game)
            .member("format", formats::name_of(config.format.kind()))
            .member("clock", clock::name_of(config.clock.kind))
            .member("measure", clock::name_of(config.clock.measure));
        write_members(writer, estimate);
        writer.end_object();
    }
    writer.end_array().end_object();
    std::cout << text << '\n';
}

}  // namespace referee::cli
