// Plays Snake Labyrinth: steps to the nearest coin while that leaves time, then to the nearest exit.
#include <string.h>

#include "referee_bot.h"

enum { SIDE_MAX = 256, STEPS_KEPT = 100 };  // of a board; for the way out

static const char letters[] = "NESO";
static const int down[] = {-1, 0, 1, 0}, right[] = {0, 1, 0, -1};  // a step by these letters

typedef struct Board {
    const char* rows[SIDE_MAX];
    int height, width, head_row, head_column;
} Board;

static Board board_of(const rb_value* state) {
    Board board;
    board.height = (int)rb_size(state, "board");
    for (int row = 0; row < board.height; ++row) board.rows[row] = rb_text(state, "board/%d", row);
    board.width = (int)strlen(board.rows[0]);
    board.head_row = (int)rb_int(state, "head/0");
    board.head_column = (int)rb_int(state, "head/1");
    return board;
}

// The first step of a shortest way to the next target; 0 where there is none.
static char step_to(char target, const Board* board) {
    static struct {
        int row, column;
        char first;
    } places[SIDE_MAX * SIDE_MAX];
    static char seen[SIDE_MAX][SIDE_MAX];
    int count = 1;
    memset(seen, 0, sizeof seen);
    places[0].row = board->head_row;
    places[0].column = board->head_column;
    places[0].first = 0;
    seen[board->head_row][board->head_column] = 1;
    for (int i = 0; i < count; ++i) {
        if (i > 0 && board->rows[places[i].row][places[i].column] == target) return places[i].first;
        for (int way = 0; letters[way]; ++way) {
            const int row = places[i].row + down[way], column = places[i].column + right[way];
            if (row < 0 || row >= board->height || column < 0 || column >= board->width || seen[row][column]) continue;
            const char cell = board->rows[row][column];
            if (cell == '#' || (cell == '_' && target != '_')) continue;
            seen[row][column] = 1;
            places[count].row = row;
            places[count].column = column;
            places[count++].first = i > 0 ? places[i].first : letters[way];
        }
    }
    return 0;
}

static void choose(rb_game* game) {
    const Board board = board_of(game->state);
    const int in_time = rb_int(game->state, "steps") + STEPS_KEPT < rb_int(game->params, "max_steps");
    char step = in_time ? step_to('$', &board) : 0;
    rb_debug(game, step ? "to a coin" : "to the exit");
    if (!step) step = step_to('_', &board);
    rb_move_text(game, "%c", step ? step : 'N');
}

int main(int argc, char** argv) {
    const rb_player players[] = {{"snake_labyrinth", choose}, {NULL, NULL}};
    return rb_play(argc, argv, "snake-coins-c", players);
}
