#pragma once

// The smallest way to a bot in C: write a function, call rb_play().
//
//     #include "referee_bot.h"
//
//     static void choose(rb_game* game) { rb_move_text(game, "F"); }
//
//     int main(int argc, char** argv) {
//         const rb_player players[] = {{"walls", choose}, {NULL, NULL}};
//         return rb_play(argc, argv, "my-bot", players);
//     }
//
// Built by: cc -std=c99 -o my_bot my_bot.c referee_bot.c referee_json.c. README.md says where the
// bot finds the referee.

#include <stddef.h>

// A part of a state: an object, a list, a text, a number, true, false or null. It belongs to the
// kit.
typedef struct rb_value rb_value;

// A game that is on. What it points to is valid until the function that was given it returns.
typedef struct rb_game {
    const char* id;
    const char* kind;         // "walls"
    int seat;                 // your own, counted from 0
    const rb_value* names;    // the players' names, by seat
    const rb_value* params;   // the setup, with all defaults filled in
    const rb_value* state;    // as the game's page describes it
    const rb_value* last;     // how your last turn went; NULL in the first
    const rb_value* history;  // after a reconnect: lists of turns with `moves`; else NULL
    long turn;
    long long budget_us;  // what this turn may take
    int resumed;          // the connection was lost, and the game goes on
    void* memory;         // yours, from malloc(): the kit frees it when the game is over
} rb_game;

typedef struct rb_player {
    const char* game;  // "walls"
    void (*choose)(
        rb_game* game);  // calls rb_move_text or rb_move_json; without, the turn is given away
} rb_player;

// Reading. The path has names and places, as printf would write it: rb_int(game->state,
// "players/%d/at/0", seat). An empty path is the value itself. Where nothing is there, the answer
// is NULL, 0 or "".
const rb_value* rb_get(const rb_value* value, const char* path, ...);
long rb_int(const rb_value* value, const char* path, ...);
double rb_number(const rb_value* value, const char* path, ...);
const char* rb_text(const rb_value* value, const char* path, ...);
int rb_true(const rb_value* value, const char* path, ...);
size_t rb_size(const rb_value* value, const char* path, ...);  // of a list or an object

// The answer: a text such as F, or any JSON such as [[1,2],[3,4]], as printf would write it.
void rb_move_text(rb_game* game, const char* format, ...);
void rb_move_json(rb_game* game, const char* format, ...);

// A note to yourself, kept beside this turn's move.
void rb_debug(rb_game* game, const char* format, ...);

// Milliseconds of this turn that are left, seen from here; the way to the referee isn't in it.
double rb_left_ms(const rb_game* game);

// Plays until the referee says goodbye. `players` ends with {NULL, NULL}. Gives the program's exit
// status: 0; 1 where the bot failed; 2 where the login was refused or an option is wrong; 3 where
// there is no connection. With the option --self-play [GAME] the bot plays against itself, by the
// program `referee` in PATH. While the protocol runs over standard output, what the program prints
// goes to standard error.
int rb_play(int argc, char** argv, const char* name, const rb_player* players);
