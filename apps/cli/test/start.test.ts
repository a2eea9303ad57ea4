import { spawn } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";

import { expect, it } from "vitest";

import { SOURCE_PATHS, toAbsolutePath } from "../../../test/helpers/source-paths.ts";
import { createProgressSender, type ParentChannel, takeEnvironment } from "../src/start.ts";

const MAIN = toAbsolutePath(SOURCE_PATHS.cliMain);

/** Throws an uncaught error as soon as the program is ready. */
const THROW = `
  process.on("newListener", (name) => {
    if (name === "uncaughtException") {
      setImmediate(() => { throw new Error("\\u001b]0;x\\u0007\\u202e"); });
    }
  });
`;

it("escapes the message of an unexpected error, and ends with 1", async () => {
  const hook = `data:text/javascript,${encodeURIComponent(THROW)}`;
  const child = spawn(process.execPath, ["--import", hook, MAIN, "sandbox"]);
  const ended = new Promise((resolve) => child.once("close", resolve));

  const output = await text(child.stderr);

  expect(output).toContain(String.raw`Error: \u001b]0;x\u0007\u202e`);
  expect(await ended).toBe(1);
});

it.skipIf(!existsSync("/dev/full"))(
  "says that its output was cut off by a full disk, which is no bug (#37)",
  async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [MAIN, "help", "--lang", "en"], {
      stdio: ["ignore", full, "pipe"],
    });
    const ended = new Promise((resolve) => child.once("close", resolve));

    const output = await text(child.stderr ?? new ReadableStream());

    expect(output).toBe(
      "Not all of the output could be written: the disk is full. All that was sent is written down. Make room and run the command again.\n",
    );
    expect(await ended).toBe(6);
  },
);

it("takes the program's variables out of the environment, and copies the others", () => {
  const variables = {
    PATH: "/bin",
    CATALOG_CLIENT_SECRET: "SECRET-CANARY",
    Catalog_Upload_Token: "TOKEN-CANARY",
    LANG: undefined,
  };

  const taken = takeEnvironment(variables);

  expect(variables).toEqual({ PATH: "/bin", LANG: undefined });
  expect(taken).toEqual({
    PATH: "/bin",
    CATALOG_CLIENT_SECRET: "SECRET-CANARY",
    CATALOG_UPLOAD_TOKEN: "TOKEN-CANARY",
    LANG: undefined,
  });
});

const STEP = { phase: "send", done: 1, total: 2 };

it("tells nobody where the program was started without a channel", () => {
  expect(createProgressSender({ connected: false })).toBeUndefined();
});

it("tells each step while the parent listens, and nothing after it has ended", () => {
  const told: unknown[] = [];
  const channel: { connected: boolean } & ParentChannel = {
    connected: true,
    send: (message: unknown) => told.push(message) > 0,
  };
  const send = createProgressSender(channel);

  send?.(STEP);
  channel.connected = false;
  send?.(STEP);

  expect(told).toEqual([STEP]);
});
