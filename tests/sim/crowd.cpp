#include "tests/sim/crowd.h"

#include "tests/json.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t first_number = 1'000'000;  // of its links: apart from those of bots
constexpr std::size_t connections_most = 800;
// No bot takes as long to log in as this crowd to fill the places of an address: see config_of().
constexpr Duration idles_every = 200ms;
constexpr Duration guesses_every = 50ms;
constexpr std::string_view elsewhere = "another place";

}  // namespace

Crowd::Crowd(World& world, Random random, std::vector<std::string> names, RunReport& report,
             Admit admit)
    : world_(world),
      random_(random),
      names_(std::move(names)),
      report_(report),
      admit_(std::move(admit)) {}

void Crowd::begin() {
    idle();
    guess();
}

void Crowd::idle() {
    if (over_ || report_.crowd >= connections_most) return;
    dial(LinkTraits{}.address);
    world_.later(idles_every, [this] { idle(); });
}

void Crowd::guess() {
    if (over_ || report_.crowd >= connections_most || names_.empty()) return;
    const auto link = dial(std::string(elsewhere));
    const auto& name = names_[random_.below(names_.size())];
    link->send(R"({"type":"login","name":)" + nlohmann::json(name).dump() +
               R"(,"token":"guessed","password":"guessed","games":["walls"]})" + "\n");
    world_.later(guesses_every, [this] { guess(); });
}

std::shared_ptr<Link> Crowd::dial(const std::string& address) {
    LinkTraits traits{.address = address};
    const auto link = std::make_shared<Link>(world_, first_number + ++report_.crowd, traits,
                                             Random(random_.next()), *this, nullptr);
    links_.push_back(link);
    admit_(link);
    return link;
}

void Crowd::on_bytes(Link& /*link*/, std::string_view bytes) {
    const auto says = [bytes](std::string_view text) { return bytes.find(text) != bytes.npos; };
    if (says(R"("type":"welcome")")) let_in_ = true;
    if (says(R"("code":"wrong_)")) ++report_.crowd_refused;
    if (says(R"("code":"too_many_connections")")) ++report_.crowd_shown_out;
    if (says(R"("code":"too_many_tries")")) ++report_.crowd_turned_away;
}

void Crowd::leave() {
    for (const auto& link : links_) link->break_off();
    links_.clear();
}

void Crowd::end() {
    over_ = true;
    for (const auto& link : links_) link->close();
}

}  // namespace tests::sim
