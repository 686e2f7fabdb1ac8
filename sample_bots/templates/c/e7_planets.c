// Plays E7 Planets, and badly: it flies at random.
// Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
// engines/e7_planets/RULES.md says what the state holds and what a move looks like.
#include <stdlib.h>

#include "referee_bot.h"

static void choose(rb_game* game) { rb_move_text(game, "%c", "UDLR"[rand() % 4]); }

int main(int argc, char** argv) {
    const rb_player players[] = {{"e7_planets", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "my-bot", players);
}
