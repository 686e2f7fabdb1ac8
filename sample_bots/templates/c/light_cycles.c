// Plays Light Cycles, and badly: it goes anywhere that nobody has been.
// Where to begin: count the free cells that each step leaves you, and take the step with the most.
// engines/light_cycles/RULES.md says what the state holds and what a move looks like.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee_bot.h"

enum { MOVE_MAX = 4096 };  // bytes of a move

// The state doesn't show the trails, so the bot remembers for each cell whose trail it is: the cycle's number and 1, or 0.
static char* cell(rb_game* game, long x, long y) {
    static char outside;
    const long width = rb_int(game->params, "width"), height = rb_int(game->params, "height");
    if (game->memory == NULL) game->memory = calloc((size_t)(width * height), 1);
    outside = 1;
    if (x < 0 || x >= width || y < 0 || y >= height) return &outside;
    return (char*)game->memory + y * width + x;
}

// A cycle is terminated: its trail is free again.
static void clear(rb_game* game, char cycle) {
    const long size = rb_int(game->params, "width") * rb_int(game->params, "height");
    char* cells = game->memory;
    for (long i = 0; cells != NULL && i < size; ++i) {
        if (cells[i] == cycle) cells[i] = 0;
    }
}

static void choose(rb_game* game) {
    static const int right[] = {0, 1, 0, -1}, down[] = {-1, 0, 1, 0};
    const int count = (int)rb_int(game->params, "cycles_per_team");
    char move[MOVE_MAX] = "";
    for (int i = 0; i < (int)rb_size(game->state, "cycles"); ++i) {
        const long x = rb_int(game->state, "cycles/%d/0", i);
        *cell(game, x, rb_int(game->state, "cycles/%d/1", i)) = (char)(i + 1);
        if (x < 0) clear(game, (char)(i + 1));
    }
    for (int i = game->seat * count; i < (game->seat + 1) * count; ++i) {
        long x = rb_int(game->state, "cycles/%d/0", i), y = rb_int(game->state, "cycles/%d/1", i);
        for (int way = 0; way < 4; ++way) {
            char* to = cell(game, x + right[way], y + down[way]);
            if (*to) continue;
            *to = (char)(i + 1);  // for the other cycles of the team
            x += right[way];
            y += down[way];
            break;
        }
        sprintf(move + strlen(move), "%s[%ld,%ld]", *move ? "," : "", x, y);
    }
    rb_move_json(game, "[%s]", move);
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"light_cycles", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "my-bot", players);
}
