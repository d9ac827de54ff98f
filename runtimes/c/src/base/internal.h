/* What is known within the runtime alone. Not part of the API. */
#ifndef CREO_SRC_INTERNAL_H
#define CREO_SRC_INTERNAL_H

/* Before the declaration of a function that files of the runtime share with modules such as JMS: no program sees it. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)
#define CREO_MODULE __attribute__((__visibility__("hidden")))
#else
#define CREO_MODULE
#endif

/* The same for functions and for data that modules do not use. Where all files are one, they are static. */
#ifdef CREO_AMALGAMATED
#define CREO_PRIVATE static
#define CREO_PRIVATE_DATA static
#else
#define CREO_PRIVATE CREO_MODULE
#define CREO_PRIVATE_DATA extern CREO_MODULE
#endif

/* Where files are joined, functions may be left that only others would call: parts that were not chosen, or the runtime itself within a module. */
#if (defined(CREO_AMALGAMATED) || defined(CREO_AMALGAMATED_MODULE)) && (defined(__GNUC__) || defined(__clang__))
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#endif
