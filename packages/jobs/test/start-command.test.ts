import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import {
  type CommandProgress,
  createStartCommand,
  type StartedCommand,
} from "../src/start-command.ts";
import { createFolder } from "./helpers/temporary-folder.ts";

interface Started extends StartedCommand {
  readonly folder: string;
}

const WORDS = ["apply", "--a=b c", "--yes", "--", "$(id)", "--help", "-x"];

/** Starts a program with this source in place of ours. */
function start(source: string, env: Readonly<Record<string, string>> = {}): Started {
  const cwd = createFolder({ "program.mjs": source });
  const folder = join(cwd, "home", "web", "commands");
  const startCommand = createStartCommand({
    program: [process.execPath, join(cwd, "program.mjs")],
    cwd,
    env: () => ({ ...env }),
    folder: () => folder,
  });
  return Object.assign({ folder }, startCommand(WORDS));
}

it("gives the words as they are, asks for a document, and reads its last line", async () => {
  const command = start(
    `console.log("a line before");
     console.log(JSON.stringify({ words: process.argv.slice(2), home: process.env.HOME }));
     console.error("x".repeat(100_000) + "end");
     process.exitCode = 5;`,
    { HOME: "/somewhere" },
  );

  const { exit, document, errors } = await command.ended;

  expect([exit, document]).toEqual([
    5,
    { words: ["apply", "--json", ...WORDS.slice(1)], home: "/somewhere" },
  ]);
  expect([errors.length, errors.endsWith("xend")]).toEqual([64 * 1024 - 1, true]);
  expect(readdirSync(command.folder)).toEqual([]);
});

it.each([["r-1"], ["--lang", "tr"], ["-x"], ["--yes", "a", "--"]])(
  "starts nothing with a word that is no flag and does not follow --: %s %s (#37)",
  (...words) => {
    const folder = join(createFolder({}), "commands");
    const program = [process.execPath, "--version"];
    const startCommand = createStartCommand({
      program,
      cwd: ".",
      env: () => ({}),
      folder: () => folder,
    });

    expect(() => startCommand(["retry", ...words])).toThrow(TypeError);
    expect(existsSync(folder)).toBe(false);
  },
);

it("tells progress, and nothing that is not one", async () => {
  const command = start(
    `for (const message of [{ phase: "send", done: 1, total: 9 }, "x", { phase: 1, done: 1, total: 1 },
       { phase: "read", done: 2, total: null }]) process.send(message);`,
  );
  const told: CommandProgress[] = [];
  command.onProgress((progress) => told.push(progress));

  await command.ended;

  expect(told).toEqual([
    { phase: "send", done: 1, total: 9 },
    { phase: "read", done: 2, total: null },
  ]);
});

it("stops a command as Ctrl-C does", async () => {
  const command = start(
    `process.on("SIGINT", () => { console.log('{"stopped":true}'); process.exit(130); });
     setInterval(() => process.send({ phase: "send", done: 1, total: 1 }), 5);`,
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  command.onProgress(() => resolve());

  await promise;
  command.stop();

  expect(await command.ended).toMatchObject({ exit: 130, document: { stopped: true } });
});

it("ends for a program that was killed, or that does not exist", async () => {
  const killed = start(`process.kill(process.pid, "SIGKILL");`);
  const missing = createStartCommand({
    program: ["/none/program"],
    cwd: createFolder(),
    env: () => ({}),
    folder: () => killed.folder,
  })([]);

  expect((await killed.ended).exit).toBe(137);
  expect(await missing.ended).toEqual({ exit: 126, document: undefined, errors: "" });
  expect(existsSync(killed.folder)).toBe(true);
});
