#include "tests/sim/timing/counting_game.h"

namespace tests::sim::timing {
namespace {

namespace json = engines::json;

struct Plan {
    std::int64_t turns = 1;
    std::size_t seats = 1;
};

class CountingState final : public engines::State {
 public:
    explicit CountingState(Plan plan) : plan_(plan) {}
    std::size_t seats() const override { return plan_.seats; }
    engines::Seats to_move() const override {
        engines::Seats all;
        if (done_ == plan_.turns) return all;
        for (std::size_t seat = 0; seat < plan_.seats; ++seat) all.set(seat);
        return all;
    }
    void apply(std::span<const engines::Answer> /*answers*/,
               std::vector<engines::Note>& /*notes*/) override {
        ++done_;
    }
    void forfeit(engines::Seat /*seat*/) override { done_ = plan_.turns; }
    void write_state(json::Writer& writer) const override {
        writer.begin_object().member("done", done_).end_object();
    }
    engines::CheckResult check(engines::Seat /*seat*/, json::View /*move*/) const override {
        return {};
    }
    engines::Outcome outcome() const override {
        return {std::vector<engines::Score>(plan_.seats), std::vector<int>(plan_.seats, 1), "{}"};
    }
    std::string render() const override { return std::to_string(done_) + "\n"; }
    std::unique_ptr<engines::State> clone() const override {
        return std::make_unique<CountingState>(*this);
    }

 private:
    Plan plan_;
    std::int64_t done_ = 0;
};

}  // namespace

const engines::GameInfo& CountingGame::info() const {
    static const engines::GameInfo facts{.id = "counting",
                                         .title = "Counting",
                                         .seats_max = engines::seats_max,
                                         .simultaneous = true,
                                         .clock = {.budget_us = 1'000'000},
                                         .move_example = "1",
                                         .reference_bots = {}};
    return facts;
}

engines::StartResult CountingGame::start(json::View params, std::uint32_t /*seed*/) const {
    const auto turns = params.find("turns").integer();
    const auto seats = params.find("seats").integer();
    return std::make_unique<CountingState>(
        Plan{turns.value_or(1), static_cast<std::size_t>(seats.value_or(1))});
}

std::string CountingGame::full_params(json::View params) const {
    return params.json_text();
}

std::optional<std::string> CountingGame::params_for(std::size_t seats) const {
    return R"({"turns":20,"seats":)" + std::to_string(seats) + "}";
}

}  // namespace tests::sim::timing
