import { NetworkError } from "@catalog/client/errors";
import { elapse } from "@catalog/clock/testing";
import { type Connection } from "@catalog/connection";
import { createTestConnection, CUP, RUN_ID, storeRun } from "@catalog/connection/testing";
import { productId } from "@catalog/contract";
import { type Marketplace, toCounts } from "@catalog/runs";
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
  await connection.runLog.update(RUN_ID, { state: "planned", settings });
  const context = { ...connection, marketplace };
  await elapse(clock, applyPlan(context, { runId: RUN_ID }));
  isDown = false;
  return context;
}

const NO_VERIFY = { noVerify: true };

describe("readBackPending", () => {
  it("reads what could not be read when the run ended", async () => {
    const connection = await applyUnread();
    const before = await connection.verificationLog.countVerifications(RUN_ID);

    await readBackPending(connection, { runId: RUN_ID });

    expect(before).toMatchObject({ accepted: 1, visible: 0 });
    expect(await connection.verificationLog.countVerifications(RUN_ID)).toMatchObject({
      accepted: 0,
      visible: 1,
    });
  });

  it("leaves a run alone that was asked for without being read back", async () => {
    const connection = await applyUnread(NO_VERIFY);

    await readBackPending(connection, { runId: RUN_ID });

    expect(await connection.verificationLog.countVerifications(RUN_ID)).toMatchObject({
      accepted: 1,
    });
  });
});

/** For more requests than are made: a request that is called off uses up a reply too. */
const always = (reply: Reply): readonly Reply[] => [reply, reply, reply, reply];

describe("applyPlan, with a field that is undocumented", () => {
  const STOCK = { action: "update", field: "stock_count", state: "refused" } as const;

  interface Given {
    readonly known?: readonly (typeof STOCK)[];
    /** What is found out after the run, which is then applied once more. */
    readonly foundLater?: readonly (typeof STOCK)[];
  }

  /** Two updates of the stock alone, of a run that is not read back; what is known afterwards. */
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
    await connection.runLog.update(RUN_ID, { state: "planned", facts });
    const product = { id: productId.parse("p-1"), product_code: "KOD-1", stock: 5 };
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

  it("goes on sending it where products are refused that are gone", async () => {
    const gone = refused(404, { message: "stock_count: product not found" });
    const missing = refused(400, { message: "product not found" });

    expect(await learn(always(gone))).toEqual({ rejected: 2, known: [] });
    expect(await learn(always(missing))).toEqual({ rejected: 2, known: [] });
  });

  it("keeps that it is refused where the answers name it", async () => {
    const named = refused(400, { message: "Geçersiz girdi: stock_count: güncellenemez" });

    expect(await learn(always(named))).toEqual({ rejected: 2, known: [STOCK] });
  });

  it("opens it again once it was tried again and taken, without calling it proven", async () => {
    expect(await learn([], { known: [STOCK] })).toEqual({ rejected: 0, known: [] });
  });

  it("does not open it for updates that were taken before it was found to be ignored", async () => {
    const known = [STOCK];

    expect(await learn([], { known, foundLater: [STOCK] })).toEqual({ rejected: 0, known });
  });

  it("leaves it refused where it was tried again in vain", async () => {
    const missing = refused(404, { message: "product not found" });

    expect(await learn(always(missing), { known: [STOCK] })).toEqual({
      rejected: 2,
      known: [STOCK],
    });
  });
});
