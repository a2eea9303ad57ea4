import { createFakeClock } from "@catalog/clock/testing";
import { endpoints, type Payment, type Question } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createStatsCounter } from "../src/market-state.ts";
import { read, send } from "./helpers/market.ts";
import { openTestClient, shareSandbox, type TestClient } from "./helpers/test-client.ts";

const { question, payment, city, product } = endpoints;
const START = Date.UTC(2026, 4, 1, 9);

/** Shared by all tests of this file, none of which changes its state. */
const openShop = shareSandbox({ clock: createFakeClock(START), products: 40 });

const PAGES = Array.from({ length: 40 }, (_, n) => String(n + 1));

async function readQuestions(shop: TestClient): Promise<readonly Question[]> {
  const pages = await Promise.all(
    PAGES.slice(0, 4).map((page) => read(shop, question.list, { limit: "50", page })),
  );
  return pages.flatMap(({ result }) => result);
}

async function readPayments(shop: TestClient): Promise<readonly Payment[]> {
  const pages = await Promise.all(
    PAGES.map((page) => read(shop, payment.list, { limit: "50", page })),
  );
  return pages.flatMap(({ result }) => result);
}

/** Read once, because every filter is compared with the whole listing. */
let payments: Promise<readonly Payment[]> | undefined;
const readAllPayments = (): Promise<readonly Payment[]> => (payments ??= readPayments(openShop()));

const paid = ({ total_paid_price }: Payment): number => Number(total_paid_price);
const payout = ({ store_payout }: Payment): number => Number(store_payout);

describe("questions", () => {
  it("are about products or the store, some answered, newest first", async () => {
    const all = await readQuestions(openShop());

    expect(all).toHaveLength(160);
    expect(new Set(all.map((one) => one.question_for))).toEqual(new Set(["product", "store"]));
    expect(all.filter((one) => one.answer === null).length).toBeGreaterThan(20);
    const dates = all.map((one) => String(one.created_at));
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  it.each([
    [{ answered: "1" }, (one: Question) => one.answer !== null],
    [{ unanswered: "1" }, (one: Question) => one.answer === null],
    [{ answered: "1", unanswered: "1" }, () => true],
    [{ questions_for_product: "1" }, (one: Question) => one.product !== undefined],
    [{ questions_for_store: "1" }, (one: Question) => one.product === undefined],
    [{ title: "KARGO" }, (one: Question) => one.title === "Kargo"],
    [{ start_date: "1770000000" }, (one: Question) => String(one.created_at) >= "2026-02-02T02:40"],
    [{ end_date: "1770000000" }, (one: Question) => String(one.created_at) < "2026-02-02T02:40:01"],
  ])("are filtered by %o", async (query, fits) => {
    const shop = openShop();
    const expected = (await readQuestions(shop)).filter(fits);

    const { total, result } = await read(shop, question.list, { ...query, limit: "50" });

    expect(expected.length).toBeGreaterThan(0);
    expect(total).toBe(expected.length);
    expect(result).toEqual(expected.slice(0, 50));
  });

  it("can be answered only once", async () => {
    const clock = createFakeClock(START);
    const shop = await openTestClient({ clock });
    const { result } = await read(shop, question.list, { unanswered: "1" });
    const [open] = result;
    await clock.advance(60_000);
    const body = { product_question_id: open?.id, title: "Yanıt", message: "Evet 👍" };

    const first = await send(shop, question.reply, body);
    const second = await send(shop, question.reply, body);
    const unknown = await send(shop, question.reply, { ...body, product_question_id: "q" });

    const answered = (await readQuestions(shop)).find(({ id }) => id === open?.id);
    const created_at = "2026-05-01T09:01:00.000Z";
    expect(first.data).toEqual({ success: true });
    expect([second.httpStatus, unknown.httpStatus]).toEqual([409, 404]);
    expect(answered).toEqual({
      ...open,
      answer: { title: "Yanıt", message: "Evet 👍", created_at },
      updated_at: created_at,
    });
    shop.sandbox.reset();
    expect(await read(shop, question.list, { unanswered: "1" })).toMatchObject({ result });
  });
});

describe("payments", () => {
  it("have three statuses; only transferred ones have a payment date", async () => {
    const all = await readAllPayments();

    const byStatus = Map.groupBy(all, ({ status }) => status);
    expect(new Set(byStatus.keys())).toEqual(
      new Set(["Hesaba aktarılacak", "Hesaba aktarıldı", "İptal edildi"]),
    );
    for (const { status, payment_date } of all) {
      expect(payment_date !== null).toBe(status === "Hesaba aktarıldı");
    }
  });

  it.each([
    [{ status: "1" }, (one: Payment) => one.status === "Hesaba aktarılacak"],
    [{ status: "2" }, (one: Payment) => one.status === "Hesaba aktarıldı"],
    [{ status: "3" }, (one: Payment) => one.status === "İptal edildi"],
    [{ customer_name: "ayse" }, (one: Payment) => one.customer_name?.startsWith("Ayşe") === true],
    [{ shipping_price: "7990" }, (one: Payment) => one.shipping_price === "7990"],
    [{ max_shipping_price: "1" }, (one: Payment) => one.shipping_price === "0"],
    [{ min_total_paid_price: "200000" }, (one: Payment) => paid(one) >= 200_000],
    [{ max_total_paid_price: "50000.5" }, (one: Payment) => paid(one) <= 50_000],
    [
      { min_store_payout: "20000", max_store_payout: "40000" },
      (one: Payment) => payout(one) >= 20_000 && payout(one) <= 40_000,
    ],
    [{ start_date: "1776000000" }, (one: Payment) => String(one.created_at) >= "2026-04-12T13:20"],
  ])("are filtered by %o", async (query, fits) => {
    const shop = openShop();
    const expected = (await readAllPayments()).filter(fits);

    const { total, result } = await read(shop, payment.list, { ...query, limit: "50" });

    expect(expected.length).toBeGreaterThan(0);
    expect(total).toBe(expected.length);
    expect(result).toEqual(expected.slice(0, 50));
  });

  it("are found by order, by ids and by exact amounts", async () => {
    const shop = openShop();
    const [, , third] = await readAllPayments();
    const queries = {
      ids: third?.id,
      order_code: third?.order_code,
      total_paid_price: third?.total_paid_price,
      store_payout: third?.store_payout,
    };

    const answers = await Promise.all(
      Object.entries(queries).map(([name, value]) =>
        read(shop, payment.list, { [name]: String(value) }),
      ),
    );

    expect(answers.map(({ result }) => result.some((one) => one.id === third?.id))).toEqual(
      answers.map(() => true),
    );
    expect(answers[0]?.total).toBe(1);
    expect(new Set(answers[1]?.result.map((one) => one.order_code))).toEqual(
      new Set([third?.order_code]),
    );
  });

  it.each([{ status: "4" }, { order_code: "x" }, { store_payout: "" }])(
    "are refused for the query %o",
    async (query) => {
      const shop = openShop();

      const answer = await shop.get(`/v1.0/payment/store/${shop.sandbox.storeId}`, query);

      expect(answer.httpStatus).toBe(400);
    },
  );
});

describe("cities", () => {
  it("are the 81 provinces with their districts", async () => {
    const cities = await read(openShop(), city.list);

    expect(cities.map(({ id }) => id)).toEqual(
      Array.from({ length: 81 }, (_, n) => String(n + 1).padStart(2, "0")),
    );
    expect(cities.every(({ districts }) => (districts?.length ?? 0) >= 3)).toBe(true);
    expect(cities[33]).toMatchObject({
      name: "İstanbul",
      districts: expect.arrayContaining([expect.objectContaining({ name: "Kadıköy" })]),
    });
  });
});

describe("product search", () => {
  it("finds approved products of the own store and of others", async () => {
    const shop = openShop();
    const ours = shop.sandbox.products();
    const [approved, passive] = [ours[0], ours.find(({ status }) => status === "passive")];
    const find = (search_key = "", type = "b2c") =>
      read(shop, product.search, { type, search_key, limit: "50" });

    const found = await find(approved?.title.toLocaleUpperCase("tr"));
    const hidden = await find(passive?.title);
    const others = await find("a");
    const consumers = await find("a", "c2c");

    expect(found.result[0]).toMatchObject({
      id: approved?.id,
      category_id: approved?.category_id,
      store_name: "Sandbox Mağazası",
    });
    expect(hidden.result.map(({ id }) => id)).not.toContain(passive?.id);
    expect(new Set(others.result.map((one) => one.store_name)).size).toBeGreaterThan(1);
    expect(consumers.total).toBeGreaterThan(50);
    expect(consumers.result.map(({ id }) => id)).not.toContain(approved?.id);
  });

  it.each([{ search_key: "a" }, { type: "b2c" }, { type: "c2b", search_key: "a" }])(
    "is refused for the query %o",
    async (query) => {
      const shop = openShop();

      const answer = await shop.get("/v1.1/product/search", query);

      expect(answer.httpStatus).toBe(400);
    },
  );
});

describe("createStatsCounter", () => {
  it("counts until it is reset", () => {
    const stats = createStatsCounter();
    stats.countRequest("product.add");
    stats.countRequest("product.add");
    stats.countRequest(undefined);
    stats.count("adds");

    const counted = stats.read();
    stats.reset();

    expect(counted).toEqual({
      adds: 1,
      updates: 0,
      tokens: 0,
      requests: 3,
      byEndpoint: { "product.add": 2 },
    });
    expect(stats.read()).toEqual({
      adds: 0,
      updates: 0,
      tokens: 0,
      requests: 0,
      byEndpoint: {},
    });
  });
});
