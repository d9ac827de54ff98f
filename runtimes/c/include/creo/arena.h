/**
 * Arenas: memory that is allocated piece by piece and released all at once.
 *
 * An arena is not safe for use by several threads at the same time; different arenas are.
 */
#ifndef CREO_ARENA_H
#define CREO_ARENA_H

#include <creo/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where the strings and byte strings of a decoded value are stored. */
typedef enum creo_keep {
    /** In the arena. */
    CREO_COPY = 0,
    /** In the input bytes, which must then outlive the value: no copy is made. */
    CREO_BORROW = 1
} creo_keep;

/** The source of an arena's blocks. Both functions are called with `context`. */
typedef struct creo_allocator {
    /** Memory of that many bytes, aligned for any type, or NULL. */
    void *(*allocate)(void *context, size_t size);
    /** Releases memory from `allocate`, with the same size. */
    void (*release)(void *context, void *memory, size_t size);
    void *context;
} creo_allocator;

/** An allocator on malloc and free. */
creo_allocator creo_allocator_libc(void);

typedef struct creo_block creo_block;

typedef struct creo_arena {
    uint8_t *at;
    uint8_t *end;
    creo_block *blocks;
    creo_allocator allocator;
    uint8_t *memory;
    size_t memory_size;
    /** Bytes taken from the allocator, and the max number; set `most` to bound the memory of a value. */
    size_t taken;
    size_t most;
    /** Blocks are overwritten before they are released, since they may contain secrets. */
    bool secret;
} creo_arena;

/** An arena that takes blocks from an allocator on demand. It takes none before its first use. */
void creo_arena_init(creo_arena *arena, creo_allocator allocator);

/** An arena on the caller's memory, which never grows. */
void creo_arena_init_fixed(creo_arena *arena, void *memory, size_t size);

/** An arena that begins with the caller's memory and then takes blocks from an allocator. */
void creo_arena_init_seeded(creo_arena *arena, void *memory, size_t size, creo_allocator allocator);

/** Ends the life of everything taken; keeps the largest block for later use. */
void creo_arena_reset(creo_arena *arena);

/** Ends the life of everything taken and releases all blocks. The arena can be used again. */
void creo_arena_free(creo_arena *arena);

/** Memory for `count` items of `size` bytes, not cleared; NULL if there is none or `count` is 0. Aligned for any type unless `size` is 1. */
void *creo_arena_take(creo_arena *arena, size_t count, size_t size);

/** As `creo_arena_take`, all bytes 0. */
void *creo_arena_take_zeroed(creo_arena *arena, size_t count, size_t size);

/**
 * A larger piece with the first `used` bytes of `old`, which may be NULL; in place if `old` was the last piece taken. NULL if there is no memory;
 * `old` then stays valid.
 */
void *creo_arena_grow(creo_arena *arena, void *old, size_t old_size, size_t used, size_t new_size);

/** A zero-terminated copy of a text, or NULL. A zero byte within the text stays. */
char *creo_arena_text(creo_arena *arena, creo_string text);

/** A position to rewind to. */
typedef struct creo_mark {
    uint8_t *at;
    creo_block *block;
    creo_block *behind;
} creo_mark;

/**
 * Stores the current position; `creo_arena_rewind` ends the life of everything taken since. In between, earlier pieces must not grow, and the arena
 * must not be reset.
 */
creo_mark creo_arena_mark(const creo_arena *arena);
void creo_arena_rewind(creo_arena *arena, creo_mark mark);

/** Bytes without alignment, for texts. NULL if there is no memory. */
static inline uint8_t *creo_arena_bytes(creo_arena *arena, size_t size)
{
    if (CREO_LIKELY((size_t)(arena->end - arena->at) >= size && size != 0)) {
        uint8_t *memory = arena->at;
        arena->at += size;
        return memory;
    }
    return (uint8_t *)creo_arena_take(arena, size, 1);
}

#ifdef __cplusplus
}
#endif

#endif
