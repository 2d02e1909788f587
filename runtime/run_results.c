/* The file of results: whole lines only, one writer at a time. A line that was
 * cut short is as if it had never been. */
#define _POSIX_C_SOURCE 200809L
#include "run_results.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool says(const json_t *line, const char *key, const char *text)
{
    const char *const said = json_string_value(json_object_get(line, key));
    return said && strcmp(said, text) == 0;
}

static void keep(struct results *results, const char *text)
{
    json_t *const line = json_loads(text, 0, NULL);
    const char *const name =
        json_string_value(json_object_get(line, "kernel"));
    const char *const device =
        json_string_value(json_object_get(line, "device"));
    if (name && device && says(line, "id", results->id)) {
        if (!results->device[0])
            snprintf(results->device, sizeof results->device, "%s", device);
        if (strcmp(results->device, device) == 0)
            json_object_set(results->lines, name, line);
    }
    json_decref(line);
}

/* Reads all whole lines. The bytes that they take. */
static off_t read_lines(struct results *results)
{
    char *text = NULL;
    size_t size = 0;
    off_t whole = 0;
    rewind(results->file);
    for (ssize_t length; (length = getline(&text, &size, results->file)) > 0;) {
        if (text[length - 1] != '\n')
            break;
        whole += (off_t)length;
        keep(results, text);
    }
    free(text);
    return whole;
}

/* A lock of this process alone: its children, who may outlive it, have none.
 * It ends with the first descriptor of the file that this process closes. */
static bool take(FILE *file)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(fileno(file), F_SETLK, &whole) == 0;
}

const char *results_open(struct results *results, const char *id,
                         const char *device)
{
    *results = (struct results){ .id = id, .lines = json_object(),
                                 .file = fopen("results.jsonl", "a+") };
    snprintf(results->device, sizeof results->device, "%s", device);
    if (!results->file)
        return "results.jsonl of %s cannot be opened";
    if (!take(results->file))
        return "another run is at work in %s";
    if (ftruncate(fileno(results->file), read_lines(results)) != 0)
        return "results.jsonl of %s cannot be written";
    return NULL;
}

json_t *results_find(const struct results *results, const char *name)
{
    return json_incref(json_object_get(results->lines, name));
}

bool results_add(struct results *results, json_t *line)
{
    json_object_set_new(line, "id", json_string(results->id));
    json_object_set_new(line, "device", json_string(results->device));
    char *const text = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);
    const bool well = text && fprintf(results->file, "%s\n", text) > 0
        && fflush(results->file) == 0 && fdatasync(fileno(results->file)) == 0;
    free(text);
    return well;
}

void results_close(struct results *results)
{
    if (results->file)
        fclose(results->file);
    json_decref(results->lines);
    *results = (struct results){ .file = NULL };
}
