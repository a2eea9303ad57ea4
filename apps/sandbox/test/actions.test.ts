/** Questions, packages, codes and templates under each personality, and what is counted of them. */

import { createFakeClock } from "@catalog/clock/testing";
import { endpoints, type OrderPackage, type Question } from "@catalog/contract";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import type { BehaviorOptions, SandboxOptions } from "../src/index.ts";
import { findPackage, pathOf, read, readOrders, send } from "./helpers/market.ts";
import { openTestClient, type TestClient } from "./helpers/test-client.ts";
import { ask } from "./helpers/wire.ts";

const { order, question, shipping, shippingTemplate } = endpoints;
const START = Date.UTC(2026, 4, 1, 9);

/** A small store with open questions and packages that wait, are accepted, or want to come back. */
const openShop = (personality: BehaviorOptions = {}, options: SandboxOptions = {}) =>
  openTestClient({
    clock: createFakeClock(START),
    orders: { packages: 24, statuses: [1, 3, 13], days: 5 },
    questions: { count: 8, answeredPercent: 0 },
    personality,
    ...options,
  });

async function findQuestion(shop: TestClient, id?: string): Promise<Question> {
  const { result } = await read(shop, question.list, { limit: "50", sort_by_date: "ascending" });
  const found = id === undefined ? result[0] : result.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no question ${id}`);
  return found;
}

async function seePackage(shop: TestClient, id: string): Promise<OrderPackage | undefined> {
  const orders = await readOrders(shop, { days: "400" });
  return orders.flatMap(({ packages }) => packages).find((one) => one.package_id === id);
}

const reply = (shop: TestClient, id: string, message: string) =>
  send(shop, question.reply, { product_question_id: id, title: "Re", message });

describe("a second reply", () => {
  const CASES: readonly (readonly [
    BehaviorOptions["second-reply"],
    Readonly<{ httpStatus: number; data: unknown; messages: readonly string[]; count: number }>,
  ])[] = [
    [
      "refused",
      {
        httpStatus: 409,
        data: {
          status: false,
          message: "The question has been answered",
          message_tr: "Soru daha önce yanıtlandı",
        },
        messages: ["Bir"],
        count: 1,
      },
    ],
    ["false", { httpStatus: 200, data: { success: false }, messages: ["Bir"], count: 1 }],
    ["ignored", { httpStatus: 200, data: { success: true }, messages: ["Bir"], count: 1 }],
    ["overwrites", { httpStatus: 200, data: { success: true }, messages: ["İki"], count: 2 }],
    ["appended", { httpStatus: 200, data: { success: true }, messages: ["Bir", "İki"], count: 2 }],
  ];

  it.each(CASES)("with %s is answered, shown and counted", async (second, expected) => {
    const shop = await openShop({ "second-reply": second });
    const { id } = await findQuestion(shop);

    await reply(shop, id, "Bir");
    const { httpStatus, data } = await reply(shop, id, "İki");

    const { answer } = await findQuestion(shop, id);
    const shown = z.union([z.array(answers), answers.transform((one) => [one])]).parse(answer);
    const { effects, repeatedEffects } = shop.sandbox.inspect();
    const messages = shown.map(({ message }) => message);
    const { count } = expected;
    expect({ httpStatus, data, messages, count }).toEqual(expected);
    expect(effects).toEqual({ "question.reply": { [id]: count } });
    expect(repeatedEffects).toEqual(count > 1 ? effects : {});
  });
});

const answers = z.object({ message: z.string() });

describe("the answer of a question", () => {
  it.each([
    ["object", { title: "Re", message: "Evet 👍", created_at: "2026-05-01T09:00:00.000Z" }],
    ["list", [{ title: "Re", message: "Evet 👍", created_at: "2026-05-01T09:00:00.000Z" }]],
    ["text", "Evet 👍"],
    ["other-names", { id: 1, subject: "Re", content: "Evet 👍", date: START / 1000 }],
  ] as const)("has the shape %s, and is null before", async (shape, expected) => {
    const shop = await openShop({ "answer-shape": shape });
    const { id, answer: before } = await findQuestion(shop);

    await reply(shop, id, "Evet 👍");

    const after = await findQuestion(shop, id);
    expect([before, after.answer]).toEqual([null, expected]);
    expect(after.updated_at).toBe("2026-05-01T09:00:00.000Z");
  });
});

describe("a move that the status forbids", () => {
  const tr = "Paketin durumu 3 (Onaylandı); beklenen durum: 13 (İade istendi)";
  const en = "The package has status 3 (Accepted); it must have 13 (Return requested)";

  it.each([
    ["refused", 409, { status: false, message: en, message_tr: tr }],
    ["status-error", 200, { status: "error", message: en, message_tr: tr }],
    ["status-text", 200, { status: tr }],
  ] as const)("with %s is answered with %i, and has no effect", async (wrong, status, data) => {
    const shop = await openShop({ "wrong-move": wrong });
    const { package_id } = await findPackage(shop, 3);
    const body = { package_id, reason: "r", message: "m" };

    const accepted = await send(shop, order.acceptReturn, body);
    const rejected = await send(shop, order.rejectReturn, body);

    expect(accepted).toMatchObject({ httpStatus: status, data });
    expect(rejected).toMatchObject({ httpStatus: status, data });
    expect(await seePackage(shop, package_id)).toMatchObject({ status: 3 });
    expect(shop.sandbox.inspect().effects).toEqual({});
  });
});

const MOVES = [
  ["postpone", 1, 2],
  ["accept", 1, 3],
  ["acceptReturn", 13, 14],
  ["rejectReturn", 13, 15],
] as const;

describe("the same move again", () => {
  const CASES = (
    [
      ["refused", 409, 1],
      ["repeated", 200, 2],
      ["ignored", 200, 1],
    ] as const
  ).flatMap(([second, status, count]) =>
    MOVES.map(([move, from, to]) => ({ second, status, count, move, from, to })),
  );

  it.each(CASES)(
    "with $second by $move is answered with $status, and counted $count times",
    async ({ second, status, count, move, from, to }) => {
      const shop = await openShop({ "second-move": second });
      const { package_id } = await findPackage(shop, from);
      const body = { package_id, reason: "r", message: "m" };

      const first = await send(shop, order[move], body);
      const again = await send(shop, order[move], body);

      const { effects, repeatedEffects } = shop.sandbox.inspect();
      expect([first.httpStatus, again.httpStatus]).toEqual([200, status]);
      expect(effects).toEqual({ [`order.${move}`]: { [package_id]: count } });
      expect(repeatedEffects).toEqual(count > 1 ? effects : {});
      expect(await seePackage(shop, package_id)).toMatchObject({ status: to });
    },
  );

  it("is a second time after a later move, too", async () => {
    const shop = await openShop({ "second-move": "repeated" });
    const { package_id } = await findPackage(shop, 1);

    await send(shop, order.postpone, { package_id, reason: "r" });
    await send(shop, order.accept, { package_id });
    await send(shop, order.postpone, { package_id, reason: "r" });

    expect(await seePackage(shop, package_id)).toMatchObject({ status: 3 });
    expect(shop.sandbox.inspect().repeatedEffects).toEqual({
      "order.postpone": { [package_id]: 2 },
    });
  });
});

describe("the answer to a move", () => {
  it.each([
    ["success", { status: "success" }],
    ["turkish", { status: "İade talebi onaylandı" }],
    ["true", { status: true }],
    ["missing", {}],
  ] as const)("is %s", async (kind, data) => {
    const shop = await openShop({ "move-answer": kind });
    const { package_id } = await findPackage(shop, 13);

    const answer = await send(shop, order.acceptReturn, { package_id, message: "m" });

    expect(answer).toMatchObject({ httpStatus: 200, data });
    expect(Object.keys(z.looseObject({}).parse(answer.data))).toEqual(Object.keys(data));
  });

  it.each([
    ["status", '{"data":{"status":"success"}}'],
    ["empty", '{"data":{}}'],
    ["null", '{"data":null}'],
    ["no-data", "{}"],
  ] as const)("that rejects a return is %s", async (kind, text) => {
    const shop = await openShop({ "reject-return-answer": kind });
    const { package_id } = await findPackage(shop, 13);
    const url = `${shop.sandbox.baseUrl}${pathOf(order.rejectReturn, shop)}`;

    const body = { package_id, reason: "r" };
    const answer = await ask(`${url}?access_token=${shop.token}`, { body });

    expect(answer).toMatchObject({ status: 200, text });
    expect(await seePackage(shop, package_id)).toMatchObject({ status: 15 });
  });
});

const nameStatus = (code: number, words: string | undefined): string =>
  words === undefined ? String(code) : `${code} (${words})`;

describe("the status codes", () => {
  const CASES = [
    ["sandbox", [1, "Onay bekliyor"], [3, "Onaylandı"]],
    ["other-numbers", [16, "Onay bekliyor"], [14, "Onaylandı"]],
    ["other-words", [16, "Yeni sipariş"], [14, "Mağaza onayladı"]],
    ["no-words", [1, undefined], [3, undefined]],
  ] as const;

  it.each(CASES)(
    "are those of %s in the list, the filter, packages and refusals",
    async (kind, [waiting, waitingWords], [accepted, acceptedWords]) => {
      const shop = await openShop({ "status-codes": kind });
      const codes = await read(shop, order.statusCodes);
      const { package_id, status_explained, items } = await findPackage(shop, waiting);
      const zero = await readOrders(shop, { days: "400", status: "0" });
      const filtered = await readOrders(shop, { days: "400", status: String(waiting) });

      await send(shop, order.accept, { package_id });
      const again = await send(shop, order.accept, { package_id });

      const after = await seePackage(shop, package_id);
      expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
      expect(codes[waiting - 1]?.description).toBe(waitingWords);
      expect([status_explained, items?.[0]?.status]).toEqual([waitingWords, waiting]);
      expect(zero).toEqual(filtered);
      expect(after).toMatchObject({ status: accepted });
      expect(after?.status_explained).toBe(acceptedWords);
      expect(again.data).toMatchObject({
        message_tr: expect.stringContaining(
          `Paketin durumu ${nameStatus(accepted, acceptedWords)}; beklenen durum: ${nameStatus(waiting, waitingWords)}`,
        ),
      });
    },
  );
});

const generate = async (shop: TestClient, package_id: string, at = 0) => {
  const companies = await read(shop, shipping.contractedCompanies);
  return send(shop, shipping.generateCode, { package_id, company_id: companies[at]?.id });
};
const codes = z.object({ shipping_company: z.string(), shippingCode: z.string() });

describe("a shipping code", () => {
  it.each([
    ["same", 200, 1],
    ["refused", 409, 1],
    ["new", 200, 2],
  ] as const)("for a package that has one is %s", async (second, status, count) => {
    const shop = await openShop({ "second-shipping-code": second });
    const { package_id } = await findPackage(shop, 3);

    const first = await generate(shop, package_id);
    const again = await generate(shop, package_id, 1);

    const { effects, repeatedEffects } = shop.sandbox.inspect();
    expect(again.httpStatus).toBe(status);
    expect(effects).toEqual({ "shipping.generateCode": { [package_id]: count } });
    expect(repeatedEffects).toEqual(count > 1 ? effects : {});
    const shown = (await seePackage(shop, package_id))?.shipping;
    const [one, two] = [first, status === 200 ? again : first].map(({ data }) => codes.parse(data));
    expect(shown).toMatchObject({
      shipping_company: two?.shipping_company,
      shipping_discount_code: two?.shippingCode,
    });
    expect(one?.shippingCode === two?.shippingCode).toBe(second !== "new");
  });

  it("is a new one of the same company, too", async () => {
    const shop = await openShop({ "second-shipping-code": "new" });
    const { package_id } = await findPackage(shop, 3);

    const made = [await generate(shop, package_id), await generate(shop, package_id)];

    const [one, two] = made.map(({ data }) => codes.parse(data).shippingCode);
    expect(two).not.toBe(one);
  });

  it.each([
    ["shown", "before", "", ""],
    ["shown", "after", "company", "code"],
    ["company-only", "before", "", "discount"],
    ["company-only", "after", "company", "discount"],
    ["hidden", "before", "chosen", "discount"],
    ["hidden", "after", "chosen", "discount"],
  ] as const)(
    "with %s lists, %s it is generated, the company %j and the code %j",
    async (shown, when, company, code) => {
      const shop = await openShop({ "shipping-code-shown": shown });
      const usual = await openShop({ "shipping-code-shown": "hidden" });
      const { package_id } = await findPackage(shop, 3);
      const chosen = (await seePackage(usual, package_id))?.shipping;

      const { data } = when === "after" ? await generate(shop, package_id) : { data: {} };
      const listed = (await seePackage(shop, package_id))?.shipping;

      const made = codes.partial().parse(data);
      const values = {
        "": "",
        company: made.shipping_company,
        code: made.shippingCode,
        chosen: chosen?.shipping_company,
        discount: chosen?.shipping_discount_code,
      };
      expect([listed?.shipping_company, listed?.shipping_discount_code]).toEqual([
        values[company],
        values[code],
      ]);
    },
  );
});

const addressList = z.array(z.looseObject({ id: z.string() }));

async function createTemplate(shop: TestClient, template_name = "Kırılacak Eşya") {
  const [address] = addressList.parse(await read(shop, shippingTemplate.addresses));
  const [company] = await read(shop, shipping.companies);
  return send(shop, shippingTemplate.create, {
    template_name,
    sender_address: address?.id,
    shipping_time: 2,
    all_country: true,
    shipping_companies: company?.id,
    return_companies: company?.id,
  });
}

describe("a shipping template's name", () => {
  it.each([
    ["repeatable", 200, 2],
    ["unique", 400, 1],
  ] as const)("is %s", async (kind, status, count) => {
    const shop = await openShop({ "template-name": kind });
    await createTemplate(shop);

    const again = await createTemplate(shop);
    const { result } = await read(shop, shippingTemplate.list, { search: "kırılacak" });
    const [first] = (await read(shop, shippingTemplate.list)).result;
    const renamed = await send(shop, shippingTemplate.update, {
      shipping_template_id: first?.id,
      template_name: "Kırılacak Eşya",
    });
    const kept = await send(shop, shippingTemplate.update, {
      shipping_template_id: first?.id,
      template_name: first?.template_name,
    });

    expect([again.httpStatus, renamed.httpStatus, kept.httpStatus]).toEqual([status, status, 200]);
    expect(result).toHaveLength(count);
    expect(shop.sandbox.inspect().effects).toMatchObject({
      "shippingTemplate.create": { "Kırılacak Eşya": count },
    });
    if (kind === "unique") {
      expect(again.data).toMatchObject({
        message: "Invalid input: template_name: is used by another template",
        message_tr: "Geçersiz girdi: template_name: başka bir şablonda kullanılıyor",
      });
    }
  });
});

describe("what listings show of a change", () => {
  const SECOND = 1000;

  const CASES = [
    ["at-once", 0, 0],
    ["two-listings", 2, 0],
    ["ten-seconds", 0, 10 * SECOND],
    ["ten-minutes", 0, 600 * SECOND],
  ] as const;

  it.each(CASES)("with %s is an answer, a move and a template", async (shown, listings, waitMs) => {
    const clock = createFakeClock(START);
    const shop = await openShop({ "change-shown": shown }, { clock });
    const { id } = await findQuestion(shop);
    const { package_id } = await findPackage(shop, 1);
    const look = async () => {
      const { total } = await read(shop, question.list, { answered: "1" });
      const orders = await readOrders(shop, { days: "400", status: "3" });
      const packages = orders.flatMap((one) => one.packages);
      const { result } = await read(shop, shippingTemplate.list, { search: "kırılacak" });
      return [
        total,
        packages.some((one) => one.package_id === package_id && one.status === 3),
        result.length,
      ];
    };

    const sent = [
      await reply(shop, id, "Evet"),
      await send(shop, order.accept, { package_id }),
      await createTemplate(shop),
    ];
    const early = [];
    for (let listing = 0; listing < listings; listing += 1) early.push(await look());
    if (waitMs > 0) {
      await clock.advance(waitMs - 1);
      early.push(await look());
      await clock.advance(1);
    }

    expect(sent.map(({ httpStatus }) => httpStatus)).toEqual([200, 200, 200]);
    expect(early).toEqual(early.map(() => [0, false, 0]));
    expect(await look()).toEqual([1, true, 1]);
    // The state itself is not late: nothing is done twice because a listing is.
    expect((await reply(shop, id, "Evet")).httpStatus).toBe(409);
  });

  it("hides two changes of a package until the second one is shown", async () => {
    const clock = createFakeClock(START);
    const shop = await openShop({ "change-shown": "ten-seconds" }, { clock });
    const { package_id } = await findPackage(shop, 1);

    await send(shop, order.postpone, { package_id, reason: "r" });
    await clock.advance(9 * SECOND);
    await send(shop, order.accept, { package_id });
    await clock.advance(9 * SECOND);
    const between = await seePackage(shop, package_id);
    await clock.advance(SECOND);

    expect(between).toMatchObject({ status: 1 });
    expect(await seePackage(shop, package_id)).toMatchObject({ status: 3 });
  });
});

/** Answers a hundred questions; returns those that another person answered first. */
const playTenth = async (seed: string) => {
  const questions = { count: 100, answeredPercent: 0 };
  const shop = await openShop({ "other-person": "a-tenth" }, { seed, questions });
  const pages = await Promise.all(
    ["1", "2"].map((page) => read(shop, question.list, { limit: "50", page })),
  );
  const ids = pages.flatMap(({ result }) => result.map(({ id }) => id));
  const refused = [];
  for (const id of ids) {
    if ((await reply(shop, id, "Evet")).httpStatus === 409) refused.push(id);
  }
  const { otherPersonEffects } = shop.sandbox.inspect();
  expect(Object.keys(otherPersonEffects["question.reply"] ?? {})).toEqual(refused);
  return refused;
};

describe("another person", () => {
  it("answers and moves by act, over HTTP too, and is counted apart", async () => {
    const shop = await openShop();
    const { id } = await findQuestion(shop);
    const [waiting, accepted] = [await findPackage(shop, 1), await findPackage(shop, 3)];
    const act = (body: unknown) => ask(`${shop.sandbox.baseUrl}/_sandbox/act`, { body });

    shop.sandbox.act({ question: id, message: "Ben yanıtladım" });
    const moved = await act({ package: waiting.package_id, move: "accept" });
    const coded = await act({ package: accepted.package_id, move: "generateCode" });
    const again = await act({ package: waiting.package_id, move: "accept" });
    const unknown = await act({ package: "nobody", move: "accept" });
    const wrong = await act({ package: waiting.package_id, move: "eat" });
    const late = await reply(shop, id, "Evet");

    expect([moved, coded, again, unknown, wrong].map(({ status }) => status)).toEqual([
      200, 200, 409, 404, 400,
    ]);
    expect(late.httpStatus).toBe(409);
    expect(await findQuestion(shop, id)).toMatchObject({ answer: { message: "Ben yanıtladım" } });
    expect(shop.sandbox.inspect()).toMatchObject({
      stats: { byEndpoint: { "question.reply": 1 } },
      otherPersonEffects: {
        "question.reply": { [id]: 1 },
        "order.accept": { [waiting.package_id]: 1 },
        "shipping.generateCode": { [accepted.package_id]: 1 },
      },
    });
    expect(shop.sandbox.inspect().effects).toEqual({});
  });

  it.each([
    ["postpone", 1, 3],
    ["accept", 1, 3],
    ["acceptReturn", 13, 14],
    ["rejectReturn", 13, 14],
  ] as const)("is before each %s with other-person=all", async (move, from, to) => {
    const shop = await openShop({ "other-person": "all" });
    const { package_id } = await findPackage(shop, from);

    const answer = await send(shop, order[move], { package_id, reason: "r", message: "m" });

    expect(answer.httpStatus).toBe(409);
    expect(await seePackage(shop, package_id)).toMatchObject({ status: to });
    expect(shop.sandbox.inspect().effects).toEqual({});
  });

  it("saves a template right before each call, once, and another one of the same name", async () => {
    const shop = await openShop({ "other-person": "all" });
    const [first] = (await read(shop, shippingTemplate.list, {})).result;
    const id = first?.id ?? "";
    const days = first?.shipping_time ?? 0;
    const see = async () => {
      const { result } = await read(shop, shippingTemplate.list, { ids: id });
      return result.map(({ shipping_time, shipping_note }) => [shipping_time, shipping_note]);
    };
    const edit = (note: string) =>
      send(shop, shippingTemplate.update, { shipping_template_id: id, shipping_note: note });

    await edit("bir");
    const once = await see();
    await edit("iki");
    await createTemplate(shop, "Ağır");

    expect(once).toEqual([[days + 1, "bir"]]);
    expect(await see()).toEqual([[days + 1, "iki"]]);
    const { effects, otherPersonEffects } = shop.sandbox.inspect();
    expect(otherPersonEffects).toEqual({
      "shippingTemplate.update": { [id]: 1 },
      "shippingTemplate.create": { Ağır: 1 },
    });
    expect(effects).toEqual({
      "shippingTemplate.update": { [id]: 2 },
      "shippingTemplate.create": { Ağır: 1 },
    });
  });

  it("is there once, and doubles of that person are none of ours", async () => {
    const shop = await openShop({ "other-person": "all", "second-reply": "appended" });
    const [{ id }, other] = [await findQuestion(shop), await findPackage(shop, 1)];

    await reply(shop, id, "Evet");
    await reply(shop, id, "Evet");
    shop.sandbox.act({ question: id });
    await send(shop, order.accept, { package_id: other.package_id });

    const { effects, repeatedEffects, otherPersonEffects } = shop.sandbox.inspect();
    expect(effects).toEqual({ "question.reply": { [id]: 2 } });
    expect(repeatedEffects).toEqual(effects);
    expect(otherPersonEffects).toEqual({
      "question.reply": { [id]: 2 },
      "order.accept": { [other.package_id]: 1 },
    });
  });

  it("doubles nothing of ours", async () => {
    const shop = await openShop({ "second-reply": "overwrites" });
    const { id } = await findQuestion(shop);

    shop.sandbox.act({ question: id });
    shop.sandbox.act({ question: id });

    const { repeatedEffects, otherPersonEffects } = shop.sandbox.inspect();
    expect(repeatedEffects).toEqual({});
    expect(otherPersonEffects).toEqual({ "question.reply": { [id]: 2 } });
  });

  it("is before a tenth of the replies, the same ones for the same seed", async () => {
    const [one, two, other] = [await playTenth("s"), await playTenth("s"), await playTenth("t")];

    expect(one.length).toBeGreaterThan(2);
    expect(one.length).toBeLessThan(25);
    expect(two).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

describe("a snapshot of actions", () => {
  it("continues with codes, second answers, moves and counts in another sandbox", async () => {
    const personality = { "second-reply": "appended", "second-shipping-code": "new" } as const;
    const first = await openShop(personality);
    const { id } = await findQuestion(first);
    const { package_id } = await findPackage(first, 3);
    for (const message of ["Bir", "İki"]) await reply(first, id, message);
    await generate(first, package_id);
    const saved = await ask(`${first.sandbox.baseUrl}/_sandbox/snapshot`);

    const second = await openTestClient({ clock: createFakeClock(START + 1), personality });
    const body: unknown = JSON.parse(saved.text);
    await ask(`${second.sandbox.baseUrl}/_sandbox/restore`, { body });
    const { effects, repeatedEffects } = second.sandbox.inspect();

    expect(effects).toEqual(first.sandbox.inspect().effects);
    expect(effects).toEqual({
      "question.reply": { [id]: 2 },
      "shipping.generateCode": { [package_id]: 1 },
    });
    expect(repeatedEffects).toEqual({ "question.reply": { [id]: 2 } });
    const again = await ask(`${second.sandbox.baseUrl}/_sandbox/snapshot`);
    expect(JSON.parse(again.text)).toMatchObject({ market: JSON.parse(saved.text).market });
    second.sandbox.reset();
    expect(second.sandbox.inspect().effects).toEqual({});
  });
});
