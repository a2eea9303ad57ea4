import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createTextOutput } from "../src/write-file.ts";

async function write(texts: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "text-output-"));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const path = join(folder, "text");
  {
    await using handle = await open(path, "wx");
    const output = createTextOutput(handle);
    for (const text of texts) await output.write(text);
    await output.flush();
  }
  return await readFile(path, "utf8");
}

it("writes texts one after the other, however long each is", async () => {
  const texts = [
    "",
    "ığdır ",
    "x".repeat(40_000),
    "ş".repeat(70_000),
    "🙂".repeat(9),
    "y".repeat(200_000),
  ];

  expect(await write(texts)).toBe(texts.join(""));
});

it("writes many short texts in their order", async () => {
  const texts = Array.from({ length: 30_000 }, (_, at) => `satır ${at};`);

  expect(await write(texts)).toBe(texts.join(""));
});
