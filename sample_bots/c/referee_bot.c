// The kit for C99: see referee_bot.h. Nothing but POSIX is needed.
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700  // realpath

#include "referee_bot.h"
#include "referee_json.h"

#include <errno.h>
#include <fcntl.h>
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
enum { READ_BYTES = 65536, PORT_MAX = 65535, ARGUMENTS_MAX = 64, NOT_FOUND = 127 };

typedef struct Game {
    rb_game seen;  // first: a bot gives it back
    rb_value *start, *state, *turn, *history;
    double read_at;
    char debug[TEXT_MAX];
    rb_string move;
    int lost;  // with the connection; not resumed so far
    struct Game* next;
} Game;

typedef struct Bot {
    const char* name;
    const rb_player* players;
    Game* games;
    int in, out, welcomed, status;
    rb_string input, output;
} Bot;

// ---- A game, as the bot sees it -------------------------------------------------------------

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

double rb_left_ms(const rb_game* game) {
    return (double)game->budget_us / 1e3 - (now_ms() - ((const Game*)game)->read_at);
}

void rb_debug(rb_game* game, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(((Game*)game)->debug, TEXT_MAX, format, arguments);
    va_end(arguments);
}

static void answer(rb_game* game, int quoted, const char* format, va_list arguments, va_list again) {
    rb_string* move = &((Game*)game)->move;
    char some[TEXT_MAX], *text = some;
    const int size = vsnprintf(some, sizeof some, format != NULL ? format : "", arguments);
    if (size >= TEXT_MAX) vsnprintf(text = rb_grown(NULL, (size_t)size + 1), (size_t)size + 1, format, again);
    move->size = 0;
    quoted ? rb_put_quoted(move, text) : rb_put_text(move, text);
    for (char* at = move->bytes; *at; ++at) {
        if (*at == '\n' || *at == '\r') *at = ' ';  // JSON may be laid out over lines; a message may not
    }
    if (text != some) free(text);
}

#define ANSWER(quoted)                                    \
    va_list arguments, again;                             \
    va_start(arguments, format);                          \
    va_start(again, format);                              \
    answer(game, quoted, format, arguments, again);       \
    va_end(again);                                        \
    va_end(arguments)

void rb_move_text(rb_game* game, const char* format, ...) {
    ANSWER(1);
}

void rb_move_json(rb_game* game, const char* format, ...) {
    ANSWER(0);
}

static void drop_game(Game** link) {
    Game* game = *link;
    *link = game->next;
    rb_drop(game->start), rb_drop(game->state), rb_drop(game->turn), rb_drop(game->history);
    free(game->move.bytes), free(game->seen.memory), free(game);
}

static Game** find_game(Bot* bot, const rb_value* message) {
    Game** link = &bot->games;
    while (*link != NULL && strcmp((*link)->seen.id, rb_text(message, "game_id")) != 0) link = &(*link)->next;
    return link;
}

// ---- Messages -------------------------------------------------------------------------------

static void say_member(Bot* bot, const char* name, const char* text) {
    if (text == NULL || *text == 0) return;
    rb_put_text(&bot->output, ",\""), rb_put_text(&bot->output, name), rb_put_text(&bot->output, "\":");
    rb_put_quoted(&bot->output, text);
}

static void on_hello(Bot* bot) {
    rb_put_text(&bot->output, "{\"type\":\"login\",\"state\":\"delta\",\"client\":\"C kit 1\",\"games\":[");
    for (const rb_player* player = bot->players; player->game != NULL; ++player) {
        if (player != bot->players) rb_put_text(&bot->output, ",");
        rb_put_quoted(&bot->output, player->game);
    }
    rb_put_text(&bot->output, "]");
    say_member(bot, "name", bot->name);
    say_member(bot, "token", getenv("REFEREE_TOKEN"));
    say_member(bot, "password", getenv("REFEREE_PASSWORD"));
    say_member(bot, "version", getenv("REFEREE_VERSION"));
    rb_put_text(&bot->output, "}\n");
}

static void on_start(Bot* bot, rb_value* start) {
    const int resumed = rb_true(start, "resumed");
    Game** link = find_game(bot, start);
    if (!resumed && *link != NULL) drop_game(link);
    link = find_game(bot, start);
    if (*link == NULL) *link = memset(rb_grown(NULL, sizeof(Game)), 0, sizeof(Game));
    Game* game = *link;
    game->lost = 0;
    for (link = &bot->games; !resumed && *link != NULL;) {
        if ((*link)->lost) drop_game(link);
        else link = &(*link)->next;
    }
    rb_drop(game->start), rb_drop(game->state), rb_drop(game->history);
    game->history = NULL;
    game->start = start;
    game->state = rb_taken_out(rb_link_to(start, "state"));
    const rb_game seen = {rb_text(start, "game_id"), rb_text(start, "game"), (int)rb_int(start, "seat"), rb_get(start, "names"),
                          rb_get(start, "params"), game->state, NULL, NULL, rb_int(start, "turn"), 0, resumed, game->seen.memory};
    game->seen = seen;
    if (resumed) fprintf(stderr, "game %s goes on from turn %ld: %s", seen.id, seen.turn, seen.kind);
    else fprintf(stderr, "game %s begins: %s", seen.id, seen.kind);
    for (int i = 0; i < (int)rb_size(start, "names"); ++i)
        fprintf(stderr, "%s%s", i == 0 ? ", " : " against ", rb_text(start, "names/%d", i));
    fputs("\n", stderr);
    rb_put_text(&bot->output, "{\"type\":\"ready\"");
    say_member(bot, "game_id", seen.id);
    rb_put_text(&bot->output, "}\n");
}

static void on_history(Game* game, rb_value* message) {
    rb_value** last = game->history != NULL ? &game->history->child : &game->history;
    rb_value* piece = rb_taken_out(rb_link_to(message, "turns"));
    while (*last != NULL) last = &(*last)->next;
    *last = piece;
    if (game->history != piece && piece != NULL) {  // its turns go behind those of the earlier pieces
        *last = piece->child;
        piece->child = NULL;
        rb_drop(piece);
    }
    game->seen.history = game->history;
}

static void on_turn(Bot* bot, Game* game, rb_value* turn, double read_at) {
    const rb_player* player = bot->players;
    char number[sizeof(long) * CHAR_BIT];
    rb_value* state = rb_taken_out(rb_link_to(turn, "state"));
    int fits = 1;
    if (state != NULL) rb_drop(game->state), game->state = state;
    rb_value* changes = *rb_link_to(turn, "delta");
    while (state == NULL && changes != NULL && changes->child != NULL && fits) {
        rb_value* change = rb_taken_out(&changes->child);
        fits = rb_patch(&game->state, change);
        rb_drop(change);
    }
    if (!fits) fputs("the change does not fit the state that it should change\n", stderr);
    rb_drop(game->turn);
    game->turn = turn;
    game->read_at = read_at;
    game->move.size = 0;
    game->debug[0] = 0;
    game->seen.state = game->state;
    game->seen.last = rb_get(turn, "last");
    game->seen.turn = rb_int(turn, "turn");
    game->seen.budget_us = (long long)rb_number(turn, "budget_us");
    while (player->game != NULL && strcmp(player->game, game->seen.kind) != 0) ++player;
    if (player->game != NULL) player->choose(&game->seen);
    fflush(stdout);
    if (game->move.size == 0)
        fprintf(stderr, "no move in turn %ld of game %s, the turn is given away: %s\n", game->seen.turn, game->seen.id, game->debug);
    rb_put_text(&bot->output, "{\"type\":\"move\",\"move\":");
    rb_put_text(&bot->output, game->move.size == 0 ? "null" : game->move.bytes);
    snprintf(number, sizeof number, ",\"turn\":%ld", game->seen.turn);
    rb_put_text(&bot->output, number);
    say_member(bot, "game_id", game->seen.id);
    say_member(bot, "debug", game->debug);
    rb_put_text(&bot->output, "}\n");
}

static void on_bye(Bot* bot, const rb_value* bye) {
    const char *reason = rb_text(bye, "reason"), *message = rb_text(bye, "message");
    const int unwanted = strcmp(reason, "refused") == 0 || strcmp(reason, "replaced") == 0;
    bot->status = unwanted ? REFUSED : FINISHED;
    if (unwanted && !bot->welcomed) fprintf(stderr, "login refused: %s\n", *message ? message : reason);
    else if (*message) fprintf(stderr, "goodbye: %s\n", message);
}

// Answers a message. Those that a later protocol adds are passed over.
static void take(Bot* bot, rb_value* message, double read_at) {
    const char* type = rb_text(message, "type");
    Game** game = find_game(bot, message);
    if (strcmp(type, "start") == 0) {
        on_start(bot, message);
        return;  // kept
    }
    if (strcmp(type, "turn") == 0 && *game != NULL) {
        on_turn(bot, *game, message, read_at);
        return;  // kept
    }
    if (strcmp(type, "hello") == 0) {
        on_hello(bot);
    } else if (strcmp(type, "welcome") == 0) {
        bot->welcomed = 1;
        for (Game* one = bot->games; one != NULL; one = one->next) one->lost = 1;
    } else if (strcmp(type, "history") == 0 && *game != NULL) {
        on_history(*game, message);
    } else if (strcmp(type, "end") == 0 && *game != NULL) {
        const int seat = (*game)->seen.seat, seats = (int)rb_size(message, "seats");
        fprintf(stderr, "game %s is over: ", rb_text(message, "game_id"));
        if (seats > 1) fprintf(stderr, "place %ld of %d, ", rb_int(message, "seats/%d/place", seat), seats);
        fprintf(stderr, "score %s: %s\n", rb_text(message, "seats/%d/score", seat), rb_text(message, "reason"));
        drop_game(game);
    } else if (strcmp(type, "ping") == 0) {
        rb_put_text(&bot->output, "{\"type\":\"pong\",\"id\":");
        rb_put_text(&bot->output, rb_text(message, "id"));
        rb_put_text(&bot->output, "}\n");
    } else if (strcmp(type, "fault") == 0) {
        fprintf(stderr, "fault in game %s, turn %ld: %s: %s\n", rb_text(message, "game_id"), rb_int(message, "turn"), rb_text(message, "code"),
                rb_text(message, "message"));
    } else if (strcmp(type, "error") == 0 || strcmp(type, "note") == 0) {
        fprintf(stderr, "%s: %s: %s\n", type, rb_text(message, "code"), rb_text(message, "message"));
    } else if (strcmp(type, "bye") == 0) {
        on_bye(bot, message);
    }
    rb_drop(message);
}

// ---- The way to the referee -----------------------------------------------------------------

static int send_output(Bot* bot) {
    size_t sent = 0;
    while (sent < bot->output.size) {
        const ssize_t more = write(bot->out, bot->output.bytes + sent, bot->output.size - sent);
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return 0;
        sent += (size_t)more;
    }
    bot->output.size = 0;
    return 1;
}

// Until the referee says goodbye, the stream ends, or what answers is no referee.
static void listen_to(Bot* bot) {
    char bytes[READ_BYTES];
    ssize_t size = 0;
    bot->welcomed = 0;
    bot->status = -1;
    bot->input.size = bot->output.size = 0;
    while (bot->status < 0 && ((size = read(bot->in, bytes, sizeof bytes)) > 0 || (size < 0 && errno == EINTR))) {
        const double read_at = now_ms();
        const size_t seen = bot->input.size;
        char* begin = NULL;
        if (size < 0) continue;
        rb_put(&bot->input, bytes, (size_t)size);
        begin = bot->input.bytes;
        for (char* end = begin + seen; bot->status < 0 && (end = strchr(end, '\n')) != NULL; begin = ++end) {
            const char* at = begin;
            *end = 0;
            if (*rb_skip(begin) == 0) continue;
            rb_value* message = *rb_skip(begin) == '{' ? rb_parse(&at, 0) : NULL;
            if (message == NULL) bot->status = (fprintf(stderr, "what answers there is no referee: %s\n", begin), LOST);
            else take(bot, message, read_at);
            if (!send_output(bot)) return;
        }
        bot->input.size -= (size_t)(begin - bot->input.bytes);
        memmove(bot->input.bytes, begin, bot->input.size + 1);
    }
}

// Host and port of "host:port", also with an IPv6 address in brackets; 0 where it is none.
static int split_address(const char* address, char* host, char* port) {
    const char* colon = strrchr(address, ':');
    const size_t size = colon != NULL ? (size_t)(colon - address) : 0;
    if (size == 0 || size >= TEXT_MAX || strlen(colon) > sizeof("65535") || colon[1 + strspn(colon + 1, "0123456789")] != 0) return 0;
    const int bracketed = *address == '[' && colon[-1] == ']';
    snprintf(host, TEXT_MAX, "%.*s", (int)size - 2 * bracketed, address + bracketed);
    snprintf(port, TEXT_MAX, "%s", colon + 1);
    return atol(port) > 0 && atol(port) <= PORT_MAX;
}

// A connected socket; -1, with `trouble`, where there is none.
static int dial(const char* host, const char* port, const char** trouble) {
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM};
    struct addrinfo* all = NULL;
    const int on = 1, failed = getaddrinfo(host, port, &wanted, &all);
    int link = -1;
    *trouble = failed ? gai_strerror(failed) : "no address";
    for (struct addrinfo* one = all; one != NULL && link < 0; one = one->ai_next) {
        link = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (link >= 0 && connect(link, one->ai_addr, one->ai_addrlen) == 0) break;
        *trouble = strerror(errno);
        if (link >= 0) close(link);
        link = -1;
    }
    if (all != NULL) freeaddrinfo(all);
    if (link >= 0) setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), setsockopt(link, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    return link;
}

// Dials again, with growing pauses, where the connection is lost.
static int play_dialled(Bot* bot, const char* address) {
    char host[TEXT_MAX], port[TEXT_MAX];
    long patience = FIRST_PATIENCE_MS, pause = PAUSE_FIRST_MS;
    if (strncmp(address, "tls://", 6) == 0) {
        fprintf(stderr, "a TLS address needs `referee connect`, which encrypts for this bot: referee connect '%s' --name NAME -- ./my_bot\n",
                address);
        return REFUSED;
    }
    if (!split_address(address, host, port)) {
        fprintf(stderr, "cannot reach the referee: REFEREE_ADDRESS must be host:port, such as localhost:7777, not '%s'\n", address);
        return REFUSED;
    }
    for (;;) {
        const char* trouble = "the connection was lost";
        bot->welcomed = 0;
        bot->in = bot->out = dial(host, port, &trouble);
        if (bot->in >= 0) {
            trouble = "the connection was lost";
            listen_to(bot);
            close(bot->in);
            if (bot->status >= 0) return bot->status;
        }
        if (bot->welcomed) patience = PATIENCE_MS, pause = PAUSE_FIRST_MS;
        fprintf(stderr, patience > 0 ? "%s, trying again\n" : "cannot reach the referee: %s\n", trouble);
        if (patience <= 0) return LOST;
        const struct timespec time = {pause / 1000, pause % 1000 * 1000000};
        nanosleep(&time, NULL);
        patience -= pause;
        pause = 2 * pause < PAUSE_MAX_MS ? 2 * pause : PAUSE_MAX_MS;
    }
}

// Over standard input and output. What the program prints goes to standard error meanwhile, and it finds nothing to read.
static int play_launched(Bot* bot) {
    const int nothing = open("/dev/null", O_RDONLY);
    bot->in = dup(STDIN_FILENO);
    bot->out = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
    listen_to(bot);
    if (bot->status >= 0) return bot->status;
    fputs("the connection broke: the referee is gone\n", stderr);
    return LOST;
}

// A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`.
static int self_play(char** options, const char* program, const char* game) {
    char *path = realpath(program, NULL), bot[PATH_MAX + sizeof("''")];
    char* command[ARGUMENTS_MAX] = {"referee", "play", options[0] != NULL ? options[0] : (char*)game};
    int count = 3, status = 0;
    const int seats = strcmp(command[2], "walls") == 0 ? 2 : strcmp(command[2], "light_cycles") == 0 ? 4 : 1;
    if (path == NULL) {
        fprintf(stderr, "self-play needs the bot's own program, but there is no %s: call it with its folder\n", program);
        return REFUSED;
    }
    snprintf(bot, sizeof bot, "'%s'", path);
    command[count++] = "--reads", command[count++] = path;
    for (int seat = 0; seat < seats; ++seat) command[count++] = "--bot", command[count++] = bot;
    if (options[0] != NULL) ++options;
    while (*options != NULL && count < ARGUMENTS_MAX - 1) command[count++] = *options++;
    const pid_t child = fork();
    if (child == 0) {
        unsetenv("REFEREE_ADDRESS");
        execvp(command[0], command);
        _exit(NOT_FOUND);
    }
    free(path);
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return BOT_FAILED;
    if (WEXITSTATUS(status) != NOT_FOUND) return WEXITSTATUS(status);
    fputs("self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder where it was built "
          "(build/release/bin) to PATH\n", stderr);
    return REFUSED;
}

int rb_play(int argc, char** argv, const char* name, const rb_player* players) {
    const char *address = getenv("REFEREE_ADDRESS"), *known = getenv("REFEREE_NAME");
    Bot bot = {known != NULL && *known ? known : name, players, NULL, -1, -1, 0, -1, {NULL, 0, 0}, {NULL, 0, 0}};
    int status = 0;
    if (argc > 1 && strcmp(argv[1], "--self-play") == 0) return self_play(argv + 2, argv[0], players[0].game);
    if (argc > 1 && argv[1][0] == '-' && address == NULL && known == NULL) {
        fprintf(stderr, "no such option: %s; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS\n", argv[1]);
        return REFUSED;
    }
    if (address == NULL && isatty(STDIN_FILENO)) fputs("REFEREE_ADDRESS is not set: this bot waits for a referee on its standard input\n", stderr);
    signal(SIGPIPE, SIG_IGN);  // a lost connection is a result of write()
    status = address != NULL && *address ? play_dialled(&bot, address) : play_launched(&bot);
    while (bot.games != NULL) drop_game(&bot.games);
    free(bot.input.bytes), free(bot.output.bytes);
    return status;
}
