/** The version of the runtime, which generated code checks. */
#ifndef CREO_VERSION_H
#define CREO_VERSION_H

/** The version of this runtime. */
#define CREO_RUNTIME_RELEASE "0.1.0"

/** The format of generated code that this runtime supports, an increasing number. Generated code refuses a runtime that does not fit. */
#define CREO_RUNTIME_VERSION 10000

/** The oldest format that this runtime still supports. */
#define CREO_RUNTIME_OLDEST 10000

#endif
