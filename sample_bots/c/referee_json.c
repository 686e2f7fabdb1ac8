// JSON as a tree, and texts that grow: see referee_json.h.
#define _POSIX_C_SOURCE 200809L

#include "referee_bot.h"
#include "referee_json.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, NO_ROOM = 1 };

void* rb_grown(void* old, size_t size) {
    void* room = realloc(old, size);
    if (room == NULL) exit((fputs("out of memory\n", stderr), NO_ROOM));
    return room;
}

void rb_put(rb_string* text, const char* bytes, size_t size) {
    if (text->size + size + 1 > text->room) text->bytes = rb_grown(text->bytes, text->room = 2 * (text->size + size + 1));
    memcpy(text->bytes + text->size, bytes, size);
    text->bytes[text->size += size] = 0;
}

void rb_put_text(rb_string* text, const char* bytes) {
    rb_put(text, bytes, strlen(bytes));
}

// Bytes of the character that begins here; 0 where it is not UTF-8.
static size_t character_size(const char* at) {
    const unsigned char first = (unsigned char)*at;
    const size_t size = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < size; ++i) {
        if (((unsigned char)at[i] & 0xC0) != 0x80) return 0;
    }
    return size;
}

void rb_put_quoted(rb_string* text, const char* bytes) {
    rb_put_text(text, "\"");
    while (*bytes) {
        const size_t size = character_size(bytes);
        char escaped[8];
        if (*bytes == '"' || *bytes == '\\' || (size == 1 && *bytes < ' ')) {
            snprintf(escaped, sizeof escaped, "\\u%04x", *bytes);
            rb_put_text(text, escaped);
        } else {
            rb_put(text, size != 0 ? bytes : "?", size != 0 ? size : 1);
        }
        bytes += size != 0 ? size : 1;
    }
    rb_put_text(text, "\"");
}

void rb_drop(rb_value* value) {
    while (value != NULL) {
        rb_value* next = value->next;
        rb_drop(value->child);
        free(value->key);
        free(value->text);
        free(value);
        value = next;
    }
}

const char* rb_skip(const char* at) {
    return at + strspn(at, " \t\r\n");
}

static void put_code_point(rb_string* text, unsigned long code) {
    char bytes[4];
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes[0] = (char)(more == 0 ? code : (0xFFUL << (7 - more) & 0xFFUL) | code >> 6 * more);
    for (int i = 1; i <= more; ++i) bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
    rb_put(text, bytes, (size_t)more + 1);
}

// From behind the first quote to behind the last one; NULL where it doesn't end.
static const char* read_text(const char* at, char** found) {
    static const char escapes[] = "n\nr\rt\tb\bf\f";
    rb_string text = {NULL, 0, 0};
    rb_put(&text, "", 0);
    for (; *at != '"' && *at; ++at) {
        unsigned code = 0, low = 0;
        const char* escape;
        if (*at != '\\') {
            rb_put(&text, at, 1);
        } else if (*++at == 'u' && sscanf(at + 1, "%4x", &code) == 1) {
            at += 4;
            if (code >> 10 == 0x36 && sscanf(at + 1, "\\u%4x", &low) == 1) code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF)), at += 6;
            put_code_point(&text, code);
        } else if (*at) {
            escape = strchr(escapes, *at);
            rb_put(&text, escape != NULL ? escape + 1 : at, 1);
        }
    }
    *found = text.bytes;
    return *at ? at + 1 : NULL;
}

rb_value* rb_parse(const char** at, int depth) {
    const char* begin = *at = rb_skip(*at);
    rb_value* value = memset(rb_grown(NULL, sizeof *value), 0, sizeof *value);
    rb_value** last = &value->child;
    value->kind = strchr("{[\"tfn", *begin) != NULL ? *begin : '0';
    if (*begin == '"') {
        *at = read_text(begin + 1, &value->text);
    } else if (*begin == '{' || *begin == '[') {
        const char end = *begin == '{' ? '}' : ']';
        for (*at = rb_skip(begin + 1); *at != NULL && **at != end;) {
            char* key = NULL;
            if (*begin == '{') *at = **at == '"' ? read_text(*at + 1, &key) : NULL;
            if (*begin == '{' && *at != NULL) *at = rb_skip(*at) + (*rb_skip(*at) == ':');
            *last = *at != NULL && depth < DEPTH_MAX ? rb_parse(at, depth + 1) : NULL;
            if (*last != NULL) (*last)->key = key;
            else free(key);
            if (*last == NULL) break;
            last = &(*last)->next;
            if (*(*at = rb_skip(*at)) == ',') *at = rb_skip(*at + 1);
        }
        if (*at != NULL) ++*at;
    } else {
        rb_string word = {NULL, 0, 0};
        rb_put(&word, begin, strcspn(begin, ",]} \t\r\n"));
        value->text = word.bytes;
        *at = word.size != 0 ? begin + word.size : NULL;
    }
    if (*at != NULL) return value;
    rb_drop(value);
    return NULL;
}

rb_value** rb_link_to(rb_value* place, const char* name) {
    rb_value** link = &place->child;
    char* end = NULL;
    long index = place->kind == '[' ? strtol(name, &end, 10) : 0;
    if (place->kind == '[' && end == name) index = LONG_MAX;
    while (*link != NULL && (place->kind == '[' ? index-- > 0 : strcmp((*link)->key, name) != 0)) link = &(*link)->next;
    return link;
}

rb_value* rb_taken_out(rb_value** link) {
    rb_value* value = *link;
    if (value == NULL) return NULL;
    *link = value->next;
    value->next = NULL;
    return value;
}

static rb_value* found(const rb_value* value, const char* format, va_list arguments) {
    char path[TEXT_MAX];
    vsnprintf(path, sizeof path, format, arguments);
    for (char *rest = path, *name; value != NULL && (name = strtok_r(rest, "/", &rest)) != NULL;)
        value = *rb_link_to((rb_value*)value, name);
    return (rb_value*)value;
}

#define FIND(result)                          \
    va_list arguments;                        \
    va_start(arguments, path);                \
    result = found(value, path, arguments);   \
    va_end(arguments)

const rb_value* rb_get(const rb_value* value, const char* path, ...) {
    FIND(value);
    return value;
}

long rb_int(const rb_value* value, const char* path, ...) {
    FIND(value);
    return value != NULL && value->kind == '0' ? strtol(value->text, NULL, 10) : 0;
}

double rb_number(const rb_value* value, const char* path, ...) {
    FIND(value);
    return value != NULL && value->kind == '0' ? strtod(value->text, NULL) : 0;
}

const char* rb_text(const rb_value* value, const char* path, ...) {
    FIND(value);
    return value != NULL && value->text != NULL ? value->text : "";
}

int rb_true(const rb_value* value, const char* path, ...) {
    FIND(value);
    return value != NULL && value->kind == 't';
}

size_t rb_size(const rb_value* value, const char* path, ...) {
    size_t size = 0;
    FIND(value);
    for (const rb_value* child = value != NULL ? value->child : NULL; child != NULL; child = child->next) ++size;
    return size;
}

int rb_patch(rb_value** state, rb_value* change) {
    const char *op = rb_text(change, "op"), *path = rb_text(change, "path");
    rb_value **link = state, *place = NULL, *value = rb_taken_out(rb_link_to(change, "value"));
    while (*path == '/') {
        rb_string name = {NULL, 0, 0};
        rb_put(&name, "", 0);
        for (++path; *path && *path != '/'; ++path) {
            const char letter = *path == '~' ? (*++path == '1' ? '/' : '~') : *path;
            rb_put(&name, &letter, 1);
        }
        place = *link;
        if (place != NULL) link = rb_link_to(place, name.bytes);
        if (value != NULL && place != NULL && place->kind == '{' && *path == 0) {
            free(value->key);
            value->key = name.bytes;
        } else {
            free(name.bytes);
        }
        if (place == NULL) return rb_drop(value), 0;
    }
    if (strcmp(op, "add") != 0 || place == NULL || place->kind == '{') rb_drop(rb_taken_out(link));
    if (value == NULL) return strcmp(op, "remove") == 0;
    value->next = *link;
    *link = value;
    return 1;
}
