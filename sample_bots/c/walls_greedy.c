// Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to.
#include <string.h>

#include "referee_bot.h"

enum { SIZE_MAX_OF_GAME = 99, FACINGS = 4 };

static const char clockwise[] = "NESW";
static const int down[] = {-1, 0, 1, 0}, right[] = {0, 1, 0, -1};  // a step in these directions

typedef struct Place {
    int row, column, facing;
    char first;  // the move that this way begins with
} Place;

static Place after(Place place, char move) {
    if (!place.first) place.first = move;
    if (move == 'F') {
        place.row += down[place.facing];
        place.column += right[place.facing];
    } else {
        place.facing = (place.facing + (move == 'R' ? 1 : FACINGS - 1)) % FACINGS;
    }
    return place;
}

static char square(const rb_game* game, int row, int column) {
    return rb_text(game->state, "board/%d", row)[column];
}

static int can_enter(const rb_game* game, Place place) {
    const int size = (int)rb_int(game->params, "size"), other = 1 - game->seat;
    if (place.row < 0 || place.row >= size || place.column < 0 || place.column >= size) return 0;
    if (square(game, place.row, place.column) == "AB"[other]) return 0;
    return place.row != rb_int(game->state, "players/%d/at/0", other) || place.column != rb_int(game->state, "players/%d/at/1", other);
}

static char greedy_move(const rb_game* game) {
    static Place places[SIZE_MAX_OF_GAME * SIZE_MAX_OF_GAME * FACINGS];
    static char seen[SIZE_MAX_OF_GAME][SIZE_MAX_OF_GAME][FACINGS];
    int count = 1;
    memset(seen, 0, sizeof seen);
    places[0].row = (int)rb_int(game->state, "players/%d/at/0", game->seat);
    places[0].column = (int)rb_int(game->state, "players/%d/at/1", game->seat);
    places[0].facing = (int)(strchr(clockwise, *rb_text(game->state, "players/%d/facing", game->seat)) - clockwise);
    places[0].first = 0;
    seen[places[0].row][places[0].column][places[0].facing] = 1;
    for (int i = 0; i < count; ++i) {
        const Place place = places[i];
        const int free = square(game, place.row, place.column) == '.';
        if (free && can_enter(game, after(place, 'F'))) return place.first ? place.first : 'F';
        for (const char* move = "FLR"; *move; ++move) {
            const Place next = after(place, *move);
            if (!can_enter(game, next) || seen[next.row][next.column][next.facing]) continue;
            seen[next.row][next.column][next.facing] = 1;
            places[count++] = next;
        }
    }
    return 'L';  // no brick can be had any more
}

static void choose(rb_game* game) {
    rb_move_text(game, "%c", greedy_move(game));
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"walls", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "walls-greedy-c", players);
}
