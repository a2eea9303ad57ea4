import { type Toolkit } from "@catalog/connection";
import {
  createWorkplace,
  CUP,
  elapse,
  RUN_ID,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import { type RunRecord } from "@catalog/runs";
import {
  createFakeMarketplace,
  type FakeMarketplace,
  type FakeMarketplaceOptions,
} from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { applyPlan, type ApplyPlannedOptions, readRun } from "../../src/apply/apply-plan.ts";
import { type UnseenDoubt } from "../../src/apply/hold-unproven-adds.ts";
import { releaseRow } from "../../src/apply/release-row.ts";
import { findResendDoubts } from "../../src/apply/resend-risks.ts";

const MINUTE_MS = 60_000;
const FIRST = productId.parse("p-1");

const toAdd = (code: string): StoredRow => ({
  cells: [code],
  action: "add",
  payload: { ...CUP, product_code: code },
});
const SENT: StoredRow = {
  ...toAdd("KOD-1"),
  settled: { to: "done", cause: "answer", productId: FIRST },
};

interface Scene {
  readonly toolkit: Toolkit;
  readonly marketplace: FakeMarketplace;
  readonly wait: (ms: number) => Promise<void>;
  readonly resume: (more?: Partial<ApplyPlannedOptions>) => Promise<RunRecord>;
  /** Of the rows, in the order of the sheet. */
  readonly states: () => Promise<readonly string[]>;
  readonly added: () => number;
}

/** A run of which the first add was sent, in a store that hides what is added. */
async function openScene(
  options: FakeMarketplaceOptions & { readonly rows?: readonly StoredRow[] } = {},
): Promise<Scene> {
  const { rows = [SENT, toAdd("KOD-2"), toAdd("KOD-3")], ...store } = options;
  const { toolkit: opened, clock } = await createWorkplace();
  const placement = "hidden";
  const serverTimeMs = (): number => clock.now();
  const marketplace = createFakeMarketplace({ placement, serverTimeMs, ...store });
  const toolkit = { ...opened, marketplace };
  await storeRun(toolkit, { header: ["Ürün Kodu"], rows });
  await toolkit.runLog.update(RUN_ID, { state: "stopped" });
  const resume = async (more: Partial<ApplyPlannedOptions> = {}): Promise<RunRecord> => {
    const applied = {
      runId: RUN_ID,
      recheck: "adds",
      settings: { noVerify: true },
      ...more,
    } as const;
    return (await elapse(clock, applyPlan(toolkit, applied))).run;
  };
  const states = async (): Promise<readonly string[]> =>
    (await toolkit.journal.readRows(RUN_ID, { limit: 9 })).map(({ state }) => state);
  const added = (): number => marketplace.log.filter((call) => call.startsWith("ADD")).length;
  return { toolkit, marketplace, wait: (ms) => clock.advance(ms), resume, states, added };
}

describe("a run that goes on after a silence, in a store that hides what is added", () => {
  it("holds its unsent adds after more than 15 minutes, and says what to do", async () => {
    const { toolkit, wait, resume, states, added } = await openScene();
    await wait(15 * MINUTE_MS + 1);

    await resume();

    const [held] = await toolkit.journal.readRows(RUN_ID, { states: ["held"], limit: 1 });
    expect(await states()).toEqual(["done", "held", "held"]);
    expect(added()).toBe(0);
    expect(held?.issues[0]).toMatchObject({ code: "E_ADD_UNSEEN", value: "KOD-2" });
    expect(held?.issues[0]?.suggestion?.tr).toContain("--resend-blind");
  });

  it("sends them within 15 minutes", async () => {
    const { wait, resume, states } = await openScene({ placement: "approved" });
    await wait(15 * MINUTE_MS - 1);

    await resume();

    expect(await states()).toEqual(["done", "done", "done"]);
  });

  it("is not fooled by a clock that was put back", async () => {
    let serverMs = 1_000_000;
    const { toolkit, resume, states } = await openScene({
      serverTimeMs: () => serverMs,
      rows: [toAdd("KOD-1"), toAdd("KOD-2")],
    });
    const key = { runId: RUN_ID, row: 2 };
    toolkit.journal.beginSending(key, { serverMs });
    await toolkit.journal.settle(
      { ...key, from: "sending" },
      { to: "done", cause: "answer", productId: FIRST },
    );
    serverMs += 16 * MINUTE_MS;

    await resume();

    expect(await states()).toEqual(["done", "held"]);
  });

  it("sends them where the store shows what is added", async () => {
    const { toolkit, marketplace, wait, resume, states } = await openScene({
      placement: "approved",
    });
    await marketplace.addProduct(
      { ...CUP, product_code: "KOD-1" },
      { beforeSend: () => undefined },
    );
    const id = marketplace.products[0]?.product.id ?? FIRST;
    await toolkit.journal.watchLag(id, 0);
    await toolkit.journal.noteLagSample(id, { shown: true, serverMs: 0 });
    await wait(60 * MINUTE_MS);
    // What was added last is this one, whose id the row has under another name.
    const latest = { code: "KOD-1", productId: id };
    const journal = { ...toolkit.journal, readLatestAdded: async () => latest };

    await applyPlan(
      { ...toolkit, journal },
      { runId: RUN_ID, recheck: "adds", settings: { noVerify: true } },
    );

    expect(await resume().then(states)).toEqual(["done", "done", "done"]);
  });

  it("needs no question for a plan of which nothing was ever sent", async () => {
    const { wait, resume, states } = await openScene({
      placement: "approved",
      rows: [toAdd("KOD-1")],
    });
    await wait(60 * MINUTE_MS);

    await resume();

    expect(await states()).toEqual(["done"]);
  });

  it.each([
    [true, ["done", "done", "done"]],
    [false, ["done", "held", "held"]],
    [undefined, ["done", "held", "held"]],
  ])("asks once where somebody can be asked (%s)", async (answer, expected) => {
    const { wait, resume, states } = await openScene();
    await wait(16 * MINUTE_MS);
    const asked: UnseenDoubt[] = [];
    const askUnseen = async (doubt: UnseenDoubt): Promise<boolean | undefined> => {
      asked.push(doubt);
      return answer;
    };

    await resume({ askUnseen });

    expect(await states()).toEqual(expected);
    expect(asked).toEqual([{ cause: "silent", rows: 2 }]);
  });

  it("asks before a held row is sent again, and sends what a person lets go knowing that", async () => {
    const { toolkit, wait, resume, states } = await openScene();
    await wait(16 * MINUTE_MS);
    await resume();
    const run = await readRun(toolkit, RUN_ID);
    const records = await toolkit.journal.readRows(RUN_ID, { states: ["held"], limit: 9 });
    const release = { kind: "resend" } as const;
    const record = records[0] ?? expect.fail("nothing is held");

    const { blind } = await findResendDoubts(toolkit, { run, records });
    const kept = await releaseRow(toolkit, { run, record, release, by: "ayşe" });
    const accepted = { ...release, isBlindAccepted: true };
    const released = await releaseRow(toolkit, { run, record, release: accepted, by: "ayşe" });
    await resume();

    expect(blind).toHaveLength(2);
    expect(kept).toMatchObject({ to: "held", code: "E_RELEASE_BLIND" });
    expect(released).toEqual({ to: "ready" });
    expect(await states()).toEqual(["done", "done", "held"]);
  });

  it("is the same run where its file is imported again instead", async () => {
    const { toolkit, wait, states } = await openScene();
    await wait(16 * MINUTE_MS);
    const rows = [toAdd("KOD-2"), toAdd("KOD-9")];
    await storeRun(toolkit, { id: "r-again", header: ["Ürün Kodu"], rows });
    await toolkit.runLog.update("r-again", { state: "planned" });

    const waiting = await toolkit.journal.readWaitingElsewhere("r-again");
    await toolkit.journal.settle(
      { runId: "r-again", row: 3, from: "ready" },
      { to: "held", cause: "guard" },
    );
    await applyPlan(toolkit, { runId: "r-again", settings: { noVerify: true } });

    const again = await toolkit.journal.readRows("r-again", { limit: 9 });
    expect(waiting).toMatchObject([{ row: 2 }]);
    expect(again.map(({ issues }) => issues.map(({ code }) => code))).toEqual([
      ["E_ADD_UNSEEN"],
      [],
    ]);
    expect(await states()).toEqual(["done", "ready", "ready"]);
  });
});
