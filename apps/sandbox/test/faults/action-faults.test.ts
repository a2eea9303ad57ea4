/** Each call of an action with each fault: what the fault carried out, and how often. */

import { createFakeClock } from "@catalog/clock/testing";
import { type Endpoint, endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { type Fault, FAULT_KINDS, parseFault } from "../../src/index.ts";
import { findPackage, pathOf, read } from "../helpers/market.ts";
import { obtainToken, openTestClient, type TestClient } from "../helpers/test-client.ts";
import { ask } from "../helpers/wire.ts";

const { order, question, shipping, shippingTemplate } = endpoints;

interface Action {
  readonly endpoint: Pick<Endpoint<unknown, unknown>, "path" | "versions">;
  /** The body, and what the effects count it by. */
  readonly prepare: (shop: TestClient) => Promise<readonly [body: object, subject: string]>;
}

const inStatus =
  (status: number): Action["prepare"] =>
  async (shop) => {
    const { package_id } = await findPackage(shop, status);
    return [{ package_id, reason: "r", message: "m" }, package_id];
  };

const firstTemplate = async (shop: TestClient) => {
  const [first] = (await read(shop, shippingTemplate.list)).result;
  if (first === undefined) throw new Error("the store has no template");
  return first;
};

const withId = z.looseObject({ id: z.string() });

const ACTIONS: Readonly<Record<string, Action>> = {
  "question.reply": {
    endpoint: question.reply,
    async prepare(shop) {
      const id = (await read(shop, question.list, { unanswered: "1" })).result[0]?.id ?? "";
      return [{ product_question_id: id, message: "Evet" }, id];
    },
  },
  "order.postpone": { endpoint: order.postpone, prepare: inStatus(1) },
  "order.accept": { endpoint: order.accept, prepare: inStatus(1) },
  "order.acceptReturn": { endpoint: order.acceptReturn, prepare: inStatus(13) },
  "order.rejectReturn": { endpoint: order.rejectReturn, prepare: inStatus(13) },
  "shipping.generateCode": {
    endpoint: shipping.generateCode,
    async prepare(shop) {
      const [{ package_id }, companies] = [
        await findPackage(shop, 3),
        await read(shop, shipping.contractedCompanies),
      ];
      return [{ package_id, company_id: companies[0]?.id }, package_id];
    },
  },
  "shippingTemplate.create": {
    endpoint: shippingTemplate.create,
    async prepare(shop) {
      const { sender_address, shipping_companies } = await firstTemplate(shop);
      const company = withId.parse(shipping_companies?.[0]).id;
      const body = {
        template_name: "Yeni",
        sender_address: withId.parse(sender_address).id,
        shipping_time: 1,
        all_country: true,
        shipping_companies: company,
        return_companies: company,
      };
      return [body, "Yeni"];
    },
  },
  "shippingTemplate.update": {
    endpoint: shippingTemplate.update,
    async prepare(shop) {
      const { id } = await firstTemplate(shop);
      return [{ shipping_template_id: id, shipping_note: "Not" }, id];
    },
  },
};

/** How often a fault of each kind carries the call out before it answers or ends the connection. */
const CARRIED_OUT: Readonly<Partial<Record<Fault["kind"], 0 | 1>>> = {
  "too-many": 0,
  "token-refused": 0,
  "error-before": 0,
  "error-after": 1,
  "refused-after": 1,
  "reset-before": 0,
  "reset-after": 1,
  "truncated-with-length": 1,
  "truncated-without-length": 1,
  html: 1,
};

/** These wait for a clock or for the sender to go; `commit-fault.test.ts` plays them. */
const WAITING = ["latency", "never", "late-effect"];

const openShop = (faults: readonly Fault[]) =>
  openTestClient({
    clock: createFakeClock(Date.UTC(2026, 4, 1)),
    orders: { packages: 12, statuses: [1, 3, 13] },
    questions: { count: 3, answeredPercent: 0 },
    faults,
  });

describe("each fault", () => {
  it("is in the table below", () => {
    const kinds = [...WAITING, ...Object.keys(CARRIED_OUT)];
    expect(kinds.toSorted()).toEqual(Object.keys(FAULT_KINDS).toSorted());
  });

  const CASES = Object.keys(ACTIONS).flatMap((name) =>
    Object.entries(CARRIED_OUT).map(([kind, count]) => ({ name, kind, count })),
  );

  it.each(CASES)("$kind of $name carries it out $count times", async ({ name, kind, count }) => {
    const action = ACTIONS[name];
    const shop = await openShop([parseFault(`${kind}:${name}:nth=1,ms=0`)]);
    if (action === undefined) throw new Error(`no action is named ${name}`);
    const [body, subject] = await action.prepare(shop);
    const url = `${shop.sandbox.baseUrl}${pathOf(action.endpoint, shop)}?access_token=`;

    const first = await ask(`${url}${shop.token}`, { body }).catch(() => "lost");
    const { effects } = shop.sandbox.inspect();
    const token = kind === "token-refused" ? await obtainToken(shop.sandbox) : shop.token;
    await ask(`${url}${token}`, { body });

    expect(effects).toEqual(count === 0 ? {} : { [name]: { [subject]: count } });
    expect(first === "lost").toBe(kind.startsWith("reset"));
    // The second call meets no fault. Only a template can be created twice.
    const repeated = { "shippingTemplate.create": { Yeni: 2 } };
    const isTwice = name === "shippingTemplate.create" && count === 1;
    const { violations, repeatedEffects, effects: later } = shop.sandbox.inspect();
    expect(violations.filter(({ rule }) => rule === "early-token")).toEqual([]);
    expect(repeatedEffects).toEqual(isTwice ? repeated : {});
    expect(later[name]?.[subject]).toBeGreaterThanOrEqual(1);
  });
});

describe("a refusal after the effect", () => {
  it.each([
    ["question.reply", 409, "status", "Soru daha önce yanıtlandı"],
    ["question.reply", 200, "success", "Yanıt kabul edilmedi"],
    ["order.accept", 409, "status", "Paketin durumu uygun değil"],
    ["order.accept", 200, "status", "Paket değiştirilmedi"],
    ["shipping.generateCode", 409, "status", "Paketin kargo kodu var"],
    ["shippingTemplate.create", 200, "success", "Çağrı kabul edilmedi"],
    ["shippingTemplate.create", 401, "status", "Erişim anahtarı geçerli değil"],
  ] as const)("of %s with %i says %s: false, and %s", async (name, status, field, words) => {
    const action = ACTIONS[name];
    const shop = await openShop([{ kind: "refused-after", endpoint: name, status }]);
    if (action === undefined) throw new Error(`no action is named ${name}`);
    const [body] = await action.prepare(shop);

    const answer = await shop.post(pathOf(action.endpoint, shop), body);

    expect(answer.httpStatus).toBe(status);
    expect(answer.data).toMatchObject({ [field]: false, message_tr: words });
  });
});

describe("a refused token", () => {
  it.each([
    ["401", 401],
    ["403", 403],
    ["200", 200],
  ] as const)("is told with %s, and stays refused", async (shape, status) => {
    const shop = await openTestClient({
      personality: { "auth-error": shape },
      faults: [{ kind: "token-refused", endpoint: "question.list", nth: 2 }],
    });
    const list = () => shop.get(pathOf(question.list, shop));

    const answers = [await list(), await list(), await list()];

    expect(answers.map(({ httpStatus }) => httpStatus)).toEqual([200, status, status]);
    expect(answers[2]?.data).toMatchObject({ status: false, message: "access_token is unknown" });
    expect(shop.sandbox.inspect()).toMatchObject({ tokens: [] });
  });
});
