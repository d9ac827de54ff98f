/** The version of the runtime, which generated code checks. */
#ifndef CREO_VERSION_H
#define CREO_VERSION_H

/** The version of this runtime. */
#define CREO_RUNTIME_RELEASE "0.1.0"

/** The form of generated code that this runtime serves, a number that grows. Generated code refuses a runtime that it does not fit. */
#define CREO_RUNTIME_VERSION 10000

/** The oldest generated code that this runtime still serves. */
#define CREO_RUNTIME_OLDEST 10000

#endif
