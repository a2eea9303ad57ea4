import { createFakeClock } from "@catalog/clock/testing";
import { type Connection, openConnection } from "@catalog/connection";
import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { expect, it, onTestFinished } from "vitest";

import { RunJobs } from "../../../src/server/runs/run-jobs.ts";
import { nameRunsIn, readRunList } from "../../../src/server/runs/run-summary.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

const FILE = { path: "", sha256: "", kind: "csv", sheet: "", headerRow: 1, header: [] } as const;

/** A file of a person, and then the syncs of two days. */
async function openHistory(syncs: number): Promise<Connection> {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const connection = await openConnection({
    home: createFolder(),
    baseUrl: "http://127.0.0.1:9",
    storeId: "s",
    credentials: { clientKey: "key", clientSecret: "secret" },
    clock,
    random: () => 0,
  });
  onTestFinished(() => connection[Symbol.asyncDispose]());
  const create = (id: string, command: string, name: string): Promise<boolean> =>
    connection.runs.create({
      id,
      command,
      file: { ...FILE, name },
      mode: "upsert",
      lang: "tr",
      reportDir: "",
      warnings: [],
    });
  await create("r-file", "import", "Kış Listesi.xlsx");
  for (let sync = 0; sync < syncs; sync += 1) await create(`r-sync-${sync}`, "sync", "stok.csv");
  return connection;
}

it("has every run, page by page, and finds a file behind any number of syncs", async () => {
  const connection = await openHistory(230);
  const jobs = new RunJobs(() => {
    throw new Error("no command is started");
  });
  const idsOf = async (query: Parameters<typeof readRunList>[1]) => {
    const { runs, next } = await readRunList({ connection, jobs }, query, "tr");
    return { ids: runs.map(({ id }) => id), next };
  };

  const all: string[] = [];
  for (let after: string | undefined; ;) {
    const { ids, next } = await idsOf({ after });
    all.push(...ids);
    if (next === null) break;
    after = next;
  }

  expect([all.length, new Set(all).size]).toEqual([231, 231]);
  expect(await idsOf({ kind: "import" })).toEqual({ ids: ["r-file"], next: null });
  expect(await idsOf({ text: "KIS LİSTE" })).toEqual({ ids: ["r-file"], next: null });
  expect(await idsOf({ kind: "undo" })).toEqual({ ids: [], next: null });
  expect(await idsOf({ after: "r-none" })).toEqual({ ids: [], next: null });
});

const FILE_RUN = "r-261121-0930-4f2a";
const UNDO = "r-261122-0930-0a0a";

it("names runs by file and time in every text of a document, and leaves unknown ones", async () => {
  const { connection } = await createTestConnection();
  await storeRun(connection, { id: FILE_RUN, header: ["Ürün Kodu"], rows: [] });
  await storeRun(connection, { id: UNDO, header: ["Ürün Kodu"], rows: [] });
  await connection.runs.update(UNDO, { progress: { undoOf: FILE_RUN } });
  const texts = {
    warnings: [`${FILE_RUN} çalıştırmasında 9 satır hâlâ karar bekliyor.`],
    problem: { message: `“${UNDO}” çalıştırmasının planı yarım kalmış.` },
    rows: 9,
    other: `r-261122-0930-ffff çalıştırmasında`,
  };

  const named = await nameRunsIn(connection, texts, "tr");
  const english = await nameRunsIn(connection, [`9 rows of ${FILE_RUN} still wait.`], "en");

  expect(named).toEqual({
    warnings: ["“urunler.xlsx” (21 Kas 2026 12:30) gönderiminde 9 satır hâlâ karar bekliyor."],
    problem: {
      message: "“urunler.xlsx” için geri alma (21 Kas 2026 12:30) gönderiminin planı yarım kalmış.",
    },
    rows: 9,
    other: "r-261122-0930-ffff çalıştırmasında",
  });
  expect(english).toEqual(["9 rows of “urunler.xlsx” (21 Nov 2026, 12:30) still wait."]);
});
