/** The version of the runtime, which generated code checks. */
#ifndef CREO_VERSION_H
#define CREO_VERSION_H

/** Version of this runtime: major * 10000 + minor * 100 + patch. Generated code refuses one that it does not fit. */
#define CREO_RUNTIME_VERSION 10000

/** The oldest generated code that this runtime still serves. */
#define CREO_RUNTIME_OLDEST 10000

#endif
