#pragma once

#include <string>
#include <string_view>

#include "engines/game.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

// What changed from one state of a game to the next, for bots that ask for no whole states.

namespace engines {

// An RFC 6902 patch of `add`, `replace` and `remove` operations that turns one value into the
// other. Elements of arrays that only moved are not written again, as long as the arrays are short.
// Where all operations together would be longer than the new value, the patch has that value
// instead.
void write_difference(json::Writer& writer, json::View before, json::View after);

// Follows a game from change to change.
class DeltaWriter {
 public:
    // Begins, or begins again, at the state that has this text.
    void begin(std::string_view state_text);
    // After an apply() or forfeit(): what it changed. Requires begin(), and a call for each change
    // since.
    void write(const State& state, json::Writer& writer);

 private:
    bool computes_ = true;  // until the game has written a delta of its own
    std::string before_, after_;
    json::Document before_document_, after_document_;
};

}  // namespace engines
