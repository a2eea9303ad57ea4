import { describe, expect, it } from "vitest";

import { completeWords } from "../src/completion-words.ts";
import { createCommand } from "./helpers/commands.ts";

const SEND = createCommand();
const COMMANDS = [
  SEND,
  { ...SEND, name: "seek", positionals: [{ ...place("kind"), choices: ["brands", "boxes"] }] },
  { ...SEND, name: "report", positionals: [place("run")] },
  { ...SEND, name: "runs", positionals: [{ ...place("run"), words: ["prune"] }] },
];

function place(name: string) {
  return { name, required: true, describe: { tr: name, en: name } };
}

const complete = (...words: readonly string[]): Promise<readonly string[]> =>
  completeWords(words, { commands: COMMANDS, readRunIds: async () => ["r-1", "r-2", "x-3"] });

describe("completeWords", () => {
  it.each([
    ["every command", [""], ["send", "seek", "report", "runs"]],
    ["commands by their beginning", ["se"], ["send", "seek"]],
    ["nothing for a command that there is none of", ["nope", ""], []],
    ["what a positional may be", ["seek", ""], ["brands", "boxes"]],
    ["what a positional may be, by its beginning", ["seek", "br"], ["brands"]],
    ["nothing, so that files are offered", ["send", ""], []],
    ["nothing behind the last positional", ["seek", "brands", ""], []],
    ["runs where a run is meant", ["report", ""], ["r-1", "r-2", "x-3"]],
    ["words beside runs", ["runs", ""], ["prune", "r-1", "r-2", "x-3"]],
    ["runs by their beginning", ["report", "r-"], ["r-1", "r-2"]],
    ["flags", ["send", "--m"], ["--map", "--mode"]],
    ["the flags of every command", ["send", "--j"], ["--json"]],
    ["no flag twice", ["send", "--mode", "add", "--m"], ["--map"]],
    ["a flag again that may come again", ["send", "--map", "a=b", "--ma"], ["--map"]],
    ["the choices of a flag", ["send", "--mode", ""], ["add", "update"]],
    ["the choices of a flag of every command", ["send", "--lang", "t"], ["tr"]],
    ["nothing for a flag with any value", ["send", "--port", ""], []],
    [
      "the positional behind a flag with its value",
      ["report", "--mode", "add", "r-"],
      ["r-1", "r-2"],
    ],
    ["the positional behind a flag without a value", ["seek", "--yes", "bo"], ["boxes"]],
    ["the choices behind an equals sign", ["send", "--mode", "=", "up"], ["update"]],
    ["all choices right behind an equals sign", ["send", "--mode", "="], ["add", "update"]],
  ])("answers with %s", async (_name, words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it("reads runs only where a run's id can stand", async () => {
    let asked = 0;
    const readRunIds = async (): Promise<readonly string[]> => {
      asked += 1;
      return [];
    };

    await completeWords(["send", ""], { commands: COMMANDS, readRunIds });
    await completeWords(["report", "--"], { commands: COMMANDS, readRunIds });

    expect(asked).toBe(0);
  });

  it("offers no runs when they cannot be read", async () => {
    const asking = completeWords(["report", ""], {
      commands: COMMANDS,
      readRunIds: () => Promise.reject(new Error("locked")),
    });

    expect(await asking).toEqual([]);
  });
});
