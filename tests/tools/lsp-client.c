/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scripted client of a language server: lsp-client SCRIPT ROOT SERVER [ARGUMENT...]
 *
 * Lines of the script, in which @ROOT@ stands for the path ROOT:
 *   > JSON     is sent as a message
 *   >> TEXT    is sent as it is; \r, \n, \\ and \xHH are bytes
 *   < JSON     is the next message from the server, exactly
 *   <~ JSON    is contained in it: objects have these members, arrays these elements in this order
 *   <! JSON    is contained in it nowhere: no element of the array `result` holds it
 *   end N      the input ends; the server ends with status N, and says no more
 *   # …        a remark; empty lines too
 * A line that begins with a blank goes on with the line before.
 */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIME_LIMIT = 30 };

struct client {
    FILE *to, *from;
    pid_t server;
    const char *script;
    unsigned line;
    bool failed;
};

static void complain(struct client *c, const char *what, const char *text)
{
    printf("# %s:%u: %s%s\n", c->script, c->line, what, text ? text : "");
    c->failed = true;
}

/* ---- the protocol ---- */

static void send_text(struct client *c, const char *text, size_t size)
{
    fprintf(c->to, "Content-Length: %zu\r\n\r\n", size);
    fwrite(text, 1, size, c->to);
    fflush(c->to);
}

/* A new string; NULL: the server has ended. */
static char *receive(struct client *c)
{
    char header[256];
    size_t length = 0;
    while (fgets(header, sizeof header, c->from) && strcmp(header, "\r\n") != 0)
        sscanf(header, "Content-Length: %zu", &length);
    char *text = length ? calloc(1, length + 1) : NULL;
    if (text && fread(text, 1, length, c->from) != length) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- comparison ---- */

static bool contains(const json_t *all, const json_t *part);

static bool array_contains(const json_t *all, const json_t *part)
{
    size_t at = 0;
    for (size_t i = 0; i < json_array_size(part); i++, at++) {
        while (at < json_array_size(all) &&
               !contains(json_array_get(all, at), json_array_get(part, i)))
            at++;
        if (at >= json_array_size(all))
            return false;
    }
    return true;
}

static bool contains(const json_t *all, const json_t *part)
{
    const char *key;
    json_t *value;
    if (json_is_array(part))
        return json_is_array(all) && array_contains(all, part);
    if (!json_is_object(part))
        return json_equal(all, part);
    json_object_foreach((json_t *)part, key, value)
    {
        const json_t *other = json_object_get(all, key);
        if (!other || !contains(other, value))
            return false;
    }
    return true;
}

static bool holds_anywhere(const json_t *list, const json_t *part)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (contains(json_array_get(list, i), part))
            return true;
    return false;
}

static void expect(struct client *c, const char *text, char how)
{
    char *got = receive(c);
    json_t *expected = json_loads(text, JSON_DECODE_ANY, NULL);
    json_t *actual = got ? json_loads(got, JSON_DECODE_ANY, NULL) : NULL;
    bool good = expected && actual &&
                (how == '~'   ? contains(actual, expected)
                 : how == '!' ? !holds_anywhere(json_object_get(actual, "result"), expected)
                              : json_equal(actual, expected));
    if (!good) {
        complain(c, expected ? "expected " : "no JSON: ", text);
        complain(c, "received ", got ? got : "the end");
    }
    json_decref(expected);
    json_decref(actual);
    free(got);
}

/* ---- the script ---- */

static void send_bytes(struct client *c, const char *text)
{
    for (const char *p = text; *p; p++) {
        unsigned byte = (unsigned char)*p;
        if (*p == '\\' && p[1]) {
            p++;
            byte = *p == 'r' ? '\r' : *p == 'n' ? '\n' : (unsigned char)*p;
            if (*p == 'x' && sscanf(p + 1, "%2x", &byte) == 1)
                p += 2;
        }
        fputc((int)byte, c->to);
    }
    fflush(c->to);
}

static void end(struct client *c, int expected)
{
    int status;
    char *more;
    fclose(c->to);
    while ((more = receive(c))) {
        complain(c, "too much: ", more);
        free(more);
    }
    if (waitpid(c->server, &status, 0) < 0 || !WIFEXITED(status) ||
        WEXITSTATUS(status) != expected) {
        char text[40];
        snprintf(text, sizeof text, "%x, expected %x", (unsigned)status, (unsigned)expected << 8);
        complain(c, "wait status ", text);
    }
    c->server = 0;
}

static void run_line(struct client *c, const char *line)
{
    if (strncmp(line, ">> ", 3) == 0)
        send_bytes(c, line + 3);
    else if (strncmp(line, "> ", 2) == 0)
        send_text(c, line + 2, strlen(line + 2));
    else if (strncmp(line, "<~ ", 3) == 0 || strncmp(line, "<! ", 3) == 0)
        expect(c, line + 3, line[1]);
    else if (strncmp(line, "< ", 2) == 0)
        expect(c, line + 2, ' ');
    else if (strncmp(line, "end ", 4) == 0)
        end(c, atoi(line + 4));
    else if (*line && *line != '#')
        complain(c, "unknown line ", line);
}

/* Appends `line` with its @ROOT@ replaced; the result replaces *text. */
static void append(char **text, const char *line, const char *root)
{
    static const char mark[] = "@ROOT@";
    const char *at;
    size_t old = *text ? strlen(*text) : 0;
    char *grown = realloc(*text, old + strlen(line) * (strlen(root) + 1) + 1);
    if (!grown)
        exit(99);
    char *out = grown + old;
    while ((at = strstr(line, mark))) {
        memcpy(out, line, (size_t)(at - line));
        out = stpcpy(out + (at - line), root);
        line = at + strlen(mark);
    }
    strcpy(out, line);
    *text = grown;
}

static void run_script(struct client *c, FILE *script, const char *root)
{
    char *line = NULL, *text = NULL;
    size_t room = 0;
    unsigned number = 0;
    while (getline(&line, &room, script) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        number++;
        if (*line != ' ') {
            if (text)
                run_line(c, text);
            c->line = number;
            free(text);
            text = NULL;
        }
        append(&text, line + (*line == ' ' ? strspn(line, " ") : 0), root);
    }
    if (text)
        run_line(c, text);
    free(text);
    free(line);
}

static void start(struct client *c, char **command)
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0)
        exit(99);
    c->server = fork();
    if (c->server == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execv(command[0], command);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    c->to = fdopen(in[1], "w");
    c->from = fdopen(out[0], "r");
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    struct client c = {.script = argv[1]};
    FILE *script = fopen(argv[1], "r");
    if (!script)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    alarm(TIME_LIMIT);
    start(&c, argv + 3);
    run_script(&c, script, argv[2]);
    if (c.server)
        complain(&c, "the script does not end", NULL);
    fclose(script);
    fclose(c.from);
    return c.failed;
}
