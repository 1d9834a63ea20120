/* A check of JSON against JSON Schema, as much of it as the project's own schema uses. */
#ifndef TESTS_SCHEMA_CHECK_H
#define TESTS_SCHEMA_CHECK_H

#include "steelyard/json.h"

/* True when the value is what the schema's root says; else prints the first place where it is not. */
bool schema_holds(const struct sy_json *schema, const struct sy_json *value);

#endif
