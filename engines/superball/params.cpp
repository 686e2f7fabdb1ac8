#include "engines/superball/params.h"

#include <algorithm>
#include <limits>

#include "engines/refusal.h"

namespace engines::superball {
namespace {

constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

void read_colors(json::Reader& params, std::string& into) {
    const auto given = params.optional("colors");
    if (!given) return;
    const auto letters = given.view().string();
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    bool good = letters && !letters->empty() && letters->size() <= colors_max &&
                std::all_of(letters->begin(), letters->end(), is_letter);
    if (good) {
        std::string sorted(*letters);
        std::sort(sorted.begin(), sorted.end());
        good = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    }
    if (good) {
        into = *letters;
    } else {
        given.expected("a string of 1 to 26 different lower-case letters, such as \"pbyrg\"");
    }
}

}  // namespace

base::Result<Rules, SetupError> read_params(json::View params) {
    Rules rules;
    json::Mistakes mistakes;
    const json::Placed given(params, mistakes, "params");
    if (given) given.object(R"({"rows": 8})");
    json::Reader reader(given);
    reader.only({"rows", "cols", "min_score_size", "colors", "pace_us"});
    reader.integer("rows", rules.rows, 1, side_max, "8");
    reader.integer("cols", rules.cols, 1, side_max, "10");
    reader.integer("min_score_size", rules.min_score_size, 1, no_bound, "5");
    read_colors(reader, rules.colors);
    reader.integer("pace_us", rules.pace_us, 0, no_bound, "5000000");
    if (mistakes) return base::failure(refusal(mistakes));
    return rules;
}

std::string write_params(const Rules& rules) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object()
        .member("rows", rules.rows)
        .member("cols", rules.cols)
        .member("min_score_size", rules.min_score_size)
        .member("colors", rules.colors)
        .member("pace_us", rules.pace_us)
        .end_object();
    return text;
}

}  // namespace engines::superball
