// Plays Superball, and badly: it swaps two pieces at random, and never scores.
// Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
// engines/superball/RULES.md says what the state holds and what a move looks like.
#include <ctype.h>
#include <stdlib.h>

#include "referee_bot.h"

enum { PIECES_MAX = 10000 };  // of the largest board

static void choose(rb_game* game) {
    static int rows[PIECES_MAX], columns[PIECES_MAX];
    int count = 0;
    for (int row = 0; row < (int)rb_size(game->state, "board"); ++row) {
        const char* line = rb_text(game->state, "board/%d", row);
        for (int column = 0; line[column]; ++column) {
            if (!isalpha((unsigned char)line[column])) continue;
            rows[count] = row;
            columns[count++] = column;
        }
    }
    if (count < 2) return;  // a board has more pieces than that
    const int one = rand() % count, other = (one + 1 + rand() % (count - 1)) % count;
    rb_move_text(game, "SWAP %d %d %d %d", rows[one], columns[one], rows[other], columns[other]);
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"superball", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "my-bot", players);
}
