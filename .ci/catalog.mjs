#!/usr/bin/env node
/**
 * `npx catalog-toolkit` in a clone where nothing is installed yet; `npx catalog`, too, for which npx
 * would fetch another package from the registry. Once installed, npx finds the command itself.
 */

process.argv.splice(2, 0, "catalog");
await import("./setup.mjs");
