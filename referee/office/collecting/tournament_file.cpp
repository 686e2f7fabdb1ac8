#include "referee/office/collecting/tournament_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "protocol/json/writer.h"
#include "referee/office/collecting/submission_file.h"
#include "referee/office/report/output_folder.h"

namespace referee::collecting {
namespace {

namespace json = protocol::json;

// What a game needs beside its name; the instructor changes it at will.
struct Sample {
    std::string_view game;
    std::string_view setups;  // JSON; empty: none are needed
    std::size_t seats = 2;
};
constexpr std::array samples = {
    Sample{"e7_planets", R"([{"map": "one_scrap"}, {"map": "two_scrap"}])", 2},
    Sample{"snake_labyrinth", R"([{"maze": "handout"}])", 2},
    Sample{"light_cycles", "", 4},
};

Sample sample_of(const std::string& game) {
    const auto* const found =
        std::find_if(samples.begin(), samples.end(),
                     [&game](const auto& sample) { return sample.game == game; });
    return found == samples.end() ? Sample{game, {}, 2} : *found;
}

void write_bot(json::Writer& writer, const Collected& submission, const matching::ClassList& people,
               const kinds::Kind* kind) {
    const auto& built = submission.built;
    writer.begin_object();
    writer.member("name", submission.name);
    const auto& team = people.people()[submission.people.front()].team;
    if (!team.empty()) writer.member("team", team);
    write_played(writer, played_as(built, kind), "launch");
    const auto folder = std::filesystem::path("submissions") /
                        report::folder_name_of(submission.name) / build_folder_name / built.within;
    auto directory = folder.lexically_normal().string();
    if (directory.ends_with('/')) directory.pop_back();
    writer.member("directory", directory);
    writer.end_object();
}

}  // namespace

base::Result<std::string, std::string> tournament_text(const Terms& terms,
                                                       const Collection& collection,
                                                       const matching::ClassList& people) {
    const auto sample = sample_of(terms.game);
    std::string out;
    json::Writer writer(out);
    writer.begin_object();
    writer.key("listen").begin_object();
    writer.member("address", "127.0.0.1").member("port", 0).end_object();
    std::size_t count = 0;
    writer.key("bots").begin_array();
    for (const auto& submission : collection.submissions) {
        if (submission.built.run.empty()) continue;
        write_bot(writer, submission, people, terms.kind);
        ++count;
    }
    writer.end_array();
    if (count < sample.seats) {
        return base::failure("a tournament of " + terms.game + " needs " +
                             std::to_string(sample.seats) + " submissions that can play, found " +
                             std::to_string(count));
    }
    writer.key("tournaments").begin_array().begin_object();
    writer.member("id", "submissions").member("game", terms.game);
    if (!sample.setups.empty()) writer.key("setups").raw(sample.setups);
    writer.key("format").begin_object().member("kind", "round_robin");
    if (sample.seats > 2) writer.member("seats", std::uint64_t{sample.seats});
    writer.end_object().end_object().end_array().end_object();
    return out + "\n";
}

}  // namespace referee::collecting
