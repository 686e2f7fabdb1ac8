#include "referee/net/lobby/bot.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "referee/net/lobby/guesses.h"

namespace referee::lobby {
namespace {

// A bot's login gives back what it took, once within so long: lost links are rarer.
constexpr Duration login_given_back_every = std::chrono::seconds(10);

// The ids of finished games that a late message may still name: as many as one bot can play at
// once.
constexpr auto lately_max = static_cast<std::size_t>(protocol::limits::games_parallel_max);

// So many of a bot's ways are remembered: at home, in the lab, by its two families of addresses.
constexpr std::size_t ways_kept = 8;

// Nothing of a process, or of another bot without an address.
std::optional<clock::Address> address_of(const transport::Transport& transport) {
    namespace ip = boost::asio::ip;
    boost::system::error_code error;
    const auto address = ip::make_address(transport.peer_address(), error);
    if (error) return std::nullopt;
    if (address.is_v4()) return clock::Address::v4(address.to_v4().to_bytes());
    return clock::Address{address.to_v6().to_bytes()};
}

}  // namespace

std::size_t Bot::free_seats() const {
    const auto most = process_ == nullptr ? parallel_ : 1;
    if (!connected() || places_.size() >= most) return 0;
    return most - places_.size();
}

bool Bot::gives_back_login(Instant now) {
    if (now < gives_back_again_) return false;
    gives_back_again_ = now + login_given_back_every;
    return true;
}

Path Bot::path(Instant now) {
    if (session_ == nullptr) return {};
    return allowances_.bounded(connection_, session_->transport().path(now), now);
}

void Bot::connect(std::shared_ptr<session::Session> session, const protocol::Login& login) {
    REFEREE_ASSERT(!connected());
    session_ = std::move(session);
    connection_ = allowances_.enter(address_of(session_->transport()));
    session_->transport().continues(way_from(network_of(session_->transport().peer_address())));
    state_form_ = login.state;
    parallel_ = static_cast<std::size_t>(login.parallel);
    version_ = login.version;
    left_game_.clear();
    games_.assign(login.games.begin(), login.games.end());
}

std::shared_ptr<clock::PathHistory> Bot::way_from(const std::string& network) {
    const auto found = std::ranges::find(ways_, network, &decltype(ways_)::value_type::first);
    auto way = found == ways_.end() ? std::make_shared<clock::PathHistory>() : found->second;
    if (found != ways_.end()) ways_.erase(found);
    ways_.emplace_back(network, way);
    if (ways_.size() > ways_kept) ways_.erase(ways_.begin());
    return way;
}

void Bot::disconnect(session::CloseCause cause) {
    if (session_ != nullptr) goodbye_ = session_->goodbye();
    if (!places_.empty()) left_game_ = places_.front().game->game_id();
    session_.reset();
    allowances_.leave(std::exchange(connection_, nullptr));
    const auto places = places_;  // a copy: a game that ends here removes its own place
    for (const auto& place : places) {
        if (place_in(place.game->game_id()).game != nullptr)
            place.game->on_disconnected(place.seat, cause);
    }
}

void Bot::leave(const SeatedGame& game) {
    lately_.push_back(game.game_id());
    if (lately_.size() > lately_max) lately_.erase(lately_.begin());
    std::erase_if(places_, [&game](const Place& place) { return place.game == &game; });
}

Bot::Place Bot::place_in(std::string_view game_id) const {
    for (const auto& place : places_) {
        if (place.game->game_id() == game_id) return place;
    }
    return {};
}

}  // namespace referee::lobby
