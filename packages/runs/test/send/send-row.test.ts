import { createFakeClock } from "@catalog/clock/testing";
import { productId } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import type { Marketplace } from "../../src/ports/marketplace.ts";
import { createRefusalTrust, toRefusalSignature } from "../../src/reconcile/refusal-trust.ts";
import type { RowRecord } from "../../src/row/row-record.ts";
import type { SentRow } from "../../src/send/outcome.ts";
import { sendRow } from "../../src/send/send-row.ts";
import type { RecheckedRow, RecheckVerdict } from "../../src/send/update-rechecks.ts";
import {
  answered,
  createFakeMarketplace,
  createMemoryJournal,
  failing,
  type FakeMarketplace,
  lost,
  type MemoryJournal,
  refused,
  type Reply,
} from "../../src/testing.ts";
import { recheckOf } from "../helpers/apply-fixture.ts";
import { addBody, listed, RUN, SHEET } from "../helpers/products.ts";
import { plan, readRow, toAdd, toUpdate } from "../helpers/rows.ts";

type LastRecheck = Pick<RecheckedRow, "verdict">;

interface Fixture {
  readonly journal: MemoryJournal;
  readonly marketplace: FakeMarketplace;
  /** Makes refusals with the signature of the reply trusted. */
  readonly trust: () => Promise<void>;
  readonly send: (row: number, through?: Marketplace, last?: LastRecheck) => Promise<SentRow>;
}

/** Row 2 adds A1; rows 3 and 4 update p1. */
async function openFixture(
  script: Readonly<Record<string, readonly Reply[]>> = {},
): Promise<Fixture> {
  const journal = createMemoryJournal();
  const marketplace = createFakeMarketplace({ products: [listed("p1", "B1")], script });
  await plan(journal, [
    toAdd(2, "A1"),
    toUpdate(3, "p1", { title: "Mug" }),
    toUpdate(4, "p1", { stock_count: 1 }),
  ]);
  const kinds = createRefusalTrust({ journal, clock: createFakeClock() });
  const fixed = { runId: RUN, journal, sheet: SHEET, recheck: recheckOf(journal), trust: kinds };
  const send: Fixture["send"] = async (row, through = marketplace, given) => {
    const record = await readRow(journal, row);
    const rechecked = given && toRechecked(record, given);
    const { sent, written } = await sendRow({ ...fixed, marketplace: through, rechecked }, record);
    await written;
    return sent;
  };
  const trust = async (): Promise<void> => {
    const [reply] = script["ADD A1"] ?? [];
    if (reply?.kind !== "answer") throw new Error("there is no answer to trust");
    const signature = toRefusalSignature(reply.answer, addBody("A1"));
    await journal.recordSignature(signature?.key ?? "", "not-applied");
    // The first refusal of each kind is always looked up.
    if (signature !== undefined) await kinds.trusts(signature);
  };
  return { journal, marketplace, send, trust };
}

/** A row whose last recheck is always recent enough. */
const toRechecked = (record: RowRecord, given: LastRecheck): RecheckedRow => ({
  record,
  get verdict() {
    return given.verdict;
  },
  isFresh: () => true,
  renew: async () => undefined,
  close: () => undefined,
});

const movesOf = ({ events }: MemoryJournal): readonly string[] =>
  events
    .filter(({ from }) => from !== "parsed")
    .map(({ row, from, to, cause }) => `${row}: ${from} > ${to} (${cause})`);

describe("sendRow", () => {
  it("adds a product and stores its id", async () => {
    const { journal, marketplace, send } = await openFixture();

    const sent = await send(2);

    expect(sent).toEqual({
      row: 2,
      code: "A1",
      action: "add",
      state: "done",
      next: "go-on",
      note: undefined,
      productId: "new-1",
      impliedState: undefined,
      limit: undefined,
    });
    expect(movesOf(journal)).toEqual(["2: ready > sending (begin)", "2: sending > done (answer)"]);
    expect(await readRow(journal, 2)).toMatchObject({ productId: "new-1", attempts: 1 });
    expect(marketplace.log).toEqual(["ADD A1"]);
  });

  it("updates a product and keeps its id", async () => {
    const { journal, marketplace, send } = await openFixture();

    const sent = await send(3);

    expect(sent).toMatchObject({ row: 3, code: null, action: "update", state: "done" });
    expect(await readRow(journal, 3)).toMatchObject({ productId: "p1" });
    expect(marketplace.products[0]?.product.title).toBe("Mug");
  });

  it("records the row before the request leaves", async () => {
    const { journal, marketplace, send } = await openFixture();
    const states: string[] = [];
    const through: Marketplace = {
      ...marketplace,
      async addProduct(body, options) {
        states.push((await readRow(journal, 2)).state);
        options.beforeSend();
        states.push((await readRow(journal, 2)).state);
        return { kind: "lost", phase: "started", message: "gone" };
      },
    };

    await send(2, through);

    expect(states).toEqual(["ready", "sending"]);
  });

  it("records an update that is sent twice once", async () => {
    const { journal, marketplace, send } = await openFixture();
    const through: Marketplace = {
      ...marketplace,
      updateProduct(body, options) {
        options.beforeSend();
        return marketplace.updateProduct(body, options);
      },
    };

    await send(3, through);

    expect(await readRow(journal, 3)).toMatchObject({ state: "done", attempts: 1 });
  });

  it("leaves a row ready when its request was not started", async () => {
    const { journal, send } = await openFixture({ "ADD A1": [lost("none")] });

    const sent = await send(2);

    expect(sent).toMatchObject({ state: "ready", next: "go-on", note: "lost after none" });
    expect(await readRow(journal, 2)).toMatchObject({ state: "ready", attempts: 0 });
    expect(movesOf(journal)).toEqual([]);
  });

  it("makes a row ready again whose request was started and provably never left", async () => {
    const { journal, marketplace, send } = await openFixture({
      "ADD A1": [lost("none", { begins: true })],
    });

    const sent = await send(2);

    expect(sent.state).toBe("ready");
    expect(movesOf(journal)).toEqual(["2: ready > sending (begin)", "2: sending > ready (unsent)"]);
    expect(marketplace.log).toEqual([]);
  });

  it("frees the code of a row that never left", async () => {
    const { journal, send } = await openFixture({ "ADD A1": [lost("none", { begins: true })] });
    await plan(journal, [toAdd(2, "a1")], "r-2");

    await send(2);

    expect(journal.beginSending({ runId: "r-2", row: 2 })).toBe("begun");
  });

  it("records how far a lost request got", async () => {
    const { journal, send } = await openFixture({ "ADD A1": [lost("headers")] });

    const sent = await send(2);

    expect(sent).toMatchObject({ state: "ambiguous", note: "lost after headers" });
    expect(journal.events.at(-1)).toMatchObject({ evidence: { phase: "headers" } });
    expect(await readRow(journal, 2)).toMatchObject({ note: "lost after headers" });
  });

  it("records the status of a refusal", async () => {
    const { journal, send } = await openFixture({ "ADD A1": [refused(502, { effect: "now" })] });

    await send(2);

    expect(journal.events.at(-1)).toMatchObject({
      to: "ambiguous",
      cause: "status-502",
      evidence: { phase: "body", status: 502 },
    });
  });

  it("reports a rejected row with the marketplace's message", async () => {
    const reply = answered({ status: false, message: "Fiyat çok düşük." });
    const { journal, send, trust } = await openFixture({ "ADD A1": [reply] });
    await trust();

    await send(2);

    const { state, note, issues } = await readRow(journal, 2);
    expect({ state, note }).toEqual({ state: "rejected", note: "Fiyat çok düşük." });
    expect(issues).toMatchObject([{ code: "E_REJECTED", sheet: SHEET, row: 2, value: "A1" }]);
    expect(issues[0]?.message.tr).toContain("Fiyat çok düşük.");
  });

  it("says that a rejection has no message", async () => {
    const { journal, send, trust } = await openFixture({ "ADD A1": [answered({ status: false })] });
    await trust();

    await send(2);

    const [issue] = (await readRow(journal, 2)).issues;
    expect(issue?.message.en).toContain("it gave no reason");
    expect(issue?.message.tr).toContain("neden belirtilmedi");
  });

  for (const [name, reply, claim] of [
    ["a rejection", refused(422, { message: "no" }), "rejected"],
    ["a refusal with a readable answer", answered({ status: false, message: "no" }), "rejected"],
    ["a refused token", refused(401, { message: "no" }), "ready"],
    ["a refusal for too many calls", refused(429, { message: "no" }), "ready"],
  ] as const) {
    it(`leaves a row ambiguous after ${name}, until it is looked up`, async () => {
      const { journal, send } = await openFixture({ "ADD A1": [reply] });

      expect(await send(2)).toMatchObject({ state: "ambiguous", impliedState: claim });

      expect(journal.events.at(-1)?.evidence).toMatchObject({
        claim,
        words: { tr: "no", en: "no" },
      });
    });
  }

  it("never trusts an HTML page", async () => {
    const { journal, send, trust } = await openFixture({
      "ADD A1": [refused(400, { contentType: "text/html" })],
    });
    for (let n = 0; n < 9; n += 1) await trust();

    expect(await send(2)).toMatchObject({ state: "ambiguous", impliedState: undefined });
    expect(journal.events.at(-1)?.evidence["claim"]).toBeUndefined();
  });

  it("leaves an update ambiguous after a rejection, until it is read back", async () => {
    const { journal, send } = await openFixture({ "UPDATE p1": [refused(422, { message: "no" })] });

    expect(await send(3)).toMatchObject({ state: "ambiguous", impliedState: "rejected" });
    expect(journal.events.at(-1)?.evidence).toMatchObject({ claim: "rejected", status: 422 });
  });

  it("makes an update ready again whose token was refused", async () => {
    const { send } = await openFixture({ "UPDATE p1": [refused(401)] });

    expect(await send(3)).toMatchObject({ state: "ready", next: "renew-login" });
  });

  it("never trusts the refused token of an add, even after many trusted ones", async () => {
    const { send, trust } = await openFixture({ "ADD A1": [refused(401)] });
    for (let n = 0; n < 9; n += 1) await trust();

    expect(await send(2)).toMatchObject({ state: "ambiguous", impliedState: "ready" });
  });

  it("keeps the code of an add whose rejection it trusts", async () => {
    const { journal, send, trust } = await openFixture({ "ADD A1": [refused(422)] });
    await trust();
    await send(2);
    await plan(journal, [toAdd(2, "a1")], "r-2");

    expect(await journal.readKnownCodes(["a1"])).toMatchObject([{ runId: RUN, isRefused: true }]);
    expect(journal.beginSending({ runId: "r-2", row: 2 })).toBe("taken");

    await journal.freeCode({ runId: RUN, row: 2 });

    expect(journal.beginSending({ runId: "r-2", row: 2 })).toBe("begun");
  });

  it("returns the wait that the marketplace asked for", async () => {
    const { send } = await openFixture({ "ADD A1": [refused(429, { retryAfterMs: 1_500 })] });

    expect(await send(2)).toMatchObject({ next: "wait", limit: { askedMs: 1_500 } });
  });

  it("holds an add whose code another run has taken, and sends nothing", async () => {
    const { journal, marketplace, send } = await openFixture();
    await plan(journal, [toAdd(2, " a1 ")], "r-2");
    journal.beginSending({ runId: "r-2", row: 2 });

    const sent = await send(2);

    expect(sent).toMatchObject({ state: "held", next: "go-on" });
    const held = await readRow(journal, 2);
    expect(held.issues).toMatchObject([{ code: "E_CODE_TAKEN", row: 2, value: "A1" }]);
    expect(held).toMatchObject({ state: "held", attempts: 0, note: sent.note });
    expect(marketplace.log).toEqual([]);
  });

  it("holds an add whose product another recheck shows while its request waits", async () => {
    const { journal, marketplace, send } = await openFixture();
    const rechecked: { verdict: RecheckVerdict } = { verdict: { kind: "go" } };
    const slow: Marketplace = {
      ...marketplace,
      async addProduct(body, { prepare, ...options }) {
        await prepare?.();
        rechecked.verdict = { kind: "appeared", ids: [productId.parse("other")] };
        return await marketplace.addProduct(body, options);
      },
    };

    const sent = await send(2, slow, rechecked);

    expect(sent).toMatchObject({ state: "held", next: "go-on" });
    expect(await readRow(journal, 2)).toMatchObject({ state: "held", attempts: 0 });
    expect(marketplace.log).toEqual([]);
  });

  it("leaves an update ready while another update of its product is under way", async () => {
    const { journal, marketplace, send } = await openFixture();
    journal.beginSending({ runId: RUN, row: 3 });

    const sent = await send(4);

    expect(sent).toMatchObject({ row: 4, state: "ready", next: "go-on" });
    expect(await readRow(journal, 4)).toMatchObject({ state: "ready", issues: [] });
    expect(marketplace.log).toEqual([]);
  });

  it("throws an error that concerns all rows, with the row still ready", async () => {
    const { journal, send } = await openFixture({ "ADD A1": [failing(new Error("wrong secret"))] });

    await expect(send(2)).rejects.toThrow("wrong secret");

    expect(await readRow(journal, 2)).toMatchObject({ state: "ready", attempts: 0 });
  });

  it("throws when a request left without a record", async () => {
    const { marketplace, send } = await openFixture();
    const careless: Marketplace = {
      ...marketplace,
      addProduct: (body) => marketplace.addProduct(body, { beforeSend: () => undefined }),
    };

    await expect(send(2, careless)).rejects.toThrow("without having been written down");
  });

  it("throws when a row's body does not match its action", async () => {
    const { journal, marketplace, send } = await openFixture();
    await plan(journal, [{ ...toAdd(2, "A1"), action: "update" }], "r-2");
    const record = await readRow(journal, 2, "r-2");

    const sending = sendRow(
      {
        runId: "r-2",
        journal,
        marketplace,
        sheet: SHEET,
        recheck: recheckOf(journal),
        trust: createRefusalTrust({ journal, clock: createFakeClock() }),
      },
      record,
    );

    await expect(sending).rejects.toThrow("no body for its action update");
    await expect(send(2)).resolves.toMatchObject({ state: "done" });
  });
});
