/* What is known within the runtime alone. Not part of the API. */
#ifndef CREO_SRC_INTERNAL_H
#define CREO_SRC_INTERNAL_H

/* Before the declaration of a function that files of the runtime share, and of data: no program sees them. */
#ifdef CREO_AMALGAMATED
#define CREO_PRIVATE static
#define CREO_PRIVATE_DATA static
#elif defined(__GNUC__) || defined(__clang__)
#define CREO_PRIVATE __attribute__((__visibility__("hidden")))
#define CREO_PRIVATE_DATA extern CREO_PRIVATE
#else
#define CREO_PRIVATE
#define CREO_PRIVATE_DATA extern
#endif

/* Where all files are one, functions may be left that only parts would call that were not chosen. */
#if defined(CREO_AMALGAMATED) && (defined(__GNUC__) || defined(__clang__))
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#endif
