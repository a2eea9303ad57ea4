/** Drafts are checked by processes of their own, so that the page answers meanwhile. */

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import type { DraftView } from "@catalog/web";
import { expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { startWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { openTeamWeb } from "../../helpers/web/team-web.ts";

const POLL = { timeout: 120_000, interval: 200 };
const LONG_MS = 240_000;
const ROWS = 2_000;

/** A table of stocks that are written with a point, which is a decimal sign or not. */
function stockTable(rows: number): Buffer {
  const lines = Array.from({ length: rows }, (_, at) => `KOD-${at};${(at % 9) + 1}.000`);
  return Buffer.from(["Ürün Kodu;Stok", ...lines, ""].join("\n"));
}

const readDraft = async (session: WebSession, id: string): Promise<DraftView> =>
  JSON.parse((await session.call("GET", `/drafts/${id}`)).text);

async function upload(session: WebSession, name: string, rows: number): Promise<DraftView> {
  const { status, text } = await session.upload(name, stockTable(rows));
  expect(status, text).toBe(201);
  return JSON.parse(text);
}

const isChecked = async (session: WebSession, id: string): Promise<boolean> => {
  const { state, progress } = await readDraft(session, id);
  return state === "ready" && progress === null;
};

const waitUntilChecked = (session: WebSession, id: string): Promise<void> =>
  expect.poll(() => isChecked(session, id), POLL).toBe(true);

/** Fields of the line that Linux has on a process or one of its threads, from its state on. */
const readStat = (path: string): readonly string[] =>
  readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];

/** Processor time in ticks: of the thread that answers, and of the processes that have ended. */
function readTicks(pid: number): { readonly server: number; readonly children: number } {
  const main = readStat(`/proc/${pid}/task/${pid}/stat`);
  const [user, system, childUser, childSystem] = [11, 12, 13, 14].map((at) => Number(main[at]));
  return {
    server: (user ?? Number.NaN) + (system ?? Number.NaN),
    children: (childUser ?? Number.NaN) + (childSystem ?? Number.NaN),
  };
}

/** Numbers of the processes that check a draft of this id now. */
function findChecks(id: string): readonly number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words.includes("--check") && words.includes(`draft:${id}`);
    } catch {
      return false;
    }
  });
}

async function waitForCheck(id: string): Promise<number> {
  await expect.poll(() => findChecks(id).length, { ...POLL, interval: 20 }).toBe(1);
  return findChecks(id)[0] ?? Number.NaN;
}

it.skipIf(process.platform !== "linux")(
  "does not use the time of the thread that answers",
  { timeout: LONG_MS },
  async () => {
    const web = await startWeb(await openTestStore());
    const session = await web.openSession();
    const pid = web.process.child.pid ?? 0;
    const before = readTicks(pid);

    const { id } = await upload(session, "stok.csv", ROWS);
    await waitUntilChecked(session, id);

    const after = readTicks(pid);
    expect((await readDraft(session, id)).counts).toMatchObject({ rows: ROWS });
    expect(after.server - before.server).toBeLessThan((after.children - before.children) / 2);
  },
);

const DATABASES = ["SQLite", ...(hasPostgres() ? ["PostgreSQL"] : [])];

it.skipIf(process.platform !== "linux").for(DATABASES)(
  "makes a check anew whose process was killed, on %s",
  { timeout: LONG_MS },
  async (database) => {
    const server = database === "SQLite" ? undefined : await createTestDatabase();
    // Registered first, so that it ends after the page has.
    onTestFinished(() => server?.[Symbol.asyncDispose]());
    const store = await openTestStore();
    const web = await startWeb(
      server === undefined ? store : store.at({ CATALOG_DATABASE_URL: server.url }),
    );
    const session = await web.openSession();
    const { id } = await upload(session, "stok.csv", ROWS);

    process.kill(await waitForCheck(id), "SIGKILL");
    await waitUntilChecked(session, id);

    const { counts, version, problem } = await readDraft(session, id);
    const edited = await session.call("POST", `/drafts/${id}/edits`, {
      version,
      edits: [{ row: 2, column: 1, value: "7" }],
    });
    expect([counts?.rows, problem]).toEqual([ROWS, null]);
    expect(edited.status, edited.text).toBe(200);
  },
);

it.skipIf(process.platform !== "linux")(
  "ends a check at once where a setting is changed meanwhile",
  { timeout: LONG_MS },
  async () => {
    const session = await (await startWeb(await openTestStore())).openSession();
    const { id, version } = await upload(session, "stok.csv", ROWS);
    const first = await waitForCheck(id);

    const change = { version, decimal: "comma" };
    const changed = await session.call("PATCH", `/drafts/${id}/reading`, change);
    await expect.poll(() => findChecks(id), POLL).not.toContain(first);
    await waitUntilChecked(session, id);

    const draft = await readDraft(session, id);
    expect(changed.status, changed.text).toBe(200);
    expect(draft.reading.decimal).toBe("comma");
    expect(draft.counts).toMatchObject({ rows: ROWS, errors: 0 });
  },
);

it.skipIf(process.platform !== "linux")(
  "ends with a server that is killed, and goes on with the next one",
  { timeout: LONG_MS },
  async () => {
    const store = await openTestStore();
    const web = await startWeb(store);
    const { id } = await upload(await web.openSession(), "stok.csv", ROWS);
    await waitForCheck(id);

    web.process.child.kill("SIGKILL");
    await web.process.finished;
    await expect.poll(() => findChecks(id), POLL).toEqual([]);
    const session = await (await startWeb(store)).openSession();
    await waitUntilChecked(session, id);

    expect((await readDraft(session, id)).counts).toMatchObject({ rows: ROWS });
  },
);

it(
  "leaves a place for the store of one file beside one of many",
  { timeout: LONG_MS },
  async () => {
    const shop = await openTestStore();
    const web = await openTeamWeb(shop, { bahce: await openTestStore() });
    const many = await web.join("ayse@firma.com", "--name", "Ayşe", "--admin");
    const one = web.ofStore(many, "bahce");
    const files = Math.max(10, 4 * availableParallelism());
    const drafts: string[] = [];
    for (let at = 0; at < files; at += 1) {
      drafts.push((await upload(many, `stok-${at}.csv`, ROWS / 2)).id);
    }

    const { id } = await upload(one, "stok.csv", 1);
    await waitUntilChecked(one, id);

    const waiting = await Promise.all(
      drafts.map(async (draft) => {
        const { state, progress } = await readDraft(many, draft);
        return state === "reading" && progress?.done === 0;
      }),
    );
    expect(waiting.filter(Boolean).length).toBeGreaterThan(0);
  },
);
