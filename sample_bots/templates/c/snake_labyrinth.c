// Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
// Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
// engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.
#include <stdlib.h>
#include <string.h>

#include "referee_bot.h"

static const char letters[] = "NSOE";
static const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};  // a step by these letters

static int is_open(const rb_value* state, long row, long column) {
    if (row < 0 || row >= (long)rb_size(state, "board") || column < 0) return 0;
    const char* line = rb_text(state, "board/%ld", row);
    return column < (long)strlen(line) && line[column] != '#';
}

static void choose(rb_game* game) {
    const long row = rb_int(game->state, "head/0"), column = rb_int(game->state, "head/1");
    char ways[4] = "N";
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        if (is_open(game->state, row + down[i], column + right[i])) ways[count++] = letters[i];
    }
    rb_move_text(game, "%c", ways[count > 0 ? rand() % count : 0]);
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"snake_labyrinth", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "my-bot", players);
}
