/* Used within the runtime only. Not part of the API. */
#ifndef CREO_SRC_INTERNAL_H
#define CREO_SRC_INTERNAL_H

/* Before the declaration of a function that the runtime shares with modules such as JMS: programs do not see it. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(_WIN32)
#define CREO_MODULE __attribute__((__visibility__("hidden")))
#else
#define CREO_MODULE
#endif

/* The same for functions and data that modules do not use. In an amalgamation they are static. */
#ifdef CREO_AMALGAMATED
#define CREO_PRIVATE static
#define CREO_PRIVATE_DATA static
#else
#define CREO_PRIVATE CREO_MODULE
#define CREO_PRIVATE_DATA extern CREO_MODULE
#endif

/* An amalgamation may contain unused functions: those for omitted parts, or the runtime itself within a module. */
#if (defined(CREO_AMALGAMATED) || defined(CREO_AMALGAMATED_MODULE)) && (defined(__GNUC__) || defined(__clang__))
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#endif
