#include "sample_bots/cpp/superball/reading.h"

#include "engines/superball/superball.h"

namespace bots::superball {

std::optional<engines::superball::Rules> read_rules(protocol::json::View params) {
    auto read = engines::superball::read_params(params);
    return read ? std::optional(*std::move(read)) : std::nullopt;
}

std::optional<engines::superball::Board> read_board(const engines::superball::Rules& rules,
                                                    protocol::json::View state) {
    const auto rows = state.find("board");
    if (rows.size() != static_cast<std::size_t>(rules.rows) || !rows.is_array())
        return std::nullopt;
    engines::superball::Board board(rules);
    int row = 0;
    for (const auto element : rows.elements()) {
        const auto letters = element.string();
        if (!letters || !board.set_row(row++, *letters)) return std::nullopt;
    }
    return board;
}

}  // namespace bots::superball
