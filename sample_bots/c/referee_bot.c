// The kit for C99: see referee_bot.h. Nothing but POSIX is needed.
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700  // realpath

#include "referee_bot.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FINISHED = 0, BOT_FAILED = 1, REFUSED = 2, LOST = 3 };  // exit statuses
enum { PAUSE_FIRST_MS = 50, PAUSE_MAX_MS = 2000 };
enum { FIRST_PATIENCE_MS = 10000, PATIENCE_MS = 60000 };  // for a referee that isn't there yet; for one that was
enum { TEXT_MAX = 1024, DEPTH_MAX = 64, READ_BYTES = 65536, PORT_MAX = 65535, ARGUMENTS_MAX = 64, NOT_FOUND = 127 };

struct rb_value {
    char kind;   // { [ " 0 (a number) t f n
    char* key;   // in an object
    char* text;  // of a text or a number
    rb_value *child, *next;
};

typedef struct Text {
    char* bytes;
    size_t size, room;
} Text;

typedef struct Game {
    rb_game seen;  // first: a bot gives it back
    rb_value *start, *state, *turn, *history;
    double read_at;
    char debug[TEXT_MAX];
    Text move;
    int lost;  // with the connection; not resumed so far
    struct Game* next;
} Game;

typedef struct Bot {
    const char* name;
    const rb_player* players;
    Game* games;
    int in, out, welcomed, status;
    Text input, output;
} Bot;

static void* grown(void* old, size_t size) {
    void* room = realloc(old, size);
    if (room == NULL) exit((fputs("out of memory\n", stderr), BOT_FAILED));
    return room;
}

static void put(Text* text, const char* bytes, size_t size) {
    if (text->size + size + 1 > text->room) text->bytes = grown(text->bytes, text->room = 2 * (text->size + size + 1));
    memcpy(text->bytes + text->size, bytes, size);
    text->bytes[text->size += size] = 0;
}

static void put_text(Text* text, const char* bytes) {
    put(text, bytes, strlen(bytes));
}

static void put_quoted(Text* text, const char* bytes) {
    put_text(text, "\"");
    for (; *bytes; ++bytes) {
        char escaped[8];
        if (*bytes == '"' || *bytes == '\\' || (unsigned char)*bytes < ' ') {
            snprintf(escaped, sizeof escaped, "\\u%04x", *bytes);
            put_text(text, escaped);
        } else {
            put(text, bytes, 1);
        }
    }
    put_text(text, "\"");
}

// ---- JSON ---------------------------------------------------------------------------------

static void drop(rb_value* value) {
    while (value != NULL) {
        rb_value* next = value->next;
        drop(value->child);
        free(value->key);
        free(value->text);
        free(value);
        value = next;
    }
}

static const char* skip(const char* at) {
    return at + strspn(at, " \t\r\n");
}

static void put_code_point(Text* text, unsigned long code) {
    char bytes[4];
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes[0] = (char)(more == 0 ? code : (0xF00UL >> more & 0xFFUL) | code >> 6 * more);
    for (int i = 1; i <= more; ++i) bytes[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3F));
    put(text, bytes, (size_t)more + 1);
}

// From behind the first quote to behind the last one; NULL where it doesn't end.
static const char* read_text(const char* at, char** found) {
    static const char escapes[] = "n\nr\rt\tb\bf\f";
    Text text = {NULL, 0, 0};
    put(&text, "", 0);
    for (; *at != '"' && *at; ++at) {
        unsigned code = 0, low = 0;
        const char* escape;
        if (*at != '\\') {
            put(&text, at, 1);
        } else if (*++at == 'u' && sscanf(at + 1, "%4x", &code) == 1) {
            at += 4;
            if (code >> 10 == 0x36 && sscanf(at + 1, "\\u%4x", &low) == 1) code = 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF)), at += 6;
            put_code_point(&text, code);
        } else if (*at) {
            escape = strchr(escapes, *at);
            put(&text, escape != NULL ? escape + 1 : at, 1);
        }
    }
    *found = text.bytes;
    return *at ? at + 1 : NULL;
}

// A value, and behind it *at; NULL where the text is none.
static rb_value* parse(const char** at, int depth) {
    const char* begin = *at = skip(*at);
    rb_value* value = memset(grown(NULL, sizeof *value), 0, sizeof *value);
    rb_value** last = &value->child;
    value->kind = strchr("{[\"tfn", *begin) != NULL ? *begin : '0';
    if (*begin == '"') {
        *at = read_text(begin + 1, &value->text);
    } else if (*begin == '{' || *begin == '[') {
        const char end = *begin == '{' ? '}' : ']';
        for (*at = skip(begin + 1); *at != NULL && **at != end; *at = *last == NULL ? NULL : skip(*at), last = *at ? &(*last)->next : last) {
            char* key = NULL;
            if (*begin == '{') *at = **at == '"' ? read_text(*at + 1, &key) : NULL;
            if (*begin == '{' && *at != NULL) *at = skip(*at) + (*skip(*at) == ':');
            *last = *at != NULL && depth < DEPTH_MAX ? parse(at, depth + 1) : NULL;
            if (*last != NULL) (*last)->key = key;
            else free(key);
            if (*last != NULL && *(*at = skip(*at)) == ',') ++*at;
        }
        if (*at != NULL) ++*at;
    } else {
        Text word = {NULL, 0, 0};
        put(&word, begin, strcspn(begin, ",]} \t\r\n"));
        value->text = word.bytes;
        *at = word.size != 0 ? begin + word.size : NULL;
    }
    if (*at != NULL) return value;
    drop(value);
    return NULL;
}

// The link that leads to a member or an element; to the last NULL where there is none.
static rb_value** link_to(rb_value* place, const char* name) {
    rb_value** link = &place->child;
    char* end = NULL;
    long index = place->kind == '[' ? strtol(name, &end, 10) : 0;
    if (place->kind == '[' && end == name) index = LONG_MAX;
    while (*link != NULL && (place->kind == '[' ? index-- > 0 : strcmp((*link)->key, name) != 0)) link = &(*link)->next;
    return link;
}

static rb_value* taken_out(rb_value** link) {
    rb_value* value = *link;
    if (value == NULL) return NULL;
    *link = value->next;
    value->next = NULL;
    return value;
}

static rb_value* found(const rb_value* value, const char* format, va_list arguments) {
    char path[TEXT_MAX];
    vsnprintf(path, sizeof path, format, arguments);
    for (char* name = strtok(path, "/"); name != NULL && value != NULL; name = strtok(NULL, "/")) value = *link_to((rb_value*)value, name);
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

// Applies one change: add, replace or remove of RFC 6902. 0 where it doesn't fit.
static int patch(rb_value** state, rb_value* change) {
    const char *op = rb_text(change, "op"), *path = rb_text(change, "path");
    rb_value **link = state, *place = NULL, *value = taken_out(link_to(change, "value"));
    while (*path == '/') {
        Text name = {NULL, 0, 0};
        put(&name, "", 0);
        for (++path; *path && *path != '/'; ++path) {
            const char letter = *path == '~' ? (*++path == '1' ? '/' : '~') : *path;
            put(&name, &letter, 1);
        }
        place = *link;
        if (place != NULL) link = link_to(place, name.bytes);
        if (value != NULL && place != NULL && place->kind == '{' && *path == 0) {
            free(value->key);
            value->key = name.bytes;
        } else {
            free(name.bytes);
        }
        if (place == NULL) return drop(value), 0;
    }
    if (strcmp(op, "add") != 0 || place == NULL || place->kind == '{') drop(taken_out(link));
    if (value == NULL) return strcmp(op, "remove") == 0;
    value->next = *link;
    *link = value;
    return 1;
}
