#include "referee/watch/web/replays.h"

#include <algorithm>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"
#include "referee/watch/review/kept_review.h"
#include "referee/watch/showing/showing.h"

namespace referee::web {
namespace {

// A replay that is shown, with what engines say of results within each other; and showings that are
// kept because others will ask for them too.
constexpr std::size_t replay_bytes_max = 16 * 1024 * 1024;
constexpr std::size_t showings_kept_bytes_max = 32 * 1024 * 1024;
// Questions to the loop that wait for their answers.
constexpr std::size_t questions_waiting_max = 256;

namespace json = protocol::json;

// What was measured stays; texts are what the bot sent or printed, and how it was measured.
bool is_measured(const json::Member& of_evidence) {
    return of_evidence.value.kind() != json::Kind::string || of_evidence.name == "measure" ||
           of_evidence.name == "method";
}

void write_fault(json::Writer& writer, json::View fault) {
    json::rewrite(writer, fault, [&](std::string_view name, json::View value) {
        if (name == "evidence") {
            writer.begin_object();
            json::write_members(writer, value, is_measured);
            writer.end_object();
        } else if (name == "message") {
            writer.string(message_without_quotes(fault.find("code").text(), value.text()));
        } else {
            return false;
        }
        return true;
    });
}

void write_result(json::Writer& writer, json::View result, const std::vector<std::string>& bots,
                  const Visitor& visitor) {
    const auto is_own = [&](std::size_t seat) {
        return seat < bots.size() && visitor.may_know(bots[seat]);
    };
    json::rewrite(writer, result, [&](std::string_view name, json::View value) {
        if (name == "program") {
            std::size_t seat = 0;
            writer.texts(value.elements(), [&](json::View program) {
                return is_own(seat++) ? program.text() : std::string_view();
            });
        } else if (name == "faults") {
            writer.begin_array();
            for (const auto fault : value.elements()) {
                const auto seat = fault.find("seat").unsigned_integer();
                seat&& is_own(*seat) ? fault.write(writer) : write_fault(writer, fault);
            }
            writer.end_array();
        }
        return name == "program" || name == "faults";
    });
}

// The faults of one seat, as a JSON array.
std::string faults_of(json::View faults, std::uint64_t seat, std::uint64_t& total) {
    std::string text;
    json::Writer writer(text);
    writer.begin_array();
    for (const auto fault : faults.elements()) {
        if (fault.find("seat").unsigned_integer() != seat) continue;
        ++total;
        fault.write(writer);
    }
    writer.end_array();
    return text;
}

// Nothing where the replay can't be read.
std::optional<GameSummary> summary_of(std::string_view replay) {
    json::Document setup;
    json::Document end;
    const auto first = replay.substr(0, replay.find('\n'));
    if (!setup.parse(first)) return std::nullopt;
    if (!end.parse(end_of(replay))) return std::nullopt;
    const auto result = end.root().find("result");
    if (!result.is_object()) return std::nullopt;
    GameSummary summary;
    summary.turns = result.find("turns").unsigned_integer().value_or(0);
    const auto clock = setup.root().find("clock");
    summary.clock = clock.find("kind").text();
    summary.budget_us = clock.find("budget_us").unsigned_integer().value_or(0);
    const auto used = result.find("used_us");
    for (const auto bot : setup.root().find("bots").elements()) {
        const auto number = summary.seats.size();
        GameSummary::Seat seat;
        seat.bot = bot.text();
        seat.used_us = used.at(number).unsigned_integer().value_or(0);
        seat.faults = faults_of(end.root().find("faults"), number, seat.faults_total);
        summary.seats.push_back(std::move(seat));
    }
    return summary;
}

}  // namespace

PlayersOfReplay players_of(std::string_view replay) {
    json::Document line;
    PlayersOfReplay players;
    if (!line.parse(replay.substr(0, replay.find('\n')))) return players;
    players.game = line.root().find("game").text();
    players.bots = line.root().find("bots").texts();
    return players;
}

std::string replay_for(std::string_view replay, const Visitor& visitor) {
    if (visitor.instructor) return std::string(replay);
    const auto last = base::last_line(replay);
    std::string text(replay.substr(0, static_cast<std::size_t>(last.data() - replay.data())));
    json::Document document;
    if (!document.parse(last)) return text;
    const auto bots = players_of(replay).bots;
    json::Writer writer(text);
    json::rewrite(writer, document.root(), [&](std::string_view name, json::View value) {
        if (name == "result") write_result(writer, value, bots, visitor);
        return name == "result";
    });
    return text + '\n';
}

bool may_know_seed(std::string_view replay, const Visitor& visitor) {
    if (visitor.instructor) return true;
    json::Document document;
    if (!document.parse(base::last_line(replay))) return false;
    const auto status = status_named(document.root().find("result").find("status").text());
    return players_of(replay).bots.size() > 1 && status && counts(*status);
}

std::string end_of(std::string_view replay) {
    const auto known = replay_for(replay, {});
    return json::object_text([&known](json::Writer& writer) {
        showing::LastLine last;
        if (last.read(base::last_line(known), "the replay")) last.write(writer);
    });
}

std::string ReplaySource::file_of(const GameKey& key) const {
    return files::read_named_file(files_.replay_file(key), replay_bytes_max).value_or("");
}

bool ReplaySource::ask(const GameKey& key, WithReplay then) {
    if (questions_ >= questions_waiting_max) return false;
    ++questions_;
    loop_.replay_of(key, [this, then = std::move(then)](const WebOutcome& outcome) {
        --questions_;
        then(outcome.done ? outcome.text : std::string());
    });
    return true;
}

bool ReplaySource::find(const GameKey& key, const WithReplay& then) {
    const auto file = file_of(key);
    if (file.empty()) return ask(key, then);
    then(file);
    return true;
}

std::string ReplaySource::review_beside(const GameKey& key) const {
    const auto file = review::file_beside(files_.replay_file(key));
    return files::read_named_file(file, review::kept_bytes_max).value_or("");
}

std::optional<std::string> ReplaySource::said_by(const std::string& bot, const GameKey& key) const {
    auto said = files::read_named_file(files_.debug_file(key, bot), replay_bytes_max);
    return said ? std::optional(*std::move(said)) : std::nullopt;
}

void ReplaySource::gather_summaries(std::vector<std::string> ids, const IsShown& is_shown,
                                    const std::function<void()>& then) {
    const auto keep = [this](const std::string& id, std::string_view replay) {
        if (auto made = summary_of(replay)) summaries_.touch(id) = *std::move(made);
    };
    while (!ids.empty()) {
        const auto id = std::move(ids.back());
        ids.pop_back();
        const auto key = game_key(id);
        if (!key || !is_shown(id) || summary(id) != nullptr) continue;
        if (const auto file = file_of(*key); !file.empty()) {
            keep(id, file);
            continue;
        }
        const bool asked = ask(*key, [this, keep, id, ids, is_shown, then](const auto& replay) {
            keep(id, replay);
            gather_summaries(ids, is_shown, then);
        });
        if (!asked) break;
        return;
    }
    then();
}

Piece ReplaySource::showing(std::string_view key) const {
    const auto found = std::ranges::find(showings_, key, &std::pair<std::string, Piece>::first);
    return found == showings_.end() ? nullptr : found->second;
}

void ReplaySource::keep_showing(const std::string& key, const Piece& showing) {
    if (showing->size() > showings_kept_bytes_max) return;
    showings_.emplace_back(key, showing);
    showings_bytes_ += showing->size();
    while (showings_bytes_ > showings_kept_bytes_max) {
        showings_bytes_ -= showings_.front().second->size();
        showings_.pop_front();
    }
}

void ReplaySource::forget_showings() {
    showings_.clear();
    showings_bytes_ = 0;
}

}  // namespace referee::web
