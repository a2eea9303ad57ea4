import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

const MODULE = fileURLToPath(new URL("../../bin/one-memory-pool.js", import.meta.url));
const PROGRAM = `
  import { readFileSync } from "node:fs";
  import { useOneMemoryPool } from ${JSON.stringify(MODULE)};
  useOneMemoryPool();
  const started = readFileSync("/proc/self/environ", "utf8");
  console.log(JSON.stringify({
    pid: process.pid,
    words: process.argv.slice(1),
    started: /MALLOC_ARENA_MAX=(\\d+)/u.exec(started)?.[1],
    left: Object.keys(process.env).filter((name) => /MALLOC|ONE_MEMORY/u.test(name)),
  }));`;

async function run(env: Readonly<Record<string, string>>): Promise<unknown> {
  const args = ["--input-type=module", "-e", PROGRAM, "--", "plan", "a b.csv"];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const told: object = JSON.parse(await text(child.stdout));
  return { ...told, isSame: "pid" in told && told.pid === child.pid, pid: undefined };
}

const isLinux = process.platform === "linux";

it.skipIf(!isLinux)(
  "starts the program again in the same process, with the same words",
  async () => {
    expect(await run({})).toMatchObject({
      isSame: true,
      words: ["plan", "a b.csv"],
      started: "1",
      left: [],
    });
  },
);

it.skipIf(!isLinux)("leaves the setting of a person as it is", async () => {
  expect(await run({ MALLOC_ARENA_MAX: "4" })).toMatchObject({
    started: "4",
    left: ["MALLOC_ARENA_MAX"],
  });
});
