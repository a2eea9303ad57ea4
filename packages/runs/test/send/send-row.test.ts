import { createFakeClock } from "@catalog/clock/testing";
import { describe, expect, it } from "vitest";

import type { KnownCode } from "../../src/ports/journal.ts";
import type { Marketplace } from "../../src/ports/marketplace.ts";
import { createRefusalTrust, toRefusalSignature } from "../../src/reconcile/refusal-trust.ts";
import type { RowRecord } from "../../src/row/row-record.ts";
import type { SentRow } from "../../src/send/outcome.ts";
import { sendRow } from "../../src/send/send-row.ts";
import type {
  RecheckedRow,
  RecheckOptions,
  RecheckVerdict,
} from "../../src/send/update-rechecks.ts";
import {
  addBody,
  answered,
  createFakeMarketplace,
  failing,
  type FakeMarketplace,
  listed,
  lost,
  refused,
  type Reply,
  RUN,
  SHEET,
  toAdd,
  toUpdate,
} from "../../src/testing.ts";
import { toProductId } from "../../src/testing/rows.ts";
import { createRowStub, type RowStub } from "../helpers/row-stub.ts";

type LastRecheck = Pick<RecheckedRow, "verdict">;

interface Fixture {
  readonly journal: RowStub;
  readonly marketplace: FakeMarketplace;
  /** Makes refusals with the signature of the reply trusted. */
  readonly trust: () => Promise<void>;
  readonly send: (
    row: number,
    more?: { readonly through?: Marketplace; readonly last?: LastRecheck } & Partial<
      Parameters<typeof sendRow>[0]
    >,
  ) => Promise<SentRow>;
}

const RECHECK: RecheckOptions = {
  before: { readBefore: async () => new Map(), saveBefore: async () => undefined },
  priceUnit: "unknown",
};

/** Row 2 adds A1; rows 3 and 4 update p1; row 5 has the body of an add and is an update. */
function openFixture(script: Readonly<Record<string, readonly Reply[]>> = {}): Fixture {
  const journal = createRowStub([
    toAdd(2, "A1"),
    toUpdate(3, "p1", { title: "Mug" }),
    toUpdate(4, "p1", { stock_count: 1 }),
    { ...toAdd(5, "A2"), action: "update" },
  ]);
  const marketplace = createFakeMarketplace({ products: [listed("p1", "B1")], script });
  let notApplied = 0;
  const readSignature = async () => ({ applied: 0, notApplied, lastSeenMs: 0 });
  const kinds = createRefusalTrust({ journal: { readSignature }, clock: createFakeClock() });
  const fixed = { runId: RUN, journal, sheet: SHEET, recheck: RECHECK, trust: kinds };
  const send: Fixture["send"] = async (row, { through = marketplace, last, ...more } = {}) => {
    const record = journal.row(row);
    const rechecked = last && toRechecked(record, last);
    const options = { ...fixed, marketplace: through, rechecked, ...more };
    const { sent, written } = await sendRow(options, record);
    await written;
    return sent;
  };
  const trust = async (): Promise<void> => {
    const [reply] = script["ADD A1"] ?? [];
    if (reply?.kind !== "answer") throw new Error("there is no answer to trust");
    const signature = toRefusalSignature(reply.answer, addBody("A1"));
    notApplied += 1;
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

const evidenceOf = ({ outcomes }: RowStub): Readonly<Record<string, unknown>> =>
  outcomes.at(-1)?.evidence ?? {};

describe("sendRow", () => {
  it("adds a product and stores its id", async () => {
    const { journal, marketplace, send } = openFixture();

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
    expect(journal.moves).toEqual(["2: ready > sending (begin)", "2: sending > done (answer)"]);
    expect(journal.row(2)).toMatchObject({ productId: "new-1", attempts: 1 });
    expect(marketplace.log).toEqual(["ADD A1"]);
  });

  it("updates a product and keeps its id", async () => {
    const { journal, marketplace, send } = openFixture();

    const sent = await send(3);

    expect(sent).toMatchObject({ row: 3, code: null, action: "update", state: "done" });
    expect(journal.row(3)).toMatchObject({ productId: "p1" });
    expect(marketplace.products[0]?.product.title).toBe("Mug");
  });

  it("records the row before the request leaves", async () => {
    const { journal, marketplace, send } = openFixture();
    const states: string[] = [];
    const through: Marketplace = {
      ...marketplace,
      async addProduct(body, options) {
        states.push(journal.row(2).state);
        options.beforeSend();
        states.push(journal.row(2).state);
        return { kind: "lost", phase: "started", message: "gone" };
      },
    };

    await send(2, { through });

    expect(states).toEqual(["ready", "sending"]);
  });

  it("records an update that is sent twice once", async () => {
    const { journal, marketplace, send } = openFixture();
    const through: Marketplace = {
      ...marketplace,
      updateProduct(body, options) {
        options.beforeSend();
        return marketplace.updateProduct(body, options);
      },
    };

    await send(3, { through });

    expect(journal.row(3)).toMatchObject({ state: "done", attempts: 1 });
  });

  it("leaves a row ready when its request was not started", async () => {
    const { journal, send } = openFixture({ "ADD A1": [lost("none")] });

    const sent = await send(2);

    expect(sent).toMatchObject({ state: "ready", next: "go-on", note: "lost after none" });
    expect(journal.row(2)).toMatchObject({ state: "ready", attempts: 0 });
    expect(journal.moves).toEqual([]);
  });

  it("makes a row ready again whose request was started and provably never left", async () => {
    const { journal, marketplace, send } = openFixture({
      "ADD A1": [lost("none", { begins: true })],
    });

    const sent = await send(2);

    expect(sent.state).toBe("ready");
    expect(journal.moves).toEqual(["2: ready > sending (begin)", "2: sending > ready (unsent)"]);
    expect(marketplace.log).toEqual([]);
  });

  it("records how far a lost request got", async () => {
    const { journal, send } = openFixture({ "ADD A1": [lost("headers")] });

    const sent = await send(2);

    expect(sent).toMatchObject({ state: "ambiguous", note: "lost after headers" });
    expect(journal.outcomes.at(-1)).toMatchObject({ evidence: { phase: "headers" } });
    expect(journal.row(2)).toMatchObject({ note: "lost after headers" });
  });

  it("records the status of a refusal", async () => {
    const { journal, send } = openFixture({ "ADD A1": [refused(502, { effect: "now" })] });

    await send(2);

    expect(journal.outcomes.at(-1)).toMatchObject({
      to: "ambiguous",
      cause: "status-502",
      evidence: { phase: "body", status: 502 },
    });
  });

  it("reports a rejected row with the marketplace's message", async () => {
    const reply = answered({ status: false, message: "Fiyat çok düşük." });
    const { journal, send, trust } = openFixture({ "ADD A1": [reply] });
    await trust();

    await send(2);

    const { state, note, issues } = journal.row(2);
    expect({ state, note }).toEqual({ state: "rejected", note: "Fiyat çok düşük." });
    expect(issues).toMatchObject([{ code: "E_REJECTED", sheet: SHEET, row: 2, value: "A1" }]);
    expect(issues[0]?.message.tr).toContain("Fiyat çok düşük.");
  });

  it("says that a rejection has no message", async () => {
    const { journal, send, trust } = openFixture({ "ADD A1": [answered({ status: false })] });
    await trust();

    await send(2);

    const [issue] = journal.row(2).issues;
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
      const { journal, send } = openFixture({ "ADD A1": [reply] });

      expect(await send(2)).toMatchObject({ state: "ambiguous", impliedState: claim });

      expect(evidenceOf(journal)).toMatchObject({
        claim,
        words: { tr: "no", en: "no" },
      });
    });
  }

  it("never trusts an HTML page", async () => {
    const { journal, send, trust } = openFixture({
      "ADD A1": [refused(400, { contentType: "text/html" })],
    });
    for (let n = 0; n < 9; n += 1) await trust();

    expect(await send(2)).toMatchObject({ state: "ambiguous", impliedState: undefined });
    expect(evidenceOf(journal)["claim"]).toBeUndefined();
  });

  it("leaves an update ambiguous after a rejection, until it is read back", async () => {
    const { journal, send } = openFixture({ "UPDATE p1": [refused(422, { message: "no" })] });

    expect(await send(3)).toMatchObject({ state: "ambiguous", impliedState: "rejected" });
    expect(evidenceOf(journal)).toMatchObject({ claim: "rejected", status: 422 });
  });

  it("makes an update ready again whose token was refused", async () => {
    const { send } = openFixture({ "UPDATE p1": [refused(401)] });

    expect(await send(3)).toMatchObject({ state: "ready", next: "renew-login" });
  });

  it("never trusts the refused token of an add, even after many trusted ones", async () => {
    const { send, trust } = openFixture({ "ADD A1": [refused(401)] });
    for (let n = 0; n < 9; n += 1) await trust();

    expect(await send(2)).toMatchObject({ state: "ambiguous", impliedState: "ready" });
  });

  it("keeps the code of an add whose rejection it trusts", async () => {
    const { journal, send, trust } = openFixture({ "ADD A1": [refused(422)] });
    await trust();

    await send(2);

    expect(journal.outcomes.at(-1)).toMatchObject({ to: "rejected", keepsCode: true });
  });

  it("returns the wait that the marketplace asked for", async () => {
    const { send } = openFixture({ "ADD A1": [refused(429, { retryAfterMs: 1_500 })] });

    expect(await send(2)).toMatchObject({ next: "wait", limit: { askedMs: 1_500 } });
  });

  it("holds an add whose code another run has taken, and sends nothing", async () => {
    const { journal, marketplace, send } = openFixture();
    const other = {
      codeKey: "a1",
      state: "sending",
      runId: "r-2",
      row: 2,
      productId: null,
    } as const;
    const readKnownCodes = async (): Promise<readonly KnownCode[]> => [other];
    const taken = { ...journal, readKnownCodes, beginSending: () => "taken" as const };

    const sent = await send(2, { journal: taken });

    expect(sent).toMatchObject({ state: "held", next: "go-on" });
    const held = journal.row(2);
    expect(held.issues).toMatchObject([{ code: "E_CODE_TAKEN", row: 2, value: "A1" }]);
    expect(held).toMatchObject({ state: "held", attempts: 0, note: sent.note });
    expect(marketplace.log).toEqual([]);
  });

  it("holds an add whose product another recheck shows while its request waits", async () => {
    const { journal, marketplace, send } = openFixture();
    const rechecked: { verdict: RecheckVerdict } = { verdict: { kind: "go" } };
    const slow: Marketplace = {
      ...marketplace,
      async addProduct(body, options) {
        rechecked.verdict = { kind: "appeared", ids: [toProductId("other")] };
        return await marketplace.addProduct(body, options);
      },
    };

    const sent = await send(2, { through: slow, last: rechecked });

    expect(sent).toMatchObject({ state: "held", next: "go-on" });
    expect(journal.row(2)).toMatchObject({ state: "held", attempts: 0 });
    expect(marketplace.log).toEqual([]);
  });

  it("leaves an update ready while another update of its product is under way", async () => {
    const { journal, marketplace, send } = openFixture();
    journal.beginSending({ runId: RUN, row: 3 });

    const sent = await send(4);

    expect(sent).toMatchObject({ row: 4, state: "ready", next: "go-on" });
    expect(journal.row(4)).toMatchObject({ state: "ready", issues: [] });
    expect(marketplace.log).toEqual([]);
  });

  it("throws an error that concerns all rows, with the row still ready", async () => {
    const { journal, send } = openFixture({ "ADD A1": [failing(new Error("wrong secret"))] });

    await expect(send(2)).rejects.toThrow("wrong secret");

    expect(journal.row(2)).toMatchObject({ state: "ready", attempts: 0 });
  });

  it("throws when a request left without a record", async () => {
    const { marketplace, send } = openFixture();
    const careless: Marketplace = {
      ...marketplace,
      addProduct: (body) => marketplace.addProduct(body, { beforeSend: () => undefined }),
    };

    await expect(send(2, { through: careless })).rejects.toThrow(
      "without having been written down",
    );
  });

  it("throws when a row's body does not match its action", async () => {
    const { send } = openFixture();

    await expect(send(5)).rejects.toThrow("no body for its action update");
    await expect(send(2)).resolves.toMatchObject({ state: "done" });
  });
});

describe("a claim whose request has not left", () => {
  it.each([
    ["after it was moved", 3, "unconfirmed"],
    ["before", 4, "away"],
  ] as const)("is given back where the database went away %s", async (_when, row, start) => {
    const { journal, marketplace, send } = openFixture();
    const [claim] = row === 3 ? await journal.claim([{ runId: RUN, row }]) : [];

    const sent = await send(row, { claim, journal: { ...journal, beginSending: () => start } });

    expect(sent).toMatchObject({ state: "ready", isDeferred: true });
    expect(journal.row(row).state).toBe("ready");
    expect(marketplace.log).toEqual([]);
  });

  it("reports that it could not be given back rather than why nothing was sent", async () => {
    const { journal, marketplace, send } = openFixture();
    const [claim] = await journal.claim([{ runId: RUN, row: 3 }]);
    const away = new Error("the database is away");
    const through = { ...marketplace, updateProduct: () => Promise.reject(new Error("no login")) };

    const sending = send(3, {
      claim,
      through,
      journal: { ...journal, recordOutcome: () => Promise.reject(away) },
    });

    await expect(sending).rejects.toBe(away);
  });
});
