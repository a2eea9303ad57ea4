#!/usr/bin/env node
/**
 * Starts the `catalog` program. Node stores compiled code in a folder of the person, which halves the
 * time of later starts; where that folder cannot be written, it starts without. This file is
 * JavaScript, so that a start with a full cache does not load Node's TypeScript parser, which costs
 * 10 MB and 50 ms.
 */

import { enableCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

import envPaths from "env-paths";

import { useOneMemoryPool } from "./one-memory-pool.js";

/** Commands that may run for hours and mostly wait for the marketplace. */
const STEADY_COMMANDS = new Set(["export", "sync", "worker"]);

/** Commands that go through the rows of a file, which may be a million. */
const ROW_COMMANDS = new Set(["apply", "import", "plan", "report", "resume", "retry", "web"]);

const words = process.argv.slice(2);

// V8 lets the garbage of small answers grow to 60 MB before it collects, and further while it marks
// the rest. These commands trade some idle processor time for a third of their memory. Compiled code
// depends on the flags, so they are set before any module is loaded.
if (words.some((word) => STEADY_COMMANDS.has(word))) {
  setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--no-separate-gc-phases");
}

if (words.some((word) => ROW_COMMANDS.has(word)) && !words.includes("--help")) {
  useOneMemoryPool();
  await import("./small-heap.js");
}

// In an export the last compiler saves less time than its memory costs: 5 MB, at times 10 MB.
if (words.includes("export")) setFlagsFromString("--no-turbofan");

enableCompileCache(envPaths("catalog-toolkit", { suffix: "" }).cache);

// Only modules loaded from here on are cached.
await import("../src/start.ts");
