import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, it } from "vitest";

/** Prints the address of every module that the table of commands loads. */
const WATCH = `
  import { registerHooks } from "node:module";
  registerHooks({
    load(url, context, next) {
      console.log(url);
      return next(url, context);
    },
  });
  await import(process.argv[1]);
`;

it("loads every command, and no server with them", async () => {
  const commands = new URL("../src/commands.ts", import.meta.url).href;
  const args = ["--input-type=module", "--eval", WATCH, commands];

  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });

  const loaded = stdout.split("\n");
  expect(loaded.filter((url) => url.endsWith("/commands/sandbox.ts"))).toHaveLength(1);
  expect(loaded.filter((url) => /\/fastify\/|\/apps\/sandbox\/src\/index\.ts$/u.test(url))).toEqual(
    [],
  );
});
