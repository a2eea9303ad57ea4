import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { createRunRepository, openDatabase } from "@catalog/database/testing";
import { describe, expect, it } from "vitest";

import {
  completeWords,
  COMPLETION_SCRIPTS,
  isShell,
  SHELLS,
} from "../../src/commands/completion/index.ts";
import { readLocalRuns } from "../../src/commands/completion/local-runs.ts";
import { createCliHarness } from "../helpers/cli-harness.ts";
import { createCommand } from "../helpers/commands.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

describe("catalog completion", () => {
  it.each(["bash", "zsh"])("prints only the script for %s", async (shell) => {
    const { exit, out, err } = await createCliHarness().run("completion", shell);

    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("catalog --complete");
    expect(out).toContain(shell === "zsh" ? "compdef" : "complete -F");
  });

  it("prints one document", async () => {
    const { out } = await createCliHarness().run("completion", "bash", "--json");

    expect(JSON.parse(out)).toMatchObject({ command: "completion", shell: "bash", exit: 0 });
  });

  it.each([[["fish"]], [[]]])("refuses a shell without a script: %j", async (words) => {
    const { exit, err } = await createCliHarness().run("completion", ...words);

    expect(exit).toBe(2);
    expect(err).toContain("--help");
  });
});

describe("catalog --complete", () => {
  it("completes every command", async () => {
    const { exit, out } = await createCliHarness().run("--complete", "");

    expect(exit).toBe(0);
    expect(out.split("\n")).toEqual(
      expect.arrayContaining(["import", "lookup", "login", "doctor", "completion"]),
    );
  });

  it("prints nothing and creates nothing when no store is configured", async () => {
    const harness = createCliHarness();

    expect(await harness.run("--complete", "report", "")).toEqual({ exit: 0, out: "", err: "" });
  });

  it("prints no error for an unusable configuration file", async () => {
    const harness = createCliHarness({ files: { "catalog.config.json": "no json" } });

    expect(await harness.run("--complete", "report", "")).toEqual({ exit: 0, out: "", err: "" });
  });
});

/** Words that start the program of a folder which is not on the path. */
type NameAt = (folder: string) => string;

const byPath: NameAt = (folder) => `sh "${join(folder, "catalog")}"`;

const ECHO = 'printf "<%s>\\n" "$@"';

/** Completions that bash offers for a line, with a program that answers with its own arguments. */
function completeInBash(words: readonly string[], answer = ECHO, nameAt?: NameAt): string {
  const folder = createFolder();
  const named = nameAt?.(folder) ?? "catalog";
  const program = join(folder, "catalog");
  writeFileSync(program, `#!/bin/sh\n${answer}\n`);
  chmodSync(program, 0o755);
  const script = `${COMPLETION_SCRIPTS.bash(named)}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalog_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync("bash", ["-c", script, "bash", ...words], {
    encoding: "utf8",
    env: { PATH: `${nameAt === undefined ? folder : ""}${delimiter}${process.env["PATH"]}` },
  });
  return stdout;
}

describe("the script for bash", () => {
  it("passes the words up to the cursor unchanged", () => {
    expect(completeInBash(["catalog", "import", "a b.xlsx", "--m"])).toBe(
      "<--complete>\n<import>\n<a b.xlsx>\n<--m>\n",
    );
  });

  it("passes an empty word", () => {
    expect(completeInBash(["catalog", ""])).toBe("<--complete>\n<>\n");
  });

  it("starts a program that is not on the path by its path", () => {
    expect(completeInBash(["catalog", "im"], ECHO, byPath)).toBe("<--complete>\n<im>\n");
  });

  it("treats each line as one completion", () => {
    expect(completeInBash(["catalog", ""], "echo one two; echo three")).toBe("one two\nthree\n");
  });

  it("offers nothing when the program fails", () => {
    expect(completeInBash(["catalog", ""], "echo broken >&2; exit 1")).toBe("\n");
  });
});

describe("isShell", () => {
  it("accepts the shells that have a script", () => {
    expect(SHELLS.every((shell) => isShell(shell))).toBe(true);
    expect(isShell("fish")).toBe(false);
  });
});

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
  completeWords(words, {
    commands: COMMANDS,
    readRunIds: async () => ["r-1", "r-2", "x-3"],
    readStoreNames: async () => ["mutfak", "bahçe"],
  });

const fail = (): Promise<never> => Promise.reject(new Error("locked"));

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
    ["the stores of which one is meant", ["send", "--store", ""], ["mutfak", "bahçe"]],
    ["stores behind an equals sign", ["send", "--store", "=", "ba"], ["bahçe"]],
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

    const readStoreNames = readRunIds;
    await completeWords(["send", ""], { commands: COMMANDS, readRunIds, readStoreNames });
    await completeWords(["report", "--"], { commands: COMMANDS, readRunIds, readStoreNames });

    expect(asked).toBe(0);
  });

  it.each([
    ["runs", ["report", ""]],
    ["stores", ["send", "--store", ""]],
  ])("offers no %s when they cannot be read", async (_what, words) => {
    const asking = completeWords(words, {
      commands: COMMANDS,
      readRunIds: fail,
      readStoreNames: fail,
    });

    expect(await asking).toEqual([]);
  });
});

const STORE = { baseUrl: "https://api.example", storeId: "s-1" };
const clock = createFakeClock(1_000);
const NOBODY = { read: async () => ({ stores: [], defaultName: undefined }) };

/** A home whose store has these runs. */
async function createHome(...ids: readonly string[]): Promise<string> {
  const home = createFolder();
  using database = await openDatabase(join(home, "catalog.db"));
  const runs = createRunRepository({ database, clock, store: STORE });
  for (const id of ids) {
    const file = {
      path: "/a.csv",
      name: "a.csv",
      sha256: "0".repeat(64),
      kind: "csv",
      sheet: "",
      headerRow: 1,
      header: [],
    } as const;
    const rest = { mode: "upsert", lang: "tr", reportDir: "/r", warnings: [] } as const;
    await runs.create({ id, command: "import", file, ...rest });
    await clock.advance(1);
  }
  return home;
}

describe("readLocalRuns", () => {
  it("lists the store's runs, the newest first, without any secret", async () => {
    const home = await createHome("r-1", "r-2");
    const env = {
      CATALOG_HOME: home,
      CATALOG_BASE_URL: STORE.baseUrl,
      CATALOG_STORE_ID: STORE.storeId,
    };

    expect(await readLocalRuns({ env, config: {}, logins: NOBODY, clock })).toEqual(["r-2", "r-1"]);
    const other = { ...env, CATALOG_STORE_ID: "s-2" };
    expect(await readLocalRuns({ env: other, config: {}, logins: NOBODY, clock })).toEqual([]);
  });

  it("takes the store from the stored login, and does not read its secret", async () => {
    const env = { CATALOG_HOME: await createHome("r-1") };
    const login = {
      ...STORE,
      name: "main",
      clientKey: "key",
      path: "/config/login.json",
      owner: "user",
      savedIn: "keyring",
      readSecret: () => Promise.reject(new Error("asked for the secret")),
    } as const;

    const logins = { read: async () => ({ stores: [login], defaultName: "main" }) };

    expect(await readLocalRuns({ env, config: {}, logins, clock })).toEqual(["r-1"]);
  });

  it("lists nothing when no store is configured", async () => {
    const env = { CATALOG_HOME: await createHome("r-1") };

    expect(await readLocalRuns({ env, config: {}, logins: NOBODY, clock })).toEqual([]);
  });

  it("creates no database", async () => {
    const home = createFolder();

    const config = { ...STORE, home };

    expect(await readLocalRuns({ env: {}, config, logins: NOBODY, clock })).toEqual([]);
    expect(existsSync(join(home, "catalog.db"))).toBe(false);
  });
});
