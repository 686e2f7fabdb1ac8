// Has no idea in its third answer of a game.
#include <stdlib.h>

#include "referee_bot.h"

static void choose(rb_game* game) {
    int* answers = game->memory;
    if (answers == NULL) answers = game->memory = calloc(1, sizeof *answers);
    if (answers != NULL && ++*answers == 3) rb_debug(game, "no idea");
    else rb_move_text(game, "F");
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"walls", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "thrower", players);
}
