#!/usr/bin/env node
/** Starts the `catalog` program from its sources; the command itself is in `bin`. */

await import(new URL("../bin/catalog.js", import.meta.url).href);
