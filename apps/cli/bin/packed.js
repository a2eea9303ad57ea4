#!/usr/bin/env node
/**
 * Starts the program that was installed as a package, on the line of Node that it is tested with: the
 * Node at hand, the one that came with the package, or a later one. Node >= 20.
 */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { handOver } from "./hand-over.js";

/** From 24.12.0 on, Node has what the program needs. */
const TESTED = { major: 24, minor: 12 };

/**
 * The garbage of many rows is collected before it grows: a plan of 100,000 rows takes 410 MB instead
 * of 600, in the same time. Node reads it only when it starts.
 */
const MEMORY_FLAG = "--max-semi-space-size=16";

const program = new URL("../program/catalog.js", import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isTested = major === TESTED.major && minor >= TESTED.minor;
const packed = isTested ? undefined : findPackedNode();

if (packed !== undefined) {
  start(packed);
} else if (isTested || major > TESTED.major) {
  start(process.execPath);
} else {
  const needed = `${TESTED.major}.${TESTED.minor}`;
  console.error(`Node ${process.versions.node} is too old; install Node ${needed} or newer.`);
  console.error("On Linux and Windows it comes with the package, unless --omit=optional is given.");
  process.exitCode = 1;
}

/** Starts the program in the place of this process, where the system and this Node can do that. */
function start(node) {
  const words = [MEMORY_FLAG, fileURLToPath(program), ...process.argv.slice(2)];
  const mayReplace = process.execve !== undefined && process.channel == null;
  if (mayReplace && process.platform !== "win32") process.execve(node, [node, ...words]);
  else handOver(node, words);
}

/** The Node for this machine that was installed with the package; there is none for some machines. */
function findPackedNode() {
  const isWindows = process.platform === "win32";
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), "bin", isWindows ? "node.exe" : "node");
  } catch {
    return undefined;
  }
}
