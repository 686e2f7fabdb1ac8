#pragma once

// JSON as a tree, and texts that grow: what referee_bot.c is made of. A bot needs referee_bot.h
// alone.

#include <stddef.h>

enum { TEXT_MAX = 1024 };  // of a path, of debug text

struct rb_value {
    char kind;   // { [ " 0 (a number) t f n
    char* key;   // in an object
    char* text;  // of a text or a number
    rb_value *child, *next;
};

typedef struct rb_string {
    char* bytes;
    size_t size, room;
} rb_string;

// Room of this size; ends the program where there is none.
void* rb_grown(void* old, size_t size);
void rb_put(rb_string* text, const char* bytes, size_t size);
void rb_put_text(rb_string* text, const char* bytes);

// As JSON text; what is not UTF-8 becomes question marks.
void rb_put_quoted(rb_string* text, const char* bytes);

// Frees it with all that is in it, and all that follows it.
void rb_drop(rb_value* value);

// Behind blanks.
const char* rb_skip(const char* at);

// A value, and behind it *at; NULL where the text is none.
rb_value* rb_parse(const char** at, int depth);

// The link that leads to a member or an element; to the last NULL where there is none.
rb_value** rb_link_to(rb_value* place, const char* name);

// Out of its place: the caller's from now on. NULL where nothing is there.
rb_value* rb_taken_out(rb_value** link);

// Applies one change: add, replace or remove of RFC 6902. 0 where it doesn't fit.
int rb_patch(rb_value** state, rb_value* change);
