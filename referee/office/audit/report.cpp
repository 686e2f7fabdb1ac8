#include <algorithm>

#include "protocol/json/printable.h"
#include "protocol/json/writer.h"
#include "referee/games/result/result.h"
#include "referee/office/audit/audit.h"

namespace referee::audit {
namespace {

namespace json = protocol::json;

constexpr std::size_t differences_in_text = 5;
constexpr std::size_t differences_in_json = 1000;
constexpr std::size_t move_bytes_in_text = 120;

std::string turns_told(std::size_t turns) {
    return std::to_string(turns) + (turns == 1 ? " turn" : " turns");
}

std::string move_told(const std::string& move) {
    if (move.empty()) return "none";
    auto text = json::visible_line(move);
    if (text.size() <= move_bytes_in_text) return text;
    return text.substr(0, move_bytes_in_text) + "... (" + std::to_string(move.size()) + " bytes)";
}

std::string_view name_of(RunEnd end) {
    switch (end) {
        case RunEnd::whole:
            return "whole";
        case RunEnd::not_ready:
            return "not_ready";
        case RunEnd::silent:
            return "silent";
        case RunEnd::gone:
            return "gone";
        case RunEnd::strayed:
            break;
    }
    return "strayed";
}

// What became of it where the record takes it out of the game, as a word of the JSON report.
std::string_view name_of(TakenOut taken_out) {
    switch (taken_out) {
        case TakenOut::gone_again:
            return "gone";
        case TakenOut::silent_again:
            return "silent";
        case TakenOut::not_again:
            return "answered";
        case TakenOut::not_recorded:
            break;
    }
    return {};
}

std::string taken_out_told(const Run& run) {
    const auto turn = std::to_string(run.taken_out_turn);
    switch (run.taken_out) {
        case TakenOut::gone_again:
            return "\n  it ended in turn " + turn +
                   ", in which it dropped out of the game then too";
        case TakenOut::silent_again:
            return "\n  it said nothing in turn " + turn +
                   ", in which it dropped out of the game then";
        case TakenOut::not_again:
            return "\n  it answered in turn " + turn +
                   ", in which it dropped out of the game then: that did not happen again";
        case TakenOut::not_recorded:
            break;
    }
    return {};
}

std::string run_told(const Audit& audit, std::size_t number) {
    const auto& run = audit.runs[number];
    const auto& findings = audit.findings;
    const auto& differing = findings.from_record[number];
    std::string text =
        "run " + std::to_string(number + 1) + ": " + turns_told(run.turns.size()) + ", ";
    if (run.turns.empty()) {
        text += "none was played";
    } else if (differing.empty()) {
        text += "all as recorded";
    } else {
        text += std::to_string(differing.size()) + " not as recorded, the first is turn " +
                std::to_string(run.turns[differing.front()].turn);
    }
    text += taken_out_told(run);
    if (run.end != RunEnd::whole) text += "\n  it was broken off: " + json::visible_line(run.why);
    if (!run.same_times && run.end != RunEnd::strayed)
        text += "\n  what it was told of its time differs from the record, because a turn ran out";
    return text + '\n';
}

std::string between_told(const Audit& audit) {
    const auto& differing = audit.findings.between_runs;
    const auto of = turns_told(audit.findings.compared);
    if (differing.empty()) return "between the runs: alike in " + of + '\n';
    return "between the runs: different in " + std::to_string(differing.size()) + " of " + of +
           ", the first is turn " +
           std::to_string(audit.runs.front().turns[differing.front()].turn) + '\n';
}

std::string difference_told(const Audit& audit, std::size_t place) {
    const auto& asked = audit.runs.front().turns[place];
    std::string text =
        "  turn " + std::to_string(asked.turn) + ": recorded " + move_told(asked.recorded);
    for (std::size_t run = 0; run < audit.runs.size(); ++run)
        text += ", run " + std::to_string(run + 1) + ' ' +
                move_told(audit.runs[run].turns[place].now.value_or(""));
    return text + '\n';
}

std::string differences_told(const Audit& audit) {
    const auto& all = audit.findings.all;
    std::string text;
    for (std::size_t i = 0; i < std::min(all.size(), differences_in_text); ++i)
        text += difference_told(audit, all[i]);
    if (all.size() > differences_in_text)
        text +=
            "  and " + turns_told(all.size() - differences_in_text) + " more (--json has them)\n";
    return text;
}

std::string program_told(const Audit& audit) {
    const auto& recorded = audit.recording->programs[audit.seat];
    if (recorded.empty())
        return "The record doesn't tell which program played: the referee had not launched it.\n";
    if (is_said_version(recorded))
        return "The record has only what the bot told of its version (" +
               json::visible_line(recorded) +
               "): the referee had not launched it, so nobody can tell whether it is the same "
               "program.\n";
    if (audit.program.empty()) return {};
    return recorded == audit.program
               ? "It is the very program that played (" + recorded + ").\n"
               : "Its name differs from that of the program that played (" +
                     json::visible_line(recorded) + " then, " + audit.program +
                     " now): other files, another command, or another folder of its own "
                     "(--directory).\n";
}

bool is_the_one(const Audit& audit) {
    return !audit.program.empty() && audit.recording->programs[audit.seat] == audit.program;
}

// In how many of the turns that differ its time had run out then, or it had said nothing.
std::string silent_then(const Audit& audit) {
    const auto& all = audit.findings.all;
    const auto silent = std::count_if(all.begin(), all.end(), [&audit](auto turn) {
        return audit.runs.front().turns[turn].recorded.empty();
    });
    if (silent == 0) return {};
    return "In " + std::to_string(silent) + " of the " + turns_told(all.size()) +
           " that differ no move of it had come in time.\n";
}

std::string verdict_told(const Audit& audit) {
    switch (audit.findings.verdict) {
        case Verdict::as_recorded:
            return "The program makes the recorded moves again, each time.\n";
        case Verdict::otherwise:
            return silent_then(audit) +
                   "The program makes the same moves each time, but not the recorded ones: " +
                   (is_the_one(audit) ? "its" : "it is another program, or its") +
                   " moves depend on something outside of the game, such as the time that it had, "
                   "the machine, the date or a file.\n";
        case Verdict::by_chance:
            return "The program's moves differ from run to run: they depend on chance or on "
                   "time. Start its random numbers from a fixed seed, and bound its search by "
                   "steps instead of time, if it should play the same game again.\n"
                   "Only the first difference is sure: the program is told that it made the "
                   "recorded move, so what follows may follow from that.\n";
        case Verdict::broken_off:
            break;
    }
    return "A run was broken off, so nothing can be told of the turns behind that.\n";
}

void write_move(json::Writer& writer, const std::string& move) {
    if (move.empty()) {
        writer.null();
    } else {
        writer.raw(move);
    }
}

void write_run(json::Writer& writer, const Run& run, std::size_t differing) {
    writer.begin_object().member("end", name_of(run.end));
    if (run.end != RunEnd::whole) writer.member("why", run.why);
    writer.member("turns", static_cast<std::uint64_t>(run.turns.size()))
        .member("not_as_recorded", static_cast<std::uint64_t>(differing))
        .member("same_times", run.same_times);
    if (run.taken_out != TakenOut::not_recorded) {
        writer.key("taken_out")
            .begin_object()
            .member("turn", run.taken_out_turn)
            .member("now", name_of(run.taken_out))
            .end_object();
    }
    writer.end_object();
}

void write_difference(json::Writer& writer, const Audit& audit, std::size_t place) {
    const auto& asked = audit.runs.front().turns[place];
    writer.begin_object().member("turn", asked.turn).key("recorded");
    write_move(writer, asked.recorded);
    writer.key("runs").begin_array();
    for (const auto& run : audit.runs) write_move(writer, run.turns[place].now.value_or(""));
    writer.end_array().end_object();
}

}  // namespace

std::string as_text(const Audit& audit) {
    const auto& past = audit.recording->whole.past;
    std::string text = json::visible_line(past.game_id) + ", " + audit.recording->whole.game +
                       ": seat " + std::to_string(audit.seat) + " (" +
                       json::visible_line(past.bots[audit.seat]) + ") by " +
                       json::visible_line(audit.command) + '\n';
    for (std::size_t run = 0; run < audit.runs.size(); ++run) text += run_told(audit, run);
    return text + between_told(audit) + differences_told(audit) + program_told(audit) +
           verdict_told(audit);
}

std::string as_json(const Audit& audit) {
    const auto& recording = *audit.recording;
    const auto& findings = audit.findings;
    std::string text;
    json::Writer writer(text);
    writer.begin_object()
        .member("audit", std::int64_t{1})
        .member("game_id", recording.whole.past.game_id)
        .member("game", recording.whole.game)
        .member("replay", recording.whole.past.replay)
        .member("seat", static_cast<std::uint64_t>(audit.seat))
        .member("bot", recording.whole.past.bots[audit.seat])
        .member("command", audit.command);
    if (!recording.programs[audit.seat].empty())
        writer.member("program_recorded", recording.programs[audit.seat]);
    if (!audit.program.empty()) writer.member("program", audit.program);
    writer.member("verdict", name_of(findings.verdict))
        .member("compared", static_cast<std::uint64_t>(findings.compared))
        .member("different_between_runs", static_cast<std::uint64_t>(findings.between_runs.size()));
    writer.key("runs").begin_array();
    for (std::size_t run = 0; run < audit.runs.size(); ++run)
        write_run(writer, audit.runs[run], findings.from_record[run].size());
    writer.end_array();
    writer.member("differences_total", static_cast<std::uint64_t>(findings.all.size()));
    writer.key("differences").begin_array();
    for (std::size_t i = 0; i < std::min(findings.all.size(), differences_in_json); ++i)
        write_difference(writer, audit, findings.all[i]);
    writer.end_array().end_object();
    return text;
}

}  // namespace referee::audit
