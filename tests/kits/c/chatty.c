// Prints to standard output by habit, and reads.
#include <stdio.h>

#include "referee_bot.h"

static void choose(rb_game* game) {
    getchar();
    printf("thinking about turn %ld\n", game->turn);
    rb_move_text(game, "F");
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"walls", choose}, {NULL, NULL}};
    printf("chatty begins\n");
    return rb_play(argc, argv, "chatty", players);
}
