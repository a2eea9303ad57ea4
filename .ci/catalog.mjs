#!/usr/bin/env node
/**
 * `npx catalog` in a clone where nothing is installed yet. Without it npx would fetch the package
 * of that name from the registry, which is another one. Once installed, npx finds the command itself.
 */

process.argv.splice(2, 0, "catalog");
await import("./setup.mjs");
