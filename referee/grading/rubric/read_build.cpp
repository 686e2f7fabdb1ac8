// How what was handed in is built: the handout's command, where it has one.

#include "protocol/json/printable.h"
#include "referee/game/clock/written_time.h"
#include "referee/grading/rubric/sections.h"

namespace referee::rubric {
namespace {

constexpr auto build_time_least = std::chrono::seconds(1);
constexpr auto build_time_most = std::chrono::hours(1);
constexpr std::uint64_t memory_mb_least = 64;
constexpr std::uint64_t memory_mb_most = 1U << 20;

// A line of a shell's, shown on the rubric's page.
std::string line_of(json::Reader& reader, std::string_view member, std::string_view example) {
    const auto given = reader.optional(member);
    if (!given) return {};
    const auto text = given.text();
    if (!text) return {};
    if (text->empty() || !json::is_one_printable_line(*text))
        given.expected("one line of text, such as \"" + std::string(example) + '"');
    return std::string(*text);
}

}  // namespace

Build read_build(const json::Placed& object) {
    Build build;
    if (!object) return build;
    json::Reader reader(object);
    build.command = line_of(reader, "command", "gcc -O2 *.c -o bot");
    build.within = line_of(reader, "in", "iap");
    build.run = read_command(reader.optional_array("run"), R"(["./iap"])");
    build.kind = line_of(reader, "kind", "snake-challenge");
    Duration time = Duration::zero();
    clock::read_time(reader, "within", time);
    if (reader.has("within")) {
        build.time = time;
        if (time < build_time_least || time > build_time_most)
            reader.wrong("within", "expected 1s to 1h, such as \"2m\"");
    }
    std::uint64_t memory_mb = 0;
    if (reader.has("memory_mb")) {
        reader.integer("memory_mb", memory_mb, memory_mb_least, memory_mb_most);
        build.memory_mb = memory_mb;
    }
    reader.no_others();
    return build;
}

}  // namespace referee::rubric
