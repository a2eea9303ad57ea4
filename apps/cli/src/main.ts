#!/usr/bin/env node
/**
 * Starts the `catalog` program. Node stores compiled code in a folder of the person, which shortens
 * later starts; where that folder cannot be written, it starts without.
 */

import { enableCompileCache } from "node:module";

import envPaths from "env-paths";

enableCompileCache(envPaths("catalog-toolkit", { suffix: "" }).cache);

// Only modules loaded from here on are cached.
const { start } = await import("./start.ts");
await start(import.meta.filename);
