/* version: the program's version, and the revision of the source that it was built from. */
#ifndef STEELYARD_VERSION_H
#define STEELYARD_VERSION_H

extern const char sy_version[]; /* "0.1.0" */
extern const char
    sy_revision[]; /* git's name of the commit, with "-dirty" if files were changed; else "unknown" */

#endif
