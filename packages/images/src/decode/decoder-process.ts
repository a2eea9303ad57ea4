/**
 * A separate program: it reads orders on standard input, one per line, and answers each with a line
 * on standard output. It may read and write one folder, starts no program and has no environment,
 * because the images may be hostile.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

import type { Decoded, DecodeOrder, PreparedFacts } from "./decode-protocol.ts";
import { inspectImage, prepareImage, restrictLibrary } from "./image-operations.ts";

async function obey(order: DecodeOrder): Promise<unknown> {
  const bytes = readFileSync(order.path);
  if (order.kind === "inspect") return await inspectImage(bytes, order.limits);
  const made = await prepareImage(bytes, order);
  if (!made.ok) return made;
  writeFileSync(order.outPath, made.value.bytes, { flag: "wx", mode: 0o600 });
  return { ok: true, value: made.value.facts } satisfies Decoded<PreparedFacts>;
}

restrictLibrary();
// A process that dies before this line has failed by itself, not because of an image.
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const order: DecodeOrder = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await obey(order))}\n`);
}
