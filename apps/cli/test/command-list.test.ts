import { NAMED_COMMANDS } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { COMMANDS, createCommands } from "../src/command-list.ts";
import { createLoginStore } from "../src/login/login-store.ts";
import { parseCommandLine } from "../src/parse-command-line.ts";
import { createConfigLocations } from "./helpers/cli-harness.ts";
import { createFakeKeyring } from "./helpers/fake-keyring.ts";

const commands = createCommands({
  env: {},
  cwd: "/",
  configLocations: createConfigLocations("/none"),
  logins: createLoginStore({ folder: "/none", keyring: createFakeKeyring(), ownerId: undefined }),
  prompts: { ask: async () => undefined, askSecret: async () => undefined },
  readInput: async () => undefined,
  fetch,
  program: "catalog",
  runtime: { node: "24.21.0", tool: "0.0.0", execArgv: [], entry: "/none" },
});

describe("createCommands", () => {
  it("adds its own commands, and names no command twice", () => {
    const names = commands.map(({ name }) => name);

    expect(names).toEqual([
      ...COMMANDS.map(({ name }) => name),
      "sync",
      "schedule",
      "web",
      "worker",
      "login",
      "doctor",
      "db",
      "trust",
      "completion",
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(["import", "plan", "sync"])(
    "answers a misspelt guard of %s with the nearest",
    async (name) => {
      const read = (guards: string): Promise<unknown> =>
        parseCommandLine(commands, [name, "a.csv", "--allow", guards], { lang: "en" });

      await expect(read("zero-stock,price-dorp")).rejects.toThrow(
        "“price-dorp” is not a value of --allow. Did you mean “price-drop”? It may be: ",
      );
      await expect(read("zero-stock, price-drop")).resolves.toMatchObject({ kind: "command" });
    },
  );

  it.each(["tr", "en"] as const)("prints help in %s that fits 80 columns", async (lang) => {
    for (const { name, examples } of commands) {
      const parsed = await parseCommandLine(commands, [name, "--help"], { lang });

      const lines = (parsed.kind === "help" ? parsed.text : "").split("\n");
      const shown = examples.map(
        (example) => `  catalog ${typeof example === "string" ? example : example[lang]}`,
      );
      expect(lines.filter((line) => line.length > 80 && !shown.includes(line))).toEqual([]);
      expect(lines.slice(-shown.length)).toEqual(shown);
    }
  });

  it("has exactly the commands that texts may name", () => {
    const names = commands.map(({ name }) => name);

    expect([...NAMED_COMMANDS]).toEqual([...names, "help"].toSorted());
  });

  it("accepts a secret by no flag", () => {
    const flags = commands.flatMap((command) =>
      Object.entries(command.flags).map(([name, { type }]) => `${name} ${type}`),
    );

    expect(flags.filter((flag) => flag.includes("secret"))).toEqual(["secret-stdin boolean"]);
  });
});
