import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { RunView } from "@catalog/web";
import { describe, expect, it, onTestFinished, type TestContext } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { planDraft, uploadDraft } from "../../helpers/web/drafts.ts";
import { openWeb, type WebSession } from "../../helpers/web/open-web.ts";
import { postBody, resumeRun, waitForRun } from "../../helpers/web/runs.ts";
import { fill, mountSmall } from "./mount.ts";

const ROWS = 40;
const POLL = { timeout: 60_000, interval: 10 };

interface SmallPage {
  readonly shop: TestStore;
  readonly session: WebSession;
  readonly run: RunView;
  readonly draft: string;
  /** Fills the disk of the home; the returned function makes room again. */
  readonly fillDisk: () => () => void;
}

/** A page with a plan, whose home is on a file system of its own. */
async function openSmallPage(context: TestContext): Promise<SmallPage> {
  const shop = await openTestStore({
    products: 5,
    faults: [{ kind: "latency", endpoint: "product.add", ms: 150 }],
  });
  const home = join(shop.folder, "small");
  const disk = mountSmall(home, 128);
  if (disk === undefined) return context.skip("nobody may mount a file system here");
  onTestFinished(() => disk[Symbol.dispose]());
  // Work would wait ten minutes for room.
  const env = { ...shop.env, CATALOG_HOME: home, CATALOG_DATABASE_WAIT_SECONDS: "1" };
  const file = await writeWorkbook(shop.folder, "urunler.xlsx", goodRows(ROWS));
  const web = await openWeb({ env, folder: shop.folder });
  const session = await web.openSession();
  const { id: draft, version } = await uploadDraft(session, "urunler.xlsx", readFileSync(file));
  const run = await planDraft(session, { id: draft, version });
  const fillDisk = (): (() => void) => {
    const filler = fill(disk);
    return () => rmSync(filler);
  };
  return { shop, session, run, draft, fillDisk };
}

describe("a page whose disk is full", () => {
  it("shows everything it has, and refuses each change with a reason (#37)", async (context) => {
    const { shop, session, run, draft, fillDisk } = await openSmallPage(context);
    const makeRoom = fillDisk();
    const reads = [
      "/me",
      "/drafts",
      ...["", "/rows?n=2,3", "/order", "/names"].map((path) => `/drafts/${draft}${path}`),
      "/runs",
      ...["", "/order", "/rows?n=2,3", "/progress", "/files/result.xlsx"].map(
        (path) => `/runs/${run.id}${path}`,
      ),
      "/exports",
      "/exports/kinds",
      "/rules",
      "/settings",
      "/lookup/categories?text=a",
      "/feeds",
      "/feeds/alarm",
      "/feeds/folder",
      "/questions",
      "/questions/order",
      "/questions/answers",
      "/questions/replies",
    ];
    const approval = { planHash: run.planHash, release: [], hold: [] };
    const changes = [
      ["POST", "/rules", { field: "brand", value: "a", target: "b" }],
      ["POST", `/drafts/${draft}/exclude`, { version: 1, rows: [2], isExcluded: true }],
      ["DELETE", `/drafts/${draft}`, undefined],
      ["POST", "/templates", { kind: "products", categories: [] }],
      ["POST", "/exports", { kind: "products", format: "csv", filters: {}, columns: [] }],
      ["POST", "/uploads/cells", { text: "Kod\tStok\nA\t1\n", name: "a" }],
      ["POST", `/runs/${run.id}/retry`, {}],
      ["POST", `/runs/${run.id}/send`, approval],
      ["POST", "/settings/check", {}],
      ["GET", "/rules/file", undefined],
      ["PUT", "/questions/answers", { answers: [{ id: "a", text: "b" }] }],
      ["PUT", "/questions/replies", { replies: [{ name: "a", text: "b" }] }],
      ["POST", "/questions/plan", { answers: [{ id: "a", text: "b" }] }],
    ] as const;

    const shown = await Promise.all(
      reads.map(async (path) => [path, (await session.call("GET", path)).status]),
    );
    const refused = [];
    for (const [method, path, body] of changes) {
      const { status, text } = await session.call(method, path, body);
      refused.push([path, status, JSON.parse(text).code, /Yer açıp yeniden/u.test(text)]);
    }
    makeRoom();
    await postBody(session, `/runs/${run.id}/send`, approval);
    const end = await waitForRun(session, run.id);

    expect(shown).toEqual(reads.map((path) => [path, 200]));
    expect(refused).toEqual(changes.map(([, path]) => [path, 507, "E_DISK_FULL", true]));
    expect([end.counts.added, end.problem, shop.sandbox.inspect().doubles]).toEqual([
      ROWS,
      null,
      {},
    ]);
  });

  it("says so when it fills up while sending, and continues once there is room (#37)", async (context) => {
    const { shop, session, run, fillDisk } = await openSmallPage(context);
    await postBody(session, `/runs/${run.id}/send`, {
      planHash: run.planHash,
      release: [],
      hold: [],
    });
    await expect.poll(() => shop.sandbox.stats().adds, POLL).toBeGreaterThan(3);

    const makeRoom = fillDisk();
    const stopped = await waitForRun(session, run.id, "stopped");
    const sentBefore = shop.sandbox.stats().adds;
    makeRoom();
    await resumeRun(session, run.id);
    const end = await waitForRun(session, run.id);

    expect(stopped.problem).toMatchObject({ code: "E_DISK_FULL" });
    expect(stopped.problem?.message).toContain("Sürdür");
    expect(sentBefore).toBeLessThan(ROWS);
    expect([end.counts.added, end.problem, shop.sandbox.inspect().doubles]).toEqual([
      ROWS,
      null,
      {},
    ]);
  });
});
