#include "referee/watching/drawing/board_facts.h"

#include "protocol/json/writer.h"

namespace referee::drawing {

std::string state_text(const engines::State& state) {
    std::string text;
    protocol::json::Writer writer(text);
    state.write_state(writer);
    return text;
}

std::string board_facts(showing::Film& film) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object();
    film.write_facts(writer);
    writer.key("state").raw(state_text(film.state(0)));
    writer.key("frames").begin_array().end_array().end_object();
    return text;
}

}  // namespace referee::drawing
