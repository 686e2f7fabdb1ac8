// Hostile setups and moves of bounded length: typed errors or notes, never a crash.

#include <gtest/gtest.h>

#include "engines/delta.h"
#include "engines/game.h"
#include "tests/engines/conformance/games.h"
#include "tests/engines/conformance/hostile_json.h"

namespace tests {
namespace {

namespace json = protocol::json;

constexpr std::size_t setups_per_game = 1500;
constexpr std::size_t turns_per_setup = 12;
constexpr std::size_t junk_percent = 70;

class Fuzz : public testing::TestWithParam<GameCase> {
 protected:
    const engines::Game& engine() const { return *registry().find(GetParam().id); }

    void play_some(engines::State& state, Random& random, const nlohmann::json& params) {
        for (std::size_t turn = 0; turn < turns_per_setup && !state.over(); ++turn) {
            const auto shown = state_json(state);
            std::vector<std::string> moves;
            std::vector<std::int64_t> used_us;
            for (engines::Seat seat = 0; seat < state.seats(); ++seat) {
                auto move = state.to_move()[seat]
                                ? some_move(GetParam(), random, params, shown, state, seat)
                                : random_json(random);
                if (random.chance(junk_percent)) {
                    move = random.chance(50) ? random_json(random) : mutated(random, move);
                }
                if (state.to_move()[seat]) std::ignore = check(state, seat, move);
                moves.push_back(std::move(move));
                // Up to the largest charge that there is.
                used_us.push_back(
                    static_cast<std::int64_t>((random.next() >> 1U) >> random.below(63)));
            }
            engines::DeltaWriter changes;
            changes.begin(shown.dump());
            play(state, moves, used_us);
            std::string delta;
            json::Writer writer(delta);
            changes.write(state, writer);
            ASSERT_EQ(shown.patch(nlohmann::json::parse(delta)), state_json(state));
        }
        ASSERT_FALSE(state.render().empty());
        if (state.over()) {
            ASSERT_TRUE(outcome_json(state).at("detail").is_object());
        }
    }
};

TEST_P(Fuzz, MutatedSetupsStartOrAreRefusedByMember) {
    Random random(1);
    std::size_t started = 0;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < setups_per_game; ++i) {
        const auto& base = GetParam().setups[i % GetParam().setups.size()];
        const auto text =
            random.chance(10) ? random_json(random) : mutated(random, full_params(engine(), base));
        SCOPED_TRACE(text.substr(0, 2000));
        json::Document document;
        ASSERT_TRUE(document.parse(text));
        auto result = engine().start(document.root(), static_cast<std::uint32_t>(random.next()));
        if (!result) {
            ++refused;
            ASSERT_TRUE(result.error().member.starts_with("params")) << result.error().member;
            ASSERT_FALSE(result.error().message.empty());
            continue;
        }
        ++started;
        const auto full = engine().full_params(document.root());
        ASSERT_EQ(full_params(engine(), full), full);
        play_some(**result, random, nlohmann::json::parse(full));
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(started, 0U) << "start() refuses all params";
    EXPECT_GT(refused, 0U) << "start() takes any params";
}

// Most random bytes are no JSON; what is goes to the engine as params and as a move.
TEST_P(Fuzz, RandomBytes) {
    constexpr std::size_t texts = 5000;
    constexpr std::size_t bytes_max = 40;
    constexpr std::string_view likely = "[]{}\",:0123456789.-eEFLRNSOUD \n";
    Random random(2);
    auto state = start(engine(), GetParam().setups.front());
    for (std::size_t i = 0; i < texts; ++i) {
        std::string text;
        const auto size = random.below(bytes_max);
        while (text.size() < size) {
            text += random.chance(5) ? static_cast<char>(random.next())
                                     : likely[random.below(likely.size())];
        }
        json::Document document;
        if (!document.parse(text)) continue;
        std::ignore = engine().start(document.root(), 1);
        if (state->over()) state = start(engine(), GetParam().setups.front());
        const std::vector<engines::Answer> answers(state->seats(), {document.root(), 1});
        std::vector<engines::Note> notes;
        state->apply(answers, notes);
    }
}

// Files of maps: what ships, spoilt in some bytes, and bytes that a map may be made of.
TEST_P(Fuzz, MapTexts) {
    const auto* maps = engine().maps();
    if (maps == nullptr) return;
    constexpr std::size_t texts = 5000;
    constexpr std::size_t bytes_max = 24;
    constexpr std::string_view likely = "#$!T_oo  \n\n{}[]\":35,-1";
    Random random(3);
    const auto names = maps->names();
    std::size_t good = 0;
    for (std::size_t i = 0; i < texts; ++i) {
        std::string text;
        if (random.chance(50)) {
            text = *maps->text(names[random.below(names.size())]);
            for (auto changes = random.below(4); changes > 0; --changes) {
                const auto at = random.below(text.size());
                if (random.chance(50))
                    text.erase(at, random.below(bytes_max));
                else
                    text[at] = likely[random.below(likely.size())];
                if (text.empty()) break;
            }
        } else {
            if (random.chance(50)) text = "3\n2\n";
            for (auto left = random.below(bytes_max); left > 0; --left) {
                text += random.chance(1) ? static_cast<char>(random.next())
                                         : likely[random.below(likely.size())];
            }
        }
        const auto facts = maps->examine(text);
        if (!facts) {
            ASSERT_FALSE(facts.error().message.empty()) << text;
            // Throws where it is no UTF-8.
            ASSERT_FALSE(nlohmann::json(facts.error().message).dump().empty());
            continue;
        }
        ++good;
        ASSERT_FALSE(maps->picture(text).empty()) << text;
    }
    EXPECT_GT(good, 0U);
}

INSTANTIATE_TEST_SUITE_P(AllGames, Fuzz, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace tests
