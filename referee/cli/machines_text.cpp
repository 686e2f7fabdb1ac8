#include "protocol/base/text.h"
#include "referee/cli/ctl_report.h"
#include "referee/files/text_table.h"

// What `referee ctl machines` prints.

namespace referee::cli {
namespace {

using Json = nlohmann::json;

constexpr double of_hundred = 100;

std::string name_of(const Json& machine) {
    const auto name = machine.value("host", "");
    return name.empty() ? "(the referee's own)" : name;
}

std::string span_of(const Json& effect, const char* member, double times, int decimals) {
    const auto& span = effect[member];
    return files::fixed_text(span[0].get<double>() * times, decimals) + " to " +
           files::fixed_text(span[1].get<double>() * times, decimals);
}

// "1.02 (0.97 to 1.08)", with a star where it is beyond chance.
std::string time_beside_others(const Json& effect) {
    if (!effect.contains("ratio")) return "-";
    return files::fixed_text(effect.value("ratio", 0.0), 2) + " (" +
           span_of(effect, "ratio95", 1, 2) + ")" + (effect.value("differs", false) ? "*" : "");
}

// "2.1% (-0.5 to 1.3)": in how much of bots' games, and how many points more than elsewhere.
std::string share_beside_others(const Json& effect) {
    auto text = files::fixed_text(effect.value("share", 0.0) * of_hundred, 1) + "%";
    if (effect.contains("difference95"))
        text += " (" + span_of(effect, "difference95", of_hundred, 1) + ")";
    return text + (effect.value("differs", false) ? "*" : "");
}

std::string time_of_turn(const Json& machine) {
    const auto turns = machine.value("turns", std::int64_t{0});
    return turns == 0 ? "-" : base::milliseconds(machine.value("used_us", std::int64_t{0}) / turns);
}

std::string all_of(const Json& list) {
    const auto text = base::joined(list, " or ", [](const Json& one) {
        return one.is_string() ? one.get<std::string>() : one.dump();
    });
    return text.empty() ? "-" : text;
}

}  // namespace

std::string machines_text(const Json& answer, std::size_t width) {
    files::TextTable games({"machine", "matches", "games", "annulled", "a turn", "beside others",
                            "games with faults"});
    files::TextTable facts({"machine", "calibration", "cores", "sandbox", "kernel", "processor"});
    bool any_facts = false;
    for (const auto& machine : answer.value("hosts", Json::array())) {
        games.add({name_of(machine), std::to_string(machine.value("matches", std::uint64_t{0})),
                   std::to_string(machine.value("games", std::uint64_t{0})),
                   std::to_string(machine.value("annulled", std::uint64_t{0})),
                   time_of_turn(machine), time_beside_others(machine["time"]),
                   share_beside_others(machine["faults"])});
        if (machine.value("host", "").empty()) continue;
        any_facts = true;
        facts.add({name_of(machine),
                   base::milliseconds(machine.value("calibration_us", std::int64_t{0})),
                   all_of(machine["cores"]), all_of(machine["sandboxes"]),
                   all_of(machine["kernels"]), all_of(machine["processors"])});
    }
    auto text = games.text(width) + "\n";
    if (any_facts) text += facts.text(width) + "\n";
    for (const auto& sentence : answer.value("sentences", Json::array()))
        text += sentence.get<std::string>() + "\n";
    for (const auto& remedy : answer.value("remedies", Json::array()))
        text += "    `" + remedy.get<std::string>() + "` plays again what it played\n";
    return text;
}

}  // namespace referee::cli
