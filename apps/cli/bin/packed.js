#!/usr/bin/env node
/**
 * Starts the program that was installed as a package, on the Node that it was tried with: the one at
 * hand, where it is of that line, and else the one that came with the package. Node >= 20.
 */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { handOver } from "./hand-over.js";

const NODE_LINE = { major: 24, minor: 12 };

const program = new URL("../program/catalog.js", import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major === NODE_LINE.major && minor >= NODE_LINE.minor) {
  await import(program.href);
} else {
  const manifest = createRequire(import.meta.url).resolve("node/package.json");
  const node = join(dirname(manifest), "bin", process.platform === "win32" ? "node.exe" : "node");
  handOver(node, [fileURLToPath(program), ...process.argv.slice(2)]);
}
