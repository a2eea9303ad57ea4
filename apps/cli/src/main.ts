#!/usr/bin/env node
/**
 * The `catalog` program. Node keeps what it has compiled in a folder of the person's own, so that
 * later starts take half the time; where it cannot write there, it starts without.
 */

import { enableCompileCache } from "node:module";

import envPaths from "env-paths";

enableCompileCache(envPaths("catalog-toolkit", { suffix: "" }).cache);

// Only what is loaded from here on is kept.
await import("./start.ts");
