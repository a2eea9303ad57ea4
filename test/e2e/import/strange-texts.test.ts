import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { COMMANDS, openHostileMarket, UNSEEN } from "../../helpers/markets/hostile-market.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import type { Finished } from "../../helpers/processes/catalog-process.ts";
import { hasTerminal, startOnTerminal } from "../../helpers/processes/terminal-process.ts";
import { goodRow, goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";

interface Visit {
  /** Runs a command in a store whose names contain control characters. */
  readonly go: (...args: readonly string[]) => Promise<Finished>;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A sheet of such texts, with an unlisted brand. */
  readonly file: string;
}

async function visit(): Promise<Visit> {
  const shop = await openTestStore({ breaks: BREAKS });
  const env = { ...shop.env, CATALOG_BASE_URL: await openHostileMarket(shop.sandbox) };
  const folder = join(shop.folder, `klasör${UNSEEN}`);
  mkdirSync(folder);
  const known = goodRow(5);
  const file = await writeWorkbook(folder, `liste${UNSEEN}.xlsx`, [
    ...goodRows(4),
    { ...known, "Marka *": `${String(known["Marka *"])}q${UNSEEN}` },
    goodRow(6, { "Fiyat *": `${UNSEEN}on beş${COMMANDS}`, [`Not${COMMANDS}`]: COMMANDS }),
  ]);
  const at = { env, cwd: folder };
  return { env, folder, file, go: (...args) => callCatalog(args, at) };
}

const BREAKS = {
  "unknown-path": "doctor asks the bare address",
  "early-token": "doctor proves the credentials with a token of its own",
};

const SHOWN = String.raw`\u001b\u009b\u0007\u202e\u200f`;

/** Lines that begin like the program's own because of an outside text. */
const forged = ({ out, err }: Finished): readonly string[] =>
  `${out}\n${err}`.split("\n").filter((line) => line.trimStart().startsWith("SAHTE"));

// Every command of the suite fails where it prints a control character that is not the program's
// own; these texts contain such characters, in every place through which a text comes in.
describe("texts with control characters", { timeout: 180_000 }, () => {
  it("are escaped by every command that shows them", async () => {
    const { go, folder, file } = await visit();
    const ended: Finished[] = [];
    const run = async (...args: readonly string[]): Promise<Finished> => {
      const finished = await go(...args);
      ended.push(finished);
      return finished;
    };

    const looked = await run("lookup", "categories");
    const checked = await run("doctor");
    const failed = await run("lookup", "cities");
    const planned = await run("plan", file, "--json", "--map", `Not=${COMMANDS}`);
    const imported = await run("import", file, "--yes");
    const runId = /r-[\w-]+/u.exec(imported.out + imported.err)?.[0] ?? "";
    const history = await run("runs");
    await run("runs", runId);
    for (const row of ["4", "6", "7"]) await run("explain", runId, row);
    await run("report", runId);
    await run("rules");
    await run("export", "products", "--out", `mal${UNSEEN}.csv`, "--format", "csv");
    const missing = await run("plan", `yok${COMMANDS}.xlsx`);
    await run(`import${UNSEEN}`, `--bu${UNSEEN}`);
    await run("lookup", "brands", UNSEEN, "--category", UNSEEN);
    writeFileSync(join(folder, "catalog.config.json"), `{"storeId${COMMANDS}": 1}`);
    await run("runs");
    writeFileSync(
      join(folder, "catalog.config.json"),
      JSON.stringify({ home: COMMANDS, images: { upload: { command: [COMMANDS] } } }),
    );
    await run("trust");

    expect(looked.out).toContain(SHOWN);
    expect(checked.code).toBe(0);
    expect(JSON.parse(planned.out)).toMatchObject({ command: "plan" });
    expect(runId).not.toBe("");
    expect(history.out).toContain(SHOWN);
    expect([failed.err.includes("Olmadı"), missing.code]).toEqual([true, 2]);
    expect(ended.flatMap(forged)).toEqual([]);
  });

  it.skipIf(!hasTerminal)("are escaped on a terminal, in questions and in lists", async () => {
    const { env, folder, file } = await visit();
    writeFileSync(join(folder, "catalog.config.json"), JSON.stringify({ home: COMMANDS }));

    const trusting = startOnTerminal({ env: { ...env, CATALOG_HOME: "" }, folder }, "runs");
    await trusting.shows("güveniyor musunuz");
    trusting.type("\r");
    const untrusted = await trusting.finished;
    const planning = startOnTerminal({ env, folder }, "import", file);
    await planning.shows("Hangisi");
    planning.type("\r");
    await planning.shows("Devam edilsin mi");
    planning.type("\r");
    const planned = await planning.finished;
    const words = ["export", "products", "--out", "-", "--format", "csv"];
    const exported = await startOnTerminal({ env, folder }, ...words).finished;

    expect(untrusted.screen).toContain(String.raw`\u001b[2J`);
    expect(planned.screen).toContain(SHOWN);
    expect(exported.screen).not.toBe("");
  });
});
