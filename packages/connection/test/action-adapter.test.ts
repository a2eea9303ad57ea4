import type { CallOptions } from "@catalog/client";
import { ApiError, ShapeError } from "@catalog/client/errors";
import type { ActionPort } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { type ActionClient, createActionAdapter } from "../src/action-adapter.ts";

interface StubStore {
  /** Pages of the listings, by their filter; each is read as often as it is asked for. */
  readonly answered?: readonly (readonly object[])[];
  readonly unanswered?: readonly (readonly object[])[];
  /** Called when the answered questions are read. */
  readonly onAnswered?: () => void;
  /** Packages that a period of so many days shows. */
  readonly packages?: ReadonlyMap<number, readonly object[]>;
  readonly templates?: readonly object[];
  /** How often a write leaves, as the client sends it again after a refused token. @default 1 */
  readonly leaves?: number;
  /** Packages by their time; every period in days is too large, and longer ones in seconds. */
  readonly dated?: readonly { readonly package_id: string; readonly atS: number }[];
  readonly maxSeconds?: number;
  /** A longer period is refused. @default none is */
  readonly maxDays?: number;
  /** Status of that refusal. @default 400 */
  readonly refusal?: number;
}

interface StubPeriod {
  readonly days?: number;
  readonly start_date?: number;
  readonly end_date?: number;
}

const TOO_LARGE = new ShapeError("too large", {
  endpoint: "order.list",
  reason: "too-large",
  phase: "body",
  status: 200,
});

const NOW_S = 1_800_000_000;

const refusal = (status: number): ApiError =>
  new ApiError("refused", { endpoint: "order.list", phase: "body", status });

interface Stub {
  readonly actions: ActionPort;
  readonly calls: readonly string[];
}

function listOrders(store: StubStore, period: StubPeriod, calls: string[]): readonly object[] {
  const { days } = period;
  if (days === undefined) return listDated(store, period, calls);
  calls.push(`orders of ${days} days`);
  if (store.maxSeconds !== undefined) throw TOO_LARGE;
  if (days > (store.maxDays ?? Infinity)) throw refusal(store.refusal ?? 400);
  return store.packages?.get(days) ?? [];
}

function listDated(
  { maxSeconds = 0, dated = [] }: StubStore,
  { start_date: from = 0, end_date: to = 0 }: StubPeriod,
  calls: string[],
): readonly object[] {
  calls.push(`orders of ${to - from} seconds`);
  if (to - from > maxSeconds) throw TOO_LARGE;
  return dated.filter(({ atS }) => atS >= from && atS <= to);
}

/** A client whose listings answer from memory, and whose writes name themselves. */
function openStub(store: StubStore): Stub {
  const calls: string[] = [];
  const pages = async function* pagesOf(name: string, of: readonly (readonly object[])[]) {
    for (const result of of) {
      calls.push(name);
      yield { result };
    }
  };
  const write =
    (name: string) =>
    async (input: object, { beforeSend }: CallOptions = {}): Promise<object> => {
      for (let n = 0; n < (store.leaves ?? 1); n += 1) {
        beforeSend?.();
        calls.push(name);
      }
      return { success: true, input };
    };
  const client: unknown = {
    question: {
      reply: write("reply"),
      list: {
        pages(filter: { readonly answered?: 1 }) {
          if (filter.answered !== 1) return pages("unanswered", store.unanswered ?? []);
          store.onAnswered?.();
          return pages("answered", store.answered ?? []);
        },
      },
    },
    order: {
      list: async (period: StubPeriod) => [
        { code: "o1", packages: listOrders(store, period, calls) },
      ],
      accept: write("accept"),
      postpone: write("postpone"),
      acceptReturn: write("acceptReturn"),
      rejectReturn: write("rejectReturn"),
    },
    shipping: { generateCode: write("generateCode") },
    shippingTemplate: {
      create: write("create"),
      update: write("update"),
      list: { pages: () => pages("templates", [store.templates ?? []]) },
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stub has only what is called
  return { actions: createActionAdapter(client as ActionClient, { hasSlots: true, clock }), calls };
}

const clock = { now: (): number => NOW_S * 1_000 };

const id = (n: number): string => n.toString(16).padStart(24, "0");

describe("questions", () => {
  it("are looked for among the unanswered, and no further where all are there", async () => {
    const { actions, calls } = openStub({
      unanswered: [[{ id: "q1", answer: null }], [{ id: "q2" }], [{ id: "q3" }]],
    });

    const { views, calls: made } = await actions.readSubjects("question", ["q2"]);

    expect(views.get("q2")).toEqual({ fields: { answer: null } });
    expect([calls, made]).toEqual([["unanswered", "unanswered"], 2]);
  });

  it.each([
    ["a text", "Evet", "Evet"],
    ["an object", { message: "Evet", at: 1 }, "Evet"],
    ["an object of another form", { yanit: "Evet" }, '{"yanit":"Evet"}'],
    ["an empty text", "", null],
  ])("show an answer that is %s", async (_, answer, shown) => {
    const question = [[{ id: "q1", answer }]];
    const { actions } = openStub(
      shown === null ? { unanswered: question } : { unanswered: [[]], answered: question },
    );

    const { views } = await actions.readSubjects("question", ["q1"]);

    expect(views.get("q1")?.fields["answer"]).toBe(shown);
  });

  it("that have moved up a page meanwhile are looked for again", async () => {
    const unanswered = [[{ id: "q1" }]];
    const onAnswered = (): void => void unanswered.push([{ id: "q2" }]);
    const { actions } = openStub({ unanswered, answered: [[]], onAnswered });

    const { views } = await actions.readSubjects("question", ["q2"]);

    expect(views.get("q2")).toEqual({ fields: { answer: null } });
  });

  it("that were passed over while our answers left are found without reading the answered", async () => {
    const first = [[{ id: "q1" }], [{ id: "q3" }]];
    const second = [[{ id: "q1" }], [{ id: "q2" }]];
    const passes = [first, second];
    const { actions, calls } = openStub({
      get unanswered() {
        return passes.shift() ?? [];
      },
    });

    const { views } = await actions.readSubjects("question", ["q1", "q2"]);

    expect(views.has("q2")).toBe(true);
    expect(calls).toEqual(Array.from({ length: 4 }, () => "unanswered"));
  });

  it("that are in no listing are missing", async () => {
    const { actions } = openStub({ unanswered: [[]], answered: [[]] });

    expect((await actions.readSubjects("question", ["q9"])).views.has("q9")).toBe(false);
  });

  it("count as answered where not all answered ones were read", async () => {
    const many = Array.from({ length: 101 }, (_, n) => [{ id: `a${n}`, answer: "x" }]);
    const { actions } = openStub({ unanswered: [[]], answered: many });

    expect((await actions.readSubjects("question", ["q9"])).views.get("q9")).toMatchObject({
      fields: { answer: { isUnread: true } },
    });
  });

  it("count as answered where the listing of the answered does not show how", async () => {
    const { actions } = openStub({
      unanswered: [[{ id: "q1", answer: null }]],
      // As of a listing that ignores its filter.
      answered: [[{ id: "q1", answer: null }, { id: "q2" }]],
    });

    const { views } = await actions.readSubjects("question", ["q1", "q2"]);

    expect(views.get("q1")?.fields["answer"]).toBeNull();
    expect(views.get("q2")?.fields["answer"]).toEqual({ isUnread: true });
  });
});

describe("packages", () => {
  const shown = {
    package_id: "p1",
    status: 1,
    status_explained: "Onay bekliyor",
    shipping: { shipping_company: "Hızlı" },
  };

  it("are looked for in longer and longer periods", async () => {
    const { actions, calls } = openStub({ packages: new Map([[90, [shown]]]) });

    const { views } = await actions.readSubjects("package", ["p1"]);
    await actions.readSubjects("package", ["p1"]);

    expect(views.get("p1")).toEqual({
      fields: { status: 1, shipping_code: null, shipping_company: "Hızlı" },
      words: { status: { tr: "Onay bekliyor", en: "Onay bekliyor" } },
    });
    expect(calls).toEqual([7, 30, 90, 90].map((days) => `orders of ${days} days`));
  });

  it("are missing where the store refuses the longer periods", async () => {
    const { actions, calls } = openStub({ packages: new Map([[30, [shown]]]), maxDays: 30 });

    const { views } = await actions.readSubjects("package", ["p1", "p2"]);

    expect([...views.keys()]).toEqual(["p1"]);
    expect(calls).toEqual([7, 30, 90].map((days) => `orders of ${days} days`));
  });

  it.each([
    ["every period is refused", { maxDays: 1 }],
    ["the listing is out of order", { maxDays: 30, refusal: 500 }],
  ])("are not taken for missing where %s", async (_, store) => {
    const { actions } = openStub(store);

    await expect(actions.readSubjects("package", ["p1"])).rejects.toThrow("refused");
  });

  it("are read in parts, newest first, where a period is too large", async () => {
    const dated = [0, 1, 5].map((days) => ({ package_id: `p${days}`, atS: NOW_S - days * 86_400 }));
    const { actions, calls } = openStub({ dated, maxSeconds: 100_000 });

    const { views, calls: made } = await actions.readSubjects("package", ["p0", "p1"]);

    expect([...views.keys()].toSorted()).toEqual(["p0", "p1"]);
    expect(made).toBe(calls.length);
    expect(calls.length).toBeLessThan(8);
    expect((await actions.readSubjects("package", ["p5"])).views.has("p5")).toBe(true);
  });

  it("are not read where those of an hour are too large", async () => {
    const { actions } = openStub({ maxSeconds: 10 });

    await expect(actions.readSubjects("package", ["p1"])).rejects.toThrow("too large");
  });

  it("show no code where the listing has no shipping", async () => {
    const { actions } = openStub({ packages: new Map([[7, [{ package_id: "p1", status: 2 }]]]) });

    const { views } = await actions.readSubjects("package", ["p1"]);

    expect(views.get("p1")?.fields).toEqual({ status: 2 });
  });
});

it("templates are found by id and by name, with companies and addresses as ids", async () => {
  const template = {
    id: "t1",
    template_name: "Hızlı",
    shipping_companies: [{ id: "c1", name: "X" }, "c2"],
    sender_address: { id: "a1" },
  };
  const older = { id: "t2", template_name: "Hızlı", created_at: "2024-01-15T12:00:00Z" };
  const newer = { ...template, created_at: "2024-01-16T12:00:00Z" };
  const { actions } = openStub({ templates: [newer, older] });

  const { views } = await actions.readSubjects("template", ["Hızlı"]);

  expect(views.get("Hızlı")).toBe(views.get("t1"));
  expect(views.get("t1")?.fields).toEqual({
    template_name: "Hızlı",
    shipping_companies: ["c1", "c2"],
    sender_address: "a1",
  });
});

describe("sending", () => {
  const noted: { readonly beforeSend: () => void } = { beforeSend: () => undefined };

  it.each<[Parameters<ActionPort["send"]>[0], Readonly<Record<string, unknown>>, string]>([
    ["reply", { product_question_id: id(1), message: "Evet" }, "reply"],
    ["accept", { package_id: id(1) }, "accept"],
    ["postpone", { package_id: id(1), reason: "Stok" }, "postpone"],
    ["accept-return", { package_id: id(1), message: "Tamam" }, "acceptReturn"],
    ["reject-return", { package_id: id(1), reason: "Süre" }, "rejectReturn"],
    ["shipping-code", { package_id: id(1), company_id: id(2) }, "generateCode"],
    ["update-template", { shipping_template_id: id(3), shipping_time: 2 }, "update"],
  ])("%s makes its call", async (action, call, name) => {
    const { actions, calls } = openStub({});

    const answer = await actions.send(action, call, noted);

    const data = { success: true, input: call };
    expect(answer).toEqual({ kind: "answered", data, phase: "body" });
    expect(calls).toEqual([name]);
  });

  it("leaves once, and says that its token was refused", async () => {
    const { actions, calls } = openStub({ leaves: 2 });

    const answer = await actions.send("accept", { package_id: id(1) }, noted);

    expect(answer).toMatchObject({ kind: "refused", status: 401, phase: "body" });
    expect(calls).toEqual(["accept"]);
  });

  it("leaves again after a refused token where it sets values", async () => {
    const { actions, calls } = openStub({ leaves: 2 });

    await actions.send("update-template", { shipping_template_id: id(3), shipping_time: 2 }, noted);

    expect(calls).toEqual(["update", "update"]);
  });

  it("refuses a body that the contract does not have, and calls nothing", () => {
    const { actions, calls } = openStub({});

    expect(() => actions.send("reply", { message: "Evet" }, noted)).toThrow();
    expect(calls).toEqual([]);
  });
});
