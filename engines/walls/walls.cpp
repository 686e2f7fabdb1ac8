#include "engines/walls/walls.h"

#include <array>

#include "engines/walls/position.h"
#include "engines/walls/state.h"
#include "protocol/base/assertion.h"

namespace engines::walls {
namespace {

constexpr std::array<std::string_view, 3> reference_bots = {"walls-random", "walls-greedy",
                                                            "walls-minimax"};
constexpr std::int64_t turn_budget_us = 1'000'000;
// Each player moves first once; everybody keeps its seat.
constexpr std::uint32_t match_games = 2;
constexpr std::array<std::string_view, match_games> match_setups = {R"({"first":0})",
                                                                    R"({"first":1})"};

struct Params {
    int size = size_default;
    int first = 0;
};

std::string found(json::View view) {
    if (view.kind() != json::Kind::integer) return std::string(json::describe(view.kind()));
    std::string text;
    json::Writer writer(text);
    view.write(writer);
    return text;
}

std::optional<SetupError> read_size(json::View view, int& size) {
    const auto value = view.integer();
    if (!value || *value < size_min || *value > size_max || *value % 2 == 0) {
        return SetupError{"params.size", "expected an odd integer from " +
                                             std::to_string(size_min) + " to " +
                                             std::to_string(size_max) + ", found " + found(view)};
    }
    size = static_cast<int>(*value);
    return {};
}

std::optional<SetupError> read_first(json::View view, int& first) {
    const auto value = view.integer();
    if (!value || *value < 0 || *value >= players) {
        return SetupError{"params.first",
                          "expected 0 or 1, the player that moves first, found " + found(view)};
    }
    first = static_cast<int>(*value);
    return {};
}

std::variant<Params, SetupError> read_params(json::View view) {
    Params params;
    if (!view) return params;
    if (!view.is_object()) {
        return SetupError{
            "params",
            "expected an object such as {\"size\": 5, \"first\": 0}, found " + found(view)};
    }
    for (const auto& [name, value] : view.members()) {
        std::optional<SetupError> error;
        if (name == "size") {
            error = read_size(value, params.size);
        } else if (name == "first") {
            error = read_first(value, params.first);
        } else {
            error = SetupError{"params." + std::string(name),
                               "Walls has no such parameter; it has \"size\" and \"first\""};
        }
        if (error) return *error;
    }
    return params;
}

std::string params_text(const Params& params) {
    std::string text;
    json::Writer(text)
        .begin_object()
        .member("size", params.size)
        .member("first", params.first)
        .end_object();
    return text;
}

class WallsGame final : public Game {
 public:
    WallsGame() {
        info_.id = "walls";
        info_.title = "Walls";
        info_.seats_min = info_.seats_max = info_.seats_default = players;
        info_.clock.budget_us = turn_budget_us;
        info_.match.games = match_games;
        info_.match.seats_rotate = false;
        info_.match.setups = match_setups;
        info_.move_example = "\"F\"";
        info_.reference_bots = reference_bots;
    }

    const GameInfo& info() const override { return info_; }

    StartResult start(json::View view, std::uint32_t) const override {
        auto params = read_params(view);
        if (auto* error = std::get_if<SetupError>(&params)) return std::move(*error);
        const auto& [size, first] = std::get<Params>(params);
        return std::make_unique<WallsState>(size, first);
    }

    std::string full_params(json::View view) const override {
        const auto params = read_params(view);
        REFEREE_ASSERT(std::holds_alternative<Params>(params));
        return params_text(std::get<Params>(params));
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats != players) return {};
        return params_text({});
    }

    std::optional<std::string> move_from_text(std::string_view line) const override {
        constexpr std::string_view blank = " \t\r\n";
        const auto begin = line.find_first_not_of(blank);
        if (begin == std::string_view::npos) return {};
        const auto word = line.substr(begin, line.find_last_not_of(blank) - begin + 1);
        if (word == "F" || word == "f") return "\"F\"";
        if (word == "L" || word == "l") return "\"L\"";
        if (word == "R" || word == "r") return "\"R\"";
        return {};
    }

 private:
    GameInfo info_;
};

}  // namespace

std::unique_ptr<Game> make_game(const Resources&) {
    return std::make_unique<WallsGame>();
}

}  // namespace engines::walls
