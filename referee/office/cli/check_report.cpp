#include "referee/office/cli/check_report.h"

#include <algorithm>
#include <iostream>

#include "protocol/json/writer.h"
#include "referee/config/reader.h"

namespace referee::cli {
namespace {

std::string field_of(const config::TournamentConfig& tournament) {
    if (!tournament.field_from) return std::to_string(tournament.bots.size()) + " bots";
    const auto best = tournament.field_from->best;
    return (best > 0 ? "the best " + std::to_string(best) : std::string("all")) +
           " of the ladder " + tournament.field_from->ladder;
}

}  // namespace

void CheckReport::mistake(const config::ConfigError& error) {
    if (!json_) std::cerr << config::describe(error, config_) << '\n';
    mistakes_.push_back({error.line, error.member, error.message});
}

void CheckReport::refusal(const std::string& why) {
    mistake({0, {}, why});
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

void CheckReport::tournament(const config::TournamentConfig& tournament, Forecast forecast) {
    if (!json_) {
        std::cout << config_ << ": " << tournament.id << ": " << tournament.game << ", "
                  << tournament::name_of(tournament.format.kind()) << ", " << field_of(tournament)
                  << ", clock " << clock::name_of(tournament.clock.kind) << " by "
                  << clock::name_of(tournament.clock.measure) << " time: good\n";
        for (const auto& line : describe(forecast)) std::cout << config_ << ": " << line << '\n';
    }
    tournaments_.push_back({tournament, std::move(forecast)});
}

void CheckReport::assumptions() {
    const bool any = std::any_of(tournaments_.begin(), tournaments_.end(),
                                 [](const auto& told) { return told.forecast.unknown.empty(); });
    if (any)
        note(
            "these times hold for each tournament alone, where all bots are there, play one game "
            "at a time (elsewhere, one in each job) and don't leave, no game is annulled and no "
            "job "
            "lost or kept waiting. At best nobody thinks; likely is as long as bots thought in "
            "earlier games of the same kind, or as you say; at worst every bot uses all its time "
            "in each turn of the longest game that the rules allow");
}

void CheckReport::end(int status) const {
    if (!json_) return;
    std::string text;
    protocol::json::Writer writer(text);
    const auto list = [&writer](std::string_view name, const std::vector<Said>& said) {
        writer.key(name).begin_array();
        for (const auto& one : said) {
            writer.begin_object();
            if (one.line > 0) writer.member("line", static_cast<std::uint64_t>(one.line));
            if (!one.member.empty()) writer.member("member", one.member);
            writer.member("text", one.text).end_object();
        }
        writer.end_array();
    };
    writer.begin_object().member("config", config_).member("status", std::int64_t{status});
    list("mistakes", mistakes_);
    list("warnings", warnings_);
    list("notes", notes_);
    writer.key("tournaments").begin_array();
    for (const auto& [config, forecast] : tournaments_) {
        writer.begin_object()
            .member("id", config.id)
            .member("game", config.game)
            .member("format", tournament::name_of(config.format.kind()))
            .member("clock", clock::name_of(config.clock.kind))
            .member("measure", clock::name_of(config.clock.measure));
        write_members(writer, forecast);
        writer.end_object();
    }
    writer.end_array().end_object();
    std::cout << text << '\n';
}

}  // namespace referee::cli
