// Learns the champion's weights by playing: superball-train TURNS SEED > weights.cpp
//
// Temporal differences. A board that a move leaves, before the next pieces come, is worth the
// share of the turns to come that the player will still be in, later ones discounted: 1 for ever,
// 0 where the game is over. After each turn the worth of the board before is moved towards what
// the next board says. Each weight's own rate falls when its corrections contradict each other. In
// the last part of the turns the rate is lower, and the weights' mean over that part is what comes
// out.

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "engines/superball/position.h"
#include "sample_bots/cpp/superball/champion/search.h"

namespace {

using namespace bots::superball;
using namespace bots::superball::champion;

constexpr int exit_bad_input = 2;
constexpr double rate_first = 0.5;
constexpr double rate_last = 0.1;
constexpr double share_first = 0.6;           // of the turns
constexpr std::uint64_t refresh_turns = 200;  // the player goes by the new weights every so often
constexpr std::uint64_t report_turns = 100'000;
constexpr double millionths = 1e6;

// One number being learned.
struct Learned {
    double value = 0;
    double mean_sum = 0;
    double corrections = 1e-3;       // summed with their signs
    double corrections_size = 1e-3;  // and without

    void correct(double step) {
        value += std::abs(corrections) / corrections_size * step;
        corrections += step;
        corrections_size += std::abs(step);
    }
};

class Trainer {
 public:
    explicit Trainer(std::uint64_t seed)
        : board_(engines::superball::Rules()),
          field_(board_),
          search_(field_, engines::superball::Rules().min_score_size, seed, shown_),
          random_(seed) {
        begin();
    }

    void run(std::uint64_t turns_max) {
        std::uint64_t reported_games = 0;
        while (turns_ < turns_max) {
            play_game(turns_max);
            games_ += 1;
            if (turns_ / report_turns == reported_turns_ / report_turns) continue;
            std::fprintf(stderr, "%llu turns, %llu games; lately %.0f turns a game\n",
                         static_cast<unsigned long long>(turns_),
                         static_cast<unsigned long long>(games_),
                         static_cast<double>(turns_ - reported_turns_) /
                             static_cast<double>(games_ - reported_games));
            reported_turns_ = turns_;
            reported_games = games_;
        }
        refresh(true);
    }

    const LearnedWeights& learned() const { return shown_; }

 private:
    // The board that a move left, as what it has of each weight.
    struct Left {
        struct Feature {
            std::size_t weight;
            double amount;
        };
        std::vector<Feature> features;
        int filling = 0;
        BetweenKnots between;
    };

    // Large groups are good, near the goal cells more so: enough to begin with.
    void begin() {
        for (auto& knot : by_knot_) {
            for (int zone = 0; zone < zones; ++zone) {
                for (int size = 0; size < sizes; ++size) {
                    constexpr double unit = 0.004;
                    constexpr double power = 1.5;
                    constexpr double at_goal = 1.3;
                    knot[static_cast<std::size_t>(group_begin + zone * sizes + size)].value =
                        unit * std::pow(size, power) * (zone == 0 ? at_goal : 1);
                }
            }
        }
        for (int filling = 0; filling < fillings; ++filling) {
            constexpr double unit = 0.1;
            by_filling_[static_cast<std::size_t>(filling)].value = unit * (fillings - 1 - filling);
        }
        refresh(false);
    }

    template <typename Do>
    void each(const Do& action) {
        for (std::size_t knot = 0; knot < by_knot_.size(); ++knot) {
            for (std::size_t i = 0; i < by_knot_[knot].size(); ++i) {
                action(by_knot_[knot][i], shown_.by_knot[knot][i]);
            }
        }
        for (std::size_t i = 0; i < by_filling_.size(); ++i)
            action(by_filling_[i], shown_.by_filling[i]);
    }

    void refresh(bool to_means) {
        const bool means = to_means && means_ > 0;
        each([&](Learned& number, std::int32_t& shown) {
            const double value =
                means ? number.mean_sum / static_cast<double>(means_) : number.value;
            shown = static_cast<std::int32_t>(std::lround(value * millionths));
        });
        search_.evaluation().forget();
    }

    void slow_down() {
        rate_ = rate_last;
        each([](Learned& number, std::int32_t&) { number = {.value = number.value}; });
    }

    void play_game(std::uint64_t turns_max) {
        Pieces pieces;
        pieces.colors = board_.colors();
        std::optional<Left> left;
        search_.deal(pieces, engines::superball::dealt_after_swap, random_);
        for (;;) {
            const auto choice = search_.best(pieces);
            if (left) {
                learn(*left,
                      choice ? 1 - discount + discount * static_cast<double>(choice->worth) : 0);
            }
            if (!choice) return;
            play(pieces, *choice);
            left = describe(pieces, dealt_after(*choice));
            search_.deal(pieces, dealt_after(*choice), random_);
            turns_ += 1;
            if (turns_ % refresh_turns == 0) {
                refresh(false);
                const bool last_part =
                    static_cast<double>(turns_) > share_first * static_cast<double>(turns_max);
                if (last_part && rate_ != rate_last) slow_down();
                if (last_part) {
                    means_ += 1;
                    each([](Learned& number, std::int32_t&) { number.mean_sum += number.value; });
                }
            }
        }
    }

    Left describe(const Pieces& pieces, int dealt) {
        Left left;
        const Bits empty = field_.all() & ~pieces.taken();
        for (int color = 0; color < pieces.colors; ++color) {
            search_.evaluation().visit(
                pieces.of[static_cast<std::size_t>(color)], empty,
                [&](std::size_t weight, float amount) {
                    left.features.push_back({weight, static_cast<double>(amount)});
                });
        }
        left.filling = filling_of(count(empty) - dealt);
        left.between = between_knots(left.filling);
        return left;
    }

    void learn(const Left& left, double target) {
        auto& lower = by_knot_[left.between.knot];
        auto& upper = by_knot_[left.between.knot + 1];
        auto& base = by_filling_[static_cast<std::size_t>(left.filling)];
        const double share = static_cast<double>(left.between.share);
        double worth = base.value;
        double norm = 1;
        for (const auto& [weight, amount] : left.features) {
            worth += amount * (share * lower[weight].value + (1 - share) * upper[weight].value);
            norm += amount * amount * (share * share + (1 - share) * (1 - share));
        }
        const double step = rate_ * (target - worth) / norm;
        for (const auto& [weight, amount] : left.features) {
            if (share > 0) lower[weight].correct(step * amount * share);
            if (share < 1) upper[weight].correct(step * amount * (1 - share));
        }
        base.correct(step);
    }

    Board board_;
    Field field_;
    LearnedWeights shown_{};  // what the player goes by
    Search search_;
    base::SplitMix random_;
    std::array<std::array<Learned, weights_count>, knots> by_knot_{};
    std::array<Learned, fillings> by_filling_{};
    double rate_ = rate_first;
    std::uint64_t turns_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t reported_turns_ = 0;
    std::uint64_t means_ = 0;
};

template <typename Numbers>
void print(const Numbers& numbers) {
    constexpr std::size_t per_line = 12;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::printf("%s%d,", i % per_line == 0 ? "\n        " : " ", numbers[i]);
    }
}

void print_source(const LearnedWeights& learned) {
    std::printf(
        "#include \"sample_bots/cpp/superball/champion/evaluation.h\"\n\n"
        "// Written by superball-train; not meant to be changed by hand.\n\n"
        "namespace bots::superball::champion {\n\n"
        "// clang-format off\n"
        "const LearnedWeights learned_weights{\n    .by_knot = {{");
    for (const auto& knot : learned.by_knot) {
        std::printf("\n        {{");
        print(knot);
        std::printf("\n        }},");
    }
    std::printf("\n    }},\n    .by_filling = {{");
    print(learned.by_filling);
    std::printf("\n    }},\n};\n// clang-format on\n\n}  // namespace bots::superball::champion\n");
}

std::optional<std::uint64_t> read_number(const char* text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text, text + std::strlen(text), number);
    if (read.ec != std::errc() || *read.ptr != '\0') return std::nullopt;
    return number;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int arguments = 3;
    const auto turns = argc == arguments ? read_number(argv[1]) : std::nullopt;
    const auto seed = argc == arguments ? read_number(argv[2]) : std::nullopt;
    if (!turns || !seed) {
        std::fprintf(stderr, "usage: superball-train TURNS SEED > weights.cpp\n");
        return exit_bad_input;
    }
    Trainer trainer(*seed);
    trainer.run(*turns);
    print_source(trainer.learned());
    return 0;
}
