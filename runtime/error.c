/* The last error of each thread: one plain sentence. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char sentence[640];

enum qn_status qn__fail(enum qn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return status;
}

const char *qn_last_error(void)
{
    return sentence;
}

const char *qn_status_name(enum qn_status status)
{
    switch (status) {
    case QN_OK: return "ok";
    case QN_INVALID: return "invalid";
    case QN_NO_MEMORY: return "no memory";
    case QN_NO_DEVICE: return "no device";
    case QN_NOT_FOUND: return "not found";
    case QN_MISMATCH: return "mismatch";
    case QN_DEVICE: return "device error";
    case QN_WRONG: return "wrong";
    case QN_BUSY: return "busy";
    }
    return "unknown status";
}
