#include "tests/sim/timing/timed_room.h"

#include <boost/asio/post.hpp>
#include <sstream>

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

namespace {

using namespace std::chrono_literals;

constexpr Duration dials_within = 2s;

}  // namespace

TimedRoom::TimedRoom(std::uint64_t seed, std::vector<referee::clock::NetworkRange> network)
    : world(seed), random_(seed) {
    referee::lobby::LobbyLimits limits;
    limits.network = std::move(network);
    lobby_ = std::make_unique<referee::lobby::Lobby>(
        world.referee(), world.loop().get_executor(), *this, *this,
        std::vector<std::string>{std::string(game_.info().id)}, limits, "1.0");
}

TimedRoom::~TimedRoom() {
    tables_.clear();
    lobby_->close_all(protocol::ByeReason::shutdown, "the test is over");
    bots_.clear();
    world.pass(1min);
    lobby_.reset();
}

TimedBot& TimedRoom::add(const std::string& name, const LineTraits& line,
                         const Answering& answering) {
    auto& bot = *bots_.emplace_back(
        std::make_unique<TimedBot>(world, name, line, answering, Random(random_.next()), truths_));
    const auto dial = [this](const std::shared_ptr<Line>& dialled) {
        boost::asio::post(world.loop(), [this, dialled] { lobby_->admit(dialled->transport()); });
    };
    bot.dials(dial);
    dial(bot.shared_line());
    world.run([&] { return lobby_->bot(name).connected(); }, dials_within);
    return bot;
}

referee::table::Table& TimedRoom::open(const std::vector<std::string>& bots,
                                       const referee::clock::ClockConfig& clock,
                                       std::int64_t turns) {
    referee::play::PlaySetup setup;
    setup.key = {"t", 1, static_cast<std::uint32_t>(tables_.size() + 1), 1};
    setup.game = &game_;
    setup.params =
        R"({"turns":)" + std::to_string(turns) + R"(,"seats":)" + std::to_string(bots.size()) + "}";
    setup.bots = bots;
    setup.clock = referee::clock::completed(clock);
    std::vector<referee::lobby::Bot*> seats;
    for (const auto& name : bots) seats.push_back(&lobby_->bot(name));
    ++playing_;
    auto& table = *tables_.emplace_back(std::make_unique<referee::table::Table>(
        setup, referee::table::MatchFacts{"t/1", 1, false}, seats, world.referee(), *stalls_,
        cores_, [this](referee::table::Table& done) {
            --playing_;
            if (!counts(done.play().result().status))
                annulled_.push_back(done.play().result().reason);
        }));
    table.watch(*this);
    boost::asio::post(world.loop(), [&table] { table.start(); });
    return table;
}

bool TimedRoom::play(Duration at_most) {
    return world.run([this] { return playing_ == 0; }, at_most);
}

std::shared_ptr<const Line> TimedRoom::line_of(const std::string& bot) const {
    const auto found =
        std::ranges::find_if(bots_, [&](const auto& one) { return one->name() == bot; });
    return (*found)->shared_line();
}

void TimedRoom::on_position(const referee::table::Table& table) {
    const auto& play = table.play();
    for (engines::Seat seat = 0; seat < table.bots().size(); ++seat) {
        const auto last = play.last(seat);
        if (!last || last->turn != play.turns_played()) continue;
        Judged verdict{{table.game_id(), last->turn, table.bots()[seat]->name()},
                       last->charge,
                       std::string(last->stall_cause),
                       last->allowance,
                       play.clock().budget,
                       last->move != "null",
                       world.now(),
                       {},
                       line_of(table.bots()[seat]->name())};
        const auto found = truths_.find(verdict.key);
        if (found != truths_.end()) verdict.truth = found->second;
        if (verdict.truth.line != nullptr) verdict.line = verdict.truth.line;
        verdicts_.push_back(std::move(verdict));
    }
}

std::string describe(const Judged& verdict) {
    const auto ms = [](Duration time) {
        return std::to_string(double(time.count()) / 1e6) + " ms";
    };
    const auto& [game, turn, bot] = verdict.key;
    const auto& charge = verdict.charge;
    const auto& truth = verdict.truth;
    std::ostringstream text;
    text << game << " turn " << turn << " of " << bot << ": budget " << ms(verdict.budget)
         << ", thought " << ms(truth.thought) << ", way " << ms(truth.way()) << ", true wall "
         << ms(truth.wall()) << "; charged " << ms(charge.charged) << ", wall " << ms(charge.wall)
         << ", allowed " << ms(charge.allowed) << ", waited " << ms(charge.waited) << ", corrected "
         << ms(charge.corrected) << " (" << verdict.stall_cause << "), doubted "
         << ms(charge.doubted) << (charge.late ? ", late" : "") << (charge.flag ? ", flag" : "")
         << (charge.suspect ? ", suspect" : "");
    return text.str();
}

}  // namespace tests::sim::timing
