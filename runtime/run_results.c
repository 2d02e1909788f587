/* The file of results: whole lines only, one writer at a time. A line that was
 * cut short is as if it had never been. */
#define _DEFAULT_SOURCE                 /* flock */
#include "run_results.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
static off_t read_lines(struct results *results, FILE *file)
{
    char *text = NULL;
    size_t size = 0;
    off_t whole = 0;
    for (ssize_t length; (length = getline(&text, &size, file)) > 0;) {
        if (text[length - 1] != '\n')
            break;
        whole += (off_t)length;
        keep(results, text);
    }
    free(text);
    return whole;
}

const char *results_open(struct results *results, const char *id,
                         const char *device)
{
    *results = (struct results){ .id = id, .lines = json_object(),
        .file = open("results.jsonl", O_RDWR | O_CREAT | O_APPEND, 0666) };
    snprintf(results->device, sizeof results->device, "%s", device);
    if (results->file < 0)
        return "results.jsonl of %s cannot be opened";
    if (flock(results->file, LOCK_EX | LOCK_NB) != 0)
        return "another run is at work in %s";
    FILE *const file = fopen("results.jsonl", "r");
    if (!file)
        return "results.jsonl of %s cannot be read";
    const off_t whole = read_lines(results, file);
    fclose(file);
    if (ftruncate(results->file, whole) != 0)
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
    const size_t length = text ? strlen(text) : 0;
    if (text)
        text[length] = '\n';
    const bool well = text
        && write(results->file, text, length + 1) == (ssize_t)(length + 1)
        && fdatasync(results->file) == 0;
    free(text);
    return well;
}

void results_close(struct results *results)
{
    if (results->file >= 0)
        close(results->file);
    json_decref(results->lines);
    *results = (struct results){ .file = -1 };
}
