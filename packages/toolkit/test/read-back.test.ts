import { NetworkError } from "@catalog/client";
import { type Marketplace } from "@catalog/runs";
import { createFakeMarketplace } from "@catalog/runs/testing";
import { describe, expect, it } from "vitest";

import { applyPlanned } from "../src/apply-planned.ts";
import { type Toolkit } from "../src/open-toolkit.ts";
import { lookBack } from "../src/read-back.ts";
import { elapse } from "./helpers/elapse.ts";
import { CUP } from "./helpers/product.ts";
import { RUN_ID, storeRun } from "./helpers/stored-run.ts";
import { createWorkplace } from "./helpers/workplace.ts";

/** A run of one add, in a store that cannot be read while it is sent. */
async function applyUnread(settings: object = {}): Promise<Toolkit> {
  const { toolkit, clock } = await createWorkplace();
  const fake = createFakeMarketplace();
  let isDown = true;
  const marketplace: Marketplace = {
    ...fake,
    listProducts(query) {
      if (isDown) throw new NetworkError("no answer", { endpoint: "product.list", phase: "none" });
      return fake.listProducts(query);
    },
  };
  await storeRun(toolkit, {
    header: ["Ürün Kodu"],
    rows: [{ cells: [CUP.product_code], action: "add" }],
  });
  await toolkit.runLog.update(RUN_ID, { state: "planned", settings });
  const place = { ...toolkit, marketplace };
  const verify = settings !== NO_VERIFY;
  await elapse(clock, applyPlanned(place, { runId: RUN_ID, verify }));
  isDown = false;
  return place;
}

const NO_VERIFY = { noVerify: true };

describe("lookBack", () => {
  it("reads what could not be read when the run ended", async () => {
    const toolkit = await applyUnread();
    const before = await toolkit.readBack.countVerifications(RUN_ID);

    await lookBack(toolkit, { runId: RUN_ID });

    expect(before).toMatchObject({ accepted: 1, visible: 0 });
    expect(await toolkit.readBack.countVerifications(RUN_ID)).toMatchObject({
      accepted: 0,
      visible: 1,
    });
  });

  it("leaves a run alone that was asked for without being read back", async () => {
    const toolkit = await applyUnread(NO_VERIFY);

    await lookBack(toolkit, { runId: RUN_ID });

    expect(await toolkit.readBack.countVerifications(RUN_ID)).toMatchObject({ accepted: 1 });
  });
});
