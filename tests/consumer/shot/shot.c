/* The command: options in, one shot, pictures and numbers out. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shot.h"

struct settings {
    struct model_file file;
    struct survey survey;
    int layers;                 /* axes of the model made here, 0: read one */
    const char *out;
};

static const char DOC[] =
    "Fires one shot through a velocity model and draws what the receivers hear."
    "\vThe model is raw little-endian float32 in m/s, or a .npy of '<f4'. Sizes, spacings"
    " and axes are given in the file's order, the fastest first; z is depth.";

static const struct argp_option OPTIONS[] = {
    { "model", 'm', "FILE", 0, "velocity model", 0 },
    { "size", 's', "NxN[xN]", 0, "its extents (a .npy knows its own)", 0 },
    { "spacing", 'h', "H,H[,H]", 0, "its spacings, m", 0 },
    { "axes", 'a', "ORDER", 0, "its axes, fastest first: xz, zx, xyz, ..", 0 },
    { "layers", 'l', "2|3", 0, "layers in 2 or 3 dimensions instead of a model", 0 },
    { "time", 't', "SECONDS", 0, "how long to listen", 1 },
    { "dt", 'd', "SECONDS", 0, "time step (0.8 of the stability limit)", 1 },
    { "frequency", 'f', "HZ", 0, "peak of the Ricker source (what the grid carries)", 1 },
    { "source", 'p', "X,[Y,]Z", 0, "place of the source, m (middle, near the top)", 1 },
    { "depth", 'z', "M", 0, "depth of the receivers, m (0)", 1 },
    { "pml", 'w', "POINTS", 0, "width of the absorbing layer (27)", 1 },
    { "snapshots", 'n', "COUNT", 0, "wavefields to draw (3)", 1 },
    { "backend", 'b', "cpu|simt|cuda", 0, "where the kernels run (cpu)", 2 },
    { "modules", 'k', "DIR", 0, "folder of the generated modules (.)", 2 },
    { "output", 'o', "DIR", 0, "folder of the pictures (.)", 2 },
    { 0 }
};

/* Reads up to `most` numbers separated by `separator`; anything else in the text,
 * too few or too many are usage errors. */
static int numbers(struct argp_state *state, const char *text, char separator, int least,
                   int most, double *values)
{
    int count = 0;

    for (const char *at = text;; at++) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || count == most || !isfinite(value))
            break;
        values[count++] = value;
        at = end;
        if (*at == '\0' && count >= least)
            return count;
        if (*at != separator)
            break;
    }
    argp_error(state, "'%s' is not %d to %d numbers separated by '%c'", text, least, most,
               separator);
    return 0;
}

static double number(struct argp_state *state, const char *text)
{
    double value = 0;

    numbers(state, text, ',', 1, 1, &value);
    return value;
}

static void parse_size(struct argp_state *state, const char *text, struct settings *to)
{
    double values[3];
    const int count = numbers(state, text, 'x', 2, 3, values);

    for (int a = 0; a < count; a++) {
        if (values[a] < 1 || values[a] > 1e9 || values[a] != floor(values[a]))
            argp_error(state, "an extent of %g cannot be", values[a]);
        to->file.size[a] = (int64_t)values[a];
    }
    to->file.axes = count;
}

static void parse_order(struct argp_state *state, const char *text, struct settings *to)
{
    if (strlen(text) > 3)
        argp_error(state, "'%s' is not an order of axes", text);
    snprintf(to->file.order, sizeof to->file.order, "%s", text);
}

static void parse_layers(struct argp_state *state, const char *text, struct settings *to)
{
    const double axes = number(state, text);

    if (axes != 2 && axes != 3)
        argp_error(state, "layers in %s dimensions cannot be: wanted 2 or 3", text);
    to->layers = (int)axes;
}

static error_t parse_model(int key, char *text, struct argp_state *state,
                           struct settings *to)
{
    switch (key) {
    case 'm': to->file.path = text; return 0;
    case 's': parse_size(state, text, to); return 0;
    case 'h':
        to->file.spacings = numbers(state, text, ',', 2, 3, to->file.spacing);
        return 0;
    case 'a': parse_order(state, text, to); return 0;
    case 'l': parse_layers(state, text, to); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_one(int key, char *text, struct argp_state *state)
{
    struct settings *to = state->input;
    struct survey *survey = &to->survey;

    switch (key) {
    case 't': survey->duration = number(state, text); return 0;
    case 'd': survey->dt = number(state, text); return 0;
    case 'f': survey->frequency = number(state, text); return 0;
    case 'p':
        survey->has_source = numbers(state, text, ',', 2, 3, survey->source);
        return 0;
    case 'z': survey->receiver_depth = number(state, text); return 0;
    case 'w': survey->width = (int64_t)number(state, text); return 0;
    case 'n': survey->snapshots = (int)number(state, text); return 0;
    case 'b': survey->context = text; return 0;
    case 'k': survey->modules = text; return 0;
    case 'o': to->out = text; return 0;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is no option", text); return 0;
    default: return parse_model(key, text, state, to);
    }
}

static int model_make(const struct settings *settings, struct model *model,
                      struct failure *failure)
{
    const struct model_file *file = &settings->file;

    if (file->path && settings->layers)
        return fail(failure, "a model and layers exclude each other");
    if (!file->path)
        return model_layers(settings->layers ? settings->layers : 2, model, failure);
    if (file->order[0] == '\0' || !(file->spacing[0] > 0))
        return fail(failure, "%s: the order of its axes and its spacings are needed",
                    file->path);
    if (file->axes == 0 && !npy_is(file->path))
        return fail(failure, "%s: its size is needed", file->path);
    return model_read(file, model, failure);
}

/* `made` is true on return where the folder was not there before. */
static int check_output(const char *out, int *made, struct failure *failure)
{
    struct stat status;

    *made = mkdir(out, 0777) == 0;
    if (!*made && errno != EEXIST)
        return fail(failure, "%s: %s", out, strerror(errno));
    if (stat(out, &status) != 0 || !S_ISDIR(status.st_mode) || access(out, W_OK) != 0)
        return fail(failure, "%s is not a folder that can be written", out);
    return 0;
}

/* gather.npy holds the samples, [steps][receivers]; the rest are pictures. */
static int results_write(const struct settings *settings, const struct model *model,
                         const struct record *record, struct failure *failure)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/gather.npy", settings->out);
    return npy_write(path, record->gather, record->steps, record->receivers, failure)
           || pictures_write(settings->out, &settings->survey, model, record, failure);
}

static void tell(const struct settings *settings, const struct model *model,
                 const struct record *record)
{
    printf("model    %lld x %lld x %lld points, PML %lld points wide\n",
           (long long)model->n[0], (long long)model->n[1], (long long)model->n[2],
           (long long)settings->survey.width);
    printf("source   %.4g Hz Ricker, dt %.4g s, %lld steps\n", record->frequency,
           record->dt, (long long)record->steps);
    printf("time     %.2f s on %s, %.3g Mpoint/s\n", record->seconds, record->device,
           record->points_per_second / 1e6);
    printf("written  %s/gather.png and .npy, %lld wavefields\n", settings->out,
           (long long)record->planes);
}

static int shoot(struct settings *settings, struct failure *failure)
{
    struct model model = { 0 };
    struct record record = { 0 };
    int made = 0;
    int status = model_make(settings, &model, failure);

    if (status == 0 && settings->survey.has_source
        && settings->survey.has_source != model.axes)
        status = fail(failure, "the source has %d coordinates, the model %d axes",
                      settings->survey.has_source, model.axes);
    if (status == 0)
        status = survey_settle(&settings->survey, &model, failure)
                 || check_output(settings->out, &made, failure)
                 || wave_shoot(&settings->survey, &model, &record, failure)
                 || results_write(settings, &model, &record, failure);
    if (status == 0)
        tell(settings, &model, &record);
    else if (made)
        rmdir(settings->out);           /* only where nothing was written */
    record_free(&record);
    model_free(&model);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { OPTIONS, parse_one, NULL, DOC, NULL, NULL, NULL };
    struct settings settings = {
        .survey = { .width = 27, .snapshots = 3, .context = "cpu", .modules = "." },
        .out = ".",
    };
    struct failure failure = { "" };

    argp_err_exit_status = 2;
    argp_parse(&argp, argc, argv, 0, NULL, &settings);
    if (shoot(&settings, &failure)) {
        fprintf(stderr, "shot: %s\n", failure.why);
        return 1;
    }
    return 0;
}
