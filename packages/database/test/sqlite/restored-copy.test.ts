import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import type { Journal } from "@catalog/runs";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { createJournal } from "../../src/journal/journal.ts";
import { createRunRepository } from "../../src/repositories/runs.ts";
import type { FileDatabase } from "../../src/sql/database.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { openTestJournal } from "../helpers/open-test-journal.ts";
import { newRun, planToSend, STORE } from "../helpers/runs-and-rows.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const journalOf = (database: FileDatabase): Journal =>
  createJournal({ database, clock: createFakeClock(), store: STORE });

/** Plans a row of the run and sends it. */
const send = async (database: FileDatabase, row: number): Promise<void> => {
  const runs = createRunRepository({ database, clock: createFakeClock(), store: STORE });
  if ((await runs.read("run-1")) === undefined) await runs.create(newRun("run-1"));
  const journal = journalOf(database);
  journal.beginSending(await planToSend(journal, { runId: "run-1", row }));
};

describe("a copy of the whole home", () => {
  let home: string;
  let copy: string;
  let markFolder: string;
  beforeEach(() => {
    const folder = temporaryFolder();
    home = join(folder, "home");
    copy = join(folder, "copy");
    markFolder = join(folder, "state");
    cpSync(temporaryFolder(), home, { recursive: true });
  });

  const open = async (folder: string): Promise<FileDatabase> => {
    const database = await openDatabase(join(folder, "catalog.db"), { markFolder });
    onTestFinished(() => database.close());
    return database;
  };
  const begin = async (): Promise<void> => {
    const database = await open(home);
    await send(database, 2);
    database.close();
    cpSync(home, copy, { recursive: true });
  };

  it("is accepted as long as neither it nor the home has sent anything more", async () => {
    await begin();

    const [one, other] = [await open(home), await open(copy)];

    expect([one.isRestored, other.isRestored]).toEqual([false, false]);
  });

  it("is detected once the home has sent more, even where its process was killed", async () => {
    await begin();
    await send(await open(home), 3);

    const restored = await open(copy);

    const journal = journalOf(restored);
    expect(restored.isRestored).toBe(true);
    expect(await journal.mustRecheck("run-1")).toBe(true);
    const { restoredSeq } = await journal.readCopySuspicion("run-1");
    const events = await journal.readEvents({ runId: "run-1", row: 2 });
    expect(restoredSeq).toBe((events.at(-1)?.seq ?? 0) + 1);
  });

  it("is detected in turns with the home, whichever has sent last", async () => {
    await begin();
    const first = await open(home);
    await send(first, 3);
    first.close();
    const second = await open(copy);
    await send(second, 4);
    second.close();

    const third = await open(home);

    expect([second.isRestored, third.isRestored]).toEqual([true, true]);
  });

  it("keeps runs that are planned later suspect, until a person accepts the copy", async () => {
    await begin();
    await send(await open(home), 3);
    const restored = await open(copy);
    const journal = journalOf(restored);
    const runs = createRunRepository({
      database: restored,
      clock: createFakeClock(),
      store: STORE,
    });
    await runs.create(newRun("run-2"));
    const doubted = await journal.readCopySuspicion("run-2");

    await journal.acceptCopy();

    expect(doubted.restoredSeq).toBeGreaterThan(0);
    expect(await journal.mustRecheck("run-2")).toBe(false);
    expect((await journal.readCopySuspicion("run-2")).restoredSeq).toBeNull();
    expect((await journal.readCopySuspicion("run-1")).restoredSeq).toBe(doubted.restoredSeq);
  });

  it("writes a marker readable by its owner only, one for each database", async () => {
    await begin();

    const [name = "", ...others] = readdirSync(markFolder);

    expect(others).toEqual([]);
    expect(statSync(join(markFolder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(markFolder).mode & 0o777).toBe(0o700);
  });

  it.each([
    ["is missing", (folder: string) => rmSync(folder, { recursive: true, force: true })],
    [
      "holds something else",
      (folder: string) => {
        for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
      },
    ],
    ["cannot be written", (folder: string) => chmodSync(folder, 0o500)],
    [
      "is a file",
      (folder: string) => {
        rmSync(folder, { recursive: true, force: true });
        writeFileSync(folder, "");
      },
    ],
  ])("opens the database where the folder of the markers %s", async (_what, spoil) => {
    await begin();
    spoil(markFolder);

    const database = await open(copy);
    await send(database, 3);
    database.close();

    expect(database.isRestored).toBe(false);
  });
});

const KEY = { runId: "run-1", row: 2 };

describe("countOpening", () => {
  it("accepts a file that was only closed and opened", async () => {
    const { path, database, journal } = await openTestJournal();
    database.close();
    const second = await openTestJournal({ path, runs: [] });
    const third = await openTestJournal({ path, runs: [] });
    second.database.close();

    const fourth = await openTestJournal({ path, runs: [] });

    const restored = [database, second.database, third.database, fourth.database].map(
      ({ isRestored }) => isRestored,
    );
    expect(restored).toEqual([false, false, false, false]);
    expect(await fourth.journal.mustRecheck("run-1")).toBe(false);
    expect(await journal.readRows("run-1", { limit: 1 }).catch(() => "closed")).toBe("closed");
  });

  it("detects yesterday's copy, whose runs must be checked against the store before they are sent", async () => {
    const { path, database, journal } = await openTestJournal();
    await planToSend(journal, KEY);
    database.close();
    copyFileSync(path, `${path}.backup`);
    const today = await openTestJournal({ path, runs: [] });
    await today.journal.recover();
    today.journal.beginSending(KEY);
    today.database.close();
    copyFileSync(`${path}.backup`, path);

    const restored = await openTestJournal({ path, runs: [] });

    expect(restored.database.isRestored).toBe(true);
    expect(await restored.journal.mustRecheck("run-1")).toBe(true);
    // The markers of the lost copy prove nothing here.
    expect(existsSync(`${path}.1.marks`)).toBe(false);
  });

  it("remembers the detection for later openings", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    copyFileSync(path, `${path}.backup`);
    (await openTestJournal({ path, runs: [] })).database.close();
    copyFileSync(`${path}.backup`, path);
    (await openTestJournal({ path, runs: [] })).database.close();

    const later = await openTestJournal({ path, runs: [] });

    expect(later.database.isRestored).toBe(false);
    expect(await later.journal.mustRecheck("run-1")).toBe(true);
  });

  it("accepts a file whose note is gone", async () => {
    const { path, database } = await openTestJournal();
    database.close();
    rmSync(`${path}.generation`);

    const again = await openTestJournal({ path, runs: [] });

    expect(again.database.isRestored).toBe(false);
    expect(Number(readFileSync(`${path}.generation`, "utf8"))).toBeGreaterThan(0);
  });
});
