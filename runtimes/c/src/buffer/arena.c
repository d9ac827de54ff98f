#include <creo/arena.h>

#include "copy.h"

#include <stdalign.h>
#include <stdlib.h>

/* The alignment of every piece except bytes. */
#define ALIGN 16
_Static_assert(alignof(max_align_t) <= ALIGN, "the arena's alignment fits every type");

#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_COMMON_BLOCK ((size_t)1 << 20)

struct creo_block {
    struct creo_block *next;
    size_t size; /* with this header */
};

#define HEADER ((sizeof(creo_block) + ALIGN - 1) / ALIGN * ALIGN)

static uint8_t *block_start(creo_block *block)
{
    return (uint8_t *)block + HEADER;
}

static uint8_t *block_end(creo_block *block)
{
    return (uint8_t *)block + block->size;
}

static void *libc_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void libc_release(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

creo_allocator creo_allocator_libc(void)
{
    return (creo_allocator){libc_allocate, libc_release, NULL};
}

void creo_arena_init_seeded(creo_arena *arena, void *memory, size_t size, creo_allocator allocator)
{
    /* Without memory the empty range has an address other than NULL: pointers can be compared and subtracted. */
    arena->memory = memory == NULL ? (uint8_t *)arena : (uint8_t *)memory;
    arena->memory_size = memory == NULL ? 0 : size;
    arena->at = arena->memory;
    arena->end = arena->memory + arena->memory_size;
    arena->blocks = NULL;
    arena->allocator = allocator;
    arena->taken = 0;
    arena->most = SIZE_MAX;
    arena->secret = false;
}

void creo_arena_init(creo_arena *arena, creo_allocator allocator)
{
    creo_arena_init_seeded(arena, NULL, 0, allocator);
}

void creo_arena_init_fixed(creo_arena *arena, void *memory, size_t size)
{
    creo_arena_init_seeded(arena, memory, size, (creo_allocator){NULL, NULL, NULL});
}

static void release_block(creo_arena *arena, creo_block *block)
{
    arena->taken -= block->size;
    if (arena->secret)
        creo_wipe(block_start(block), block->size - HEADER);
    arena->allocator.release(arena->allocator.context, block, block->size);
}

void creo_arena_free(creo_arena *arena)
{
    while (arena->blocks != NULL) {
        creo_block *block = arena->blocks;
        arena->blocks = block->next;
        release_block(arena, block);
    }
    arena->at = arena->memory;
    arena->end = arena->memory + arena->memory_size;
}

void creo_arena_reset(creo_arena *arena)
{
    creo_block *kept = NULL;
    while (arena->blocks != NULL) {
        creo_block *block = arena->blocks;
        arena->blocks = block->next;
        if (kept != NULL && kept->size >= block->size) {
            release_block(arena, block);
        } else {
            if (kept != NULL)
                release_block(arena, kept);
            kept = block;
        }
    }
    if (kept != NULL && kept->size - HEADER < arena->memory_size) {
        release_block(arena, kept);
        kept = NULL;
    }
    if (kept == NULL) {
        arena->at = arena->memory;
        arena->end = arena->memory + arena->memory_size;
        return;
    }
    kept->next = NULL;
    arena->blocks = kept;
    arena->at = block_start(kept);
    arena->end = block_end(kept);
}

static creo_block *new_block(creo_arena *arena, size_t size)
{
    if (arena->allocator.allocate == NULL || size > arena->most || arena->taken > arena->most - size)
        return NULL;
    creo_block *block = (creo_block *)arena->allocator.allocate(arena->allocator.context, size);
    if (block == NULL)
        return NULL;
    block->size = size;
    arena->taken += size;
    return block;
}

/* A piece that does not fit into the current block. */
static void *take_from_new_block(creo_arena *arena, size_t size)
{
    if (size > SIZE_MAX - HEADER)
        return NULL;
    size_t needed = size + HEADER;
    size_t common = FIRST_BLOCK;
    if (arena->blocks != NULL)
        common = arena->blocks->size < LARGEST_COMMON_BLOCK / 2 ? arena->blocks->size * 2 : LARGEST_COMMON_BLOCK;

    if (arena->blocks != NULL && needed > common / 2) {
        /* A large piece gets its own block after the current one, whose room stays in use. */
        creo_block *own = new_block(arena, needed);
        if (own == NULL)
            return NULL;
        own->next = arena->blocks->next;
        arena->blocks->next = own;
        return block_start(own);
    }
    creo_block *block = needed < common ? new_block(arena, common) : NULL;
    if (block == NULL)
        block = new_block(arena, needed);
    if (block == NULL)
        return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->at = block_start(block) + size;
    arena->end = block_end(block);
    return block_start(block);
}

void *creo_arena_take(creo_arena *arena, size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > SIZE_MAX / size)
        return NULL;
    size_t bytes = count * size;
    if (size > 1) {
        size_t pad = (size_t)(-(uintptr_t)arena->at) & (ALIGN - 1);
        if (pad <= (size_t)(arena->end - arena->at))
            arena->at += pad;
        else
            arena->at = arena->end;
    }
    if (bytes <= (size_t)(arena->end - arena->at)) {
        void *memory = arena->at;
        arena->at += bytes;
        return memory;
    }
    return take_from_new_block(arena, bytes);
}

void *creo_arena_take_zeroed(creo_arena *arena, size_t count, size_t size)
{
    void *memory = creo_arena_take(arena, count, size);
    if (memory != NULL)
        memset(memory, 0, count * size);
    return memory;
}

/* Releases the block whose only piece is `old`, which the caller has just copied. */
static void release_own_block(creo_arena *arena, const uint8_t *old)
{
    for (creo_block **link = &arena->blocks; *link != NULL; link = &(*link)->next) {
        creo_block *block = *link;
        if (block_start(block) == old && block != arena->blocks) {
            *link = block->next;
            release_block(arena, block);
            return;
        }
    }
}

/* Whether a block after the current one contains only `old`: only large pieces are alone there. */
static bool stands_alone(const creo_arena *arena, const uint8_t *old, size_t old_size)
{
    if (arena->blocks == NULL)
        return false;
    for (creo_block *block = arena->blocks->next; block != NULL; block = block->next)
        if (block_start(block) == old)
            return (size_t)(block_end(block) - block_start(block)) == old_size;
    return false;
}

void *creo_arena_grow(creo_arena *arena, void *old, size_t old_size, size_t used, size_t new_size)
{
    uint8_t *piece = (uint8_t *)old;
    if (piece == NULL || old_size == 0)
        return creo_arena_take(arena, new_size, 1);
    if (piece + old_size == arena->at && new_size - old_size <= (size_t)(arena->end - arena->at)) {
        arena->at += new_size - old_size;
        return piece;
    }
    bool alone = stands_alone(arena, piece, old_size);
    uint8_t *larger = (uint8_t *)creo_arena_take(arena, new_size, 1);
    if (larger == NULL)
        return NULL;
    if (used != 0)
        memcpy(larger, piece, used);
    if (alone)
        release_own_block(arena, piece);
    return larger;
}

char *creo_arena_text(creo_arena *arena, creo_string text)
{
    if (text.size == SIZE_MAX)
        return NULL;
    char *copy = (char *)creo_arena_take(arena, text.size + 1, 1);
    if (copy == NULL)
        return NULL;
    if (text.size != 0)
        memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    return copy;
}

creo_mark creo_arena_mark(const creo_arena *arena)
{
    return (creo_mark){arena->at, arena->blocks, arena->blocks == NULL ? NULL : arena->blocks->next};
}

void creo_arena_rewind(creo_arena *arena, creo_mark mark)
{
    while (arena->blocks != mark.block) {
        creo_block *block = arena->blocks;
        arena->blocks = block->next;
        release_block(arena, block);
    }
    if (arena->blocks == NULL) {
        arena->end = arena->memory + arena->memory_size;
    } else {
        /* Blocks of single large pieces come after the current one. */
        while (arena->blocks->next != mark.behind) {
            creo_block *block = arena->blocks->next;
            arena->blocks->next = block->next;
            release_block(arena, block);
        }
        arena->end = block_end(arena->blocks);
    }
    arena->at = mark.at;
}
