#include "referee/watching/drawing/move_words.h"

#include "engines/boards.h"
#include "protocol/json/utf8.h"
#include "referee/watching/drawing/board_facts.h"
#include "referee/watching/pages/pages.h"

namespace referee::drawing {

MoveWords::MoveWords(showing::Film& film) {
    const auto board = engines::board_of(film.info().id);
    if (!board) return;
    interpreter_.set("showing_text", board_facts(film));
    const auto begun = interpreter_.run("var board = " + pages::module_as_object(*board) +
                                        ";\nvar facts = JSON.parse(showing_text);\n"
                                        "board.move ? \"words\" : \"\"");
    has_words_ = begun && *begun == "words";
}

std::string MoveWords::of(const std::string& move, engines::Seat seat) {
    if (!has_words_) return {};
    interpreter_.set("move_text", move);
    const auto words = interpreter_.run("board.move(JSON.parse(move_text), " +
                                        std::to_string(seat) + ", facts) || \"\"");
    // Halves of a character that a bot sent are none in JSON.
    return words && protocol::json::is_utf8(*words) ? *words : std::string();
}

}  // namespace referee::drawing
