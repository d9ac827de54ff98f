/* Random bytes and the time of day, from the operating system. Indented includes belong to one system; an amalgamation leaves them in place. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "fresh.h"

#include <creo/codegen/path.h>

#ifdef _WIN32
#  ifndef WIN32_LEAN_AND_MEAN
#    define WIN32_LEAN_AND_MEAN
#  endif
#  include <windows.h>
#  include <ntsecapi.h>
#  ifdef _MSC_VER
#    pragma comment(lib, "advapi32")
#  endif

static bool fresh_bytes(uint8_t *into, size_t size)
{
    return size <= 0xFFFFFFFF && RtlGenRandom(into, (ULONG)size);
}

static bool fresh_time(creo_datetime *now)
{
    FILETIME time;
    GetSystemTimeAsFileTime(&time);
    /* Tenths of microseconds since 1601. */
    uint64_t ticks = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    now->seconds = (int64_t)(ticks / 10000000) - INT64_C(11644473600);
    now->nanoseconds = (uint32_t)(ticks % 10000000 * 100);
    return true;
}
#else
#  include <errno.h>
#  include <fcntl.h>
#  include <time.h>
#  include <unistd.h>
#  if defined(__linux__) && defined(__has_include)
#    if __has_include(<sys/random.h>)
#      include <sys/random.h>
#    endif
#  endif

static bool fresh_of_device(uint8_t *into, size_t size)
{
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (source < 0)
        return false;
    while (size > 0) {
        ssize_t count = read(source, into, size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        into += count;
        size -= (size_t)count;
    }
    (void)close(source);
    return size == 0;
}

/* If the system has no getrandom, or does not allow it, its device has the same bytes. */
static bool fresh_bytes(uint8_t *into, size_t size)
{
#  ifdef GRND_NONBLOCK
    while (size > 0) {
        ssize_t count = getrandom(into, size, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        into += count;
        size -= (size_t)count;
    }
#  endif
    return size == 0 || fresh_of_device(into, size);
}

static bool fresh_time(creo_datetime *now)
{
    struct timespec time;
    if (clock_gettime(CLOCK_REALTIME, &time) != 0)
        return false;
    now->seconds = time.tv_sec;
    now->nanoseconds = (uint32_t)time.tv_nsec;
    return true;
}
#endif

bool creo_random(void *into, size_t size, creo_error *error)
{
    return fresh_bytes((uint8_t *)into, size) || creo_fail(error, CREO_INTERNAL, "this system has no random numbers");
}

bool creo_wall_clock(creo_datetime *now, creo_error *error)
{
    return (fresh_time(now) && creo_datetime_valid(*now)) || creo_fail(error, CREO_INTERNAL, "this system's clock does not say the time of day");
}
