// Plays Walls, and badly: it turns and walks at random.
// Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
// engines/walls/RULES.md says what the state holds and what a move looks like.
#include <stdlib.h>

#include "referee_bot.h"

static void choose(rb_game* game) { rb_move_text(game, "%c", "FLR"[rand() % 3]); }

int main(int argc, char** argv) {
    const rb_player players[] = {{"walls", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "my-bot", players);
}
