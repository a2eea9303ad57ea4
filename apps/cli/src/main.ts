#!/usr/bin/env node
/** The `catalog` program for those who start it from its sources; the command itself is in `bin`. */

await import(new URL("../bin/catalog.js", import.meta.url).href);
