#include "referee/store/records/journal.h"

#include "protocol/base/names.h"

namespace referee::records {
namespace {

constexpr std::array<base::Named<TournamentState>, 5> states{{
    {TournamentState::waiting, "waiting"},
    {TournamentState::running, "running"},
    {TournamentState::paused, "paused"},
    {TournamentState::aborted, "aborted"},
    {TournamentState::finished, "finished"},
}};
static_assert(base::in_order(states));

constexpr std::array<base::Named<PairOrder>, 2> pair_orders{{
    {PairOrder::forbidden, "forbidden"},
    {PairOrder::lifted, "lifted"},
}};
static_assert(base::in_order(pair_orders));

constexpr std::array<base::Named<ByeOrder>, 3> bye_orders{{
    {ByeOrder::half_point, "half_point"},
    {ByeOrder::zero_point, "zero_point"},
    {ByeOrder::taken_back, "taken_back"},
}};
static_assert(base::in_order(bye_orders));

constexpr std::array<base::Named<ManualPairingOrder>, 2> manual_pairing_orders{{
    {ManualPairingOrder::paired, "paired"},
    {ManualPairingOrder::taken_back, "taken_back"},
}};
static_assert(base::in_order(manual_pairing_orders));

}  // namespace

std::string_view name_of(TournamentState state) {
    return base::row_of(states, state).name;
}

std::optional<TournamentState> state_named(std::string_view name) {
    return base::value_named(states, name);
}

std::string_view name_of(PairOrder order) {
    return base::row_of(pair_orders, order).name;
}

std::optional<PairOrder> pair_order_named(std::string_view name) {
    return base::value_named(pair_orders, name);
}

std::string_view name_of(ByeOrder order) {
    return base::row_of(bye_orders, order).name;
}

std::optional<ByeOrder> bye_order_named(std::string_view name) {
    return base::value_named(bye_orders, name);
}

std::string_view name_of(ManualPairingOrder order) {
    return base::row_of(manual_pairing_orders, order).name;
}

std::optional<ManualPairingOrder> manual_pairing_order_named(std::string_view name) {
    return base::value_named(manual_pairing_orders, name);
}

}  // namespace referee::records
