import { NetworkError } from "@catalog/client/errors";
import { elapse } from "@catalog/clock/testing";
import type { Connection } from "@catalog/connection";
import { createTestConnection, CUP, RUN_ID, storeRun } from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { type ApplyProgress, type Marketplace, toCounts } from "@catalog/runs";
import { createFakeMarketplace, refused, type Reply } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { applyPlan } from "../../src/apply/apply-plan.ts";
import { readBackPending } from "../../src/apply/verify-run.ts";

/** A run of one add, in a store that cannot be read while it is sent. */
async function applyUnread(settings: object = {}): Promise<Connection> {
  const { connection, clock } = await createTestConnection();
  const fake = createFakeMarketplace();
  let isDown = true;
  const marketplace: Marketplace = {
    ...fake,
    listProducts(query) {
      if (isDown) throw new NetworkError("no answer", { endpoint: "product.list", phase: "none" });
      return fake.listProducts(query);
    },
  };
  await storeRun(connection, {
    header: ["Ürün Kodu"],
    rows: [{ cells: [CUP.product_code], action: "add" }],
  });
  await connection.runs.update(RUN_ID, { state: "planned", settings });
  const context = { ...connection, marketplace };
  await elapse(clock, applyPlan(context, { runId: RUN_ID }));
  isDown = false;
  return context;
}

const NO_VERIFY = { noVerify: true };

describe("readBackPending", () => {
  it("reads rows that could not be read when the run ended", async () => {
    const connection = await applyUnread();
    const before = await connection.verificationLog.countVerifications(RUN_ID);

    await readBackPending(connection, { runId: RUN_ID });

    expect(before).toMatchObject({ accepted: 1, visible: 0 });
    expect(await connection.verificationLog.countVerifications(RUN_ID)).toMatchObject({
      accepted: 0,
      visible: 1,
    });
  });

  it("reads no row of a run that was applied without reading back", async () => {
    const connection = await applyUnread(NO_VERIFY);

    await readBackPending(connection, { runId: RUN_ID });

    expect(await connection.verificationLog.countVerifications(RUN_ID)).toMatchObject({
      accepted: 1,
    });
  });
});

it("applyPlan counts only the rows that were not read back before", async () => {
  const { connection, clock } = await createTestConnection();
  const outcome = {
    to: "done",
    cause: "answer",
    productId: idSchemas.product.parse("p-1"),
  } as const;
  const row = { cells: ["KOD-1"], action: "update", outcome } as const;
  await storeRun(connection, { header: ["Ürün Kodu"], rows: [row, row] });
  const verification = { row: 2, status: "visible", fields: [], looks: 1 } as const;
  await connection.verificationLog.saveVerifications(RUN_ID, [verification]);
  await connection.runs.update(RUN_ID, { state: "planned" });
  const context = { ...connection, marketplace: createFakeMarketplace() };
  const shown: ApplyProgress[] = [];

  const onProgress = (step: ApplyProgress): number => shown.push(step);
  await elapse(clock, applyPlan(context, { runId: RUN_ID, onProgress }));

  expect(shown.filter(({ step }) => step === "verify")).toEqual([
    { step: "verify", done: 1, total: 1 },
  ]);
});

/** More replies than requests, as a cancelled request uses up a reply, too. */
const always = (reply: Reply): readonly Reply[] => [reply, reply, reply, reply];

describe("applyPlan, with an undocumented field", () => {
  const STOCK = { action: "update", field: "stock_count", state: "refused" } as const;

  interface Given {
    readonly known?: readonly (typeof STOCK)[];
    /** Findings that are stored after the run, before it is applied once more. */
    readonly foundLater?: readonly (typeof STOCK)[];
  }

  /** Applies two updates of the stock without reading back, and returns the known refusals. */
  async function learn(
    replies: readonly Reply[],
    { known = [], foundLater }: Given = {},
  ): Promise<object> {
    const { connection, clock } = await createTestConnection();
    await connection.verificationLog.saveCapabilities(known);
    await storeRun(connection, {
      header: ["Ürün Kodu"],
      rows: [{ cells: ["KOD-1"] }, { cells: ["KOD-2"] }],
    });
    const counts = { add: 0, update: 2, unchanged: 0, invalid: 0, duplicate: 0, held: 0 };
    const planned = { ...counts, requests: 2, seconds: 1 };
    const facts = {
      readBy: "listing",
      priceUnit: "unknown",
      planned,
      capabilities: known,
    } as const;
    await connection.runs.update(RUN_ID, { state: "planned", facts });
    const product = { id: idSchemas.product.parse("p-1"), product_code: "KOD-1", stock: 5 };
    const marketplace = createFakeMarketplace({
      products: [{ placement: "approved", product }],
      script: { "UPDATE p-1": replies },
    });
    const context = { ...connection, marketplace };
    await elapse(clock, applyPlan(context, { runId: RUN_ID, settings: { noVerify: true } }));
    if (foundLater !== undefined) {
      await connection.verificationLog.saveCapabilities(foundLater);
      await clock.advance(1);
      await elapse(clock, applyPlan(context, { runId: RUN_ID, settings: { noVerify: true } }));
    }
    const { rejected } = toCounts(await connection.journal.countRows(RUN_ID));
    return { rejected, known: await connection.verificationLog.readCapabilities() };
  }

  it("keeps sending the field where updates of deleted products are refused", async () => {
    const gone = refused(404, { message: "stock_count: product not found" });
    const missing = refused(400, { message: "product not found" });

    expect(await learn(always(gone))).toEqual({ rejected: 2, known: [] });
    expect(await learn(always(missing))).toEqual({ rejected: 2, known: [] });
  });

  it("stores the field as refused where the answers name it", async () => {
    const named = refused(400, { message: "Geçersiz girdi: stock_count: güncellenemez" });

    expect(await learn(always(named))).toEqual({ rejected: 2, known: [STOCK] });
  });

  it("forgets the refusal once the field was tried again and taken, without calling it proven", async () => {
    expect(await learn([], { known: [STOCK] })).toEqual({ rejected: 0, known: [] });
  });

  it("keeps the refusal where updates were taken before the field was found to be ignored", async () => {
    const known = [STOCK];

    expect(await learn([], { known, foundLater: [STOCK] })).toEqual({ rejected: 0, known });
  });

  it("keeps the refusal where the field was tried again and refused", async () => {
    const missing = refused(404, { message: "product not found" });

    expect(await learn(always(missing), { known: [STOCK] })).toEqual({
      rejected: 2,
      known: [STOCK],
    });
  });
});
