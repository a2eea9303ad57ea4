#!/usr/bin/env node
/**
 * Starts the `catalog` program. Node keeps what it has compiled in a folder of the person's own, so
 * that later starts take half the time; where it cannot write there, it starts without. This file
 * is JavaScript so that a start that finds everything there need not load Node's TypeScript parser,
 * which costs 10 MB and 50 ms.
 */

import { enableCompileCache } from "node:module";
import { setFlagsFromString } from "node:v8";

import envPaths from "env-paths";

/** Commands that run for hours beside other things, mostly waiting for the marketplace. */
const STEADY_COMMANDS = new Set(["export", "sync"]);

/** Commands that read files of any size. */
const PLANNING_COMMANDS = new Set(["import", "plan"]);

const words = process.argv.slice(2);

// V8 lets the garbage of small answers grow to 60 MB before it looks, and further while it marks the
// rest. These commands trade some of their idle processor time for a third of their memory. What is
// compiled belongs to its flags, so they are set before anything is loaded.
if (words.some((word) => STEADY_COMMANDS.has(word))) {
  setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--no-separate-gc-phases");
}

if (words.some((word) => PLANNING_COMMANDS.has(word)) && !words.includes("--help")) {
  await import("./small-heap.js");
}

// An export has no loop that wins back what the last of the compilers takes: 5 MB, and 10 now and then.
if (words.includes("export")) setFlagsFromString("--no-turbofan");

enableCompileCache(envPaths("catalog-toolkit", { suffix: "" }).cache);

// Only what is loaded from here on is kept.
await import("../src/start.ts");
