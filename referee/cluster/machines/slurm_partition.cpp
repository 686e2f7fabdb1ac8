#include "referee/cluster/machines/slurm_partition.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace referee::machines {
namespace {

constexpr std::size_t columns_of_partition = 4;
constexpr std::int64_t s_a_minute = 60;
constexpr std::int64_t minutes_an_hour = 60;
constexpr std::int64_t hours_a_day = 24;

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::int64_t> count_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

// Why one of them takes no such job.
std::string lack_of(const std::vector<std::string_view>& row, std::string_view name,
                    std::chrono::minutes time) {
    const auto what = "the partition \"" + std::string(name) + "\" ";
    if (row[3] == "0")
        return what + "has no node; expected one with nodes in \"partition\": `sinfo` lists them";
    if (row[1] != "up")
        return what + "is " + std::string(row[1]) +
               ", and jobs wait there; expected another \"partition\", or ask the administrators";
    const auto limit = slurm_time_limit(row[2]);
    if (!limit || *limit >= time) return {};
    return what + "ends jobs after " + std::to_string(limit->count()) +
           " minutes, and one with a match alone asks for " + std::to_string(time.count()) +
           "; expected a partition with a higher time limit, shorter budgets, or fewer games in a "
           "match";
}

}  // namespace

std::optional<std::chrono::minutes> slurm_time_limit(std::string_view text) {
    std::int64_t days = 0;
    if (const auto dash = text.find('-'); dash != std::string_view::npos) {
        const auto number = count_in(text.substr(0, dash));
        if (!number) return std::nullopt;
        days = *number;
        text.remove_prefix(dash + 1);
    }
    std::vector<std::int64_t> numbers;
    for (const auto part : parts_of(text, ':')) {
        const auto number = count_in(part);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
    }
    if (numbers.size() < 2 || numbers.size() > 3) return std::nullopt;
    const auto hours = days * hours_a_day + (numbers.size() == 3 ? numbers.front() : 0);
    const auto minutes = numbers[numbers.size() - 2] + numbers.back() / s_a_minute;
    return std::chrono::minutes(hours * minutes_an_hour + minutes);
}

std::string partition_lack(std::string_view printed, bool names_it, std::chrono::minutes time) {
    std::string lack;
    for (const auto line : parts_of(printed, '\n')) {
        const auto row = parts_of(line, '|');
        if (row.size() != columns_of_partition) continue;
        const bool is_default = row[0].ends_with('*');
        if (!names_it && !is_default) continue;
        const auto why = lack_of(row, row[0].substr(0, row[0].size() - (is_default ? 1 : 0)), time);
        if (why.empty()) return {};
        if (lack.empty()) lack = why;
    }
    return lack;
}

}  // namespace referee::machines
