/** Orders and questions of the start in wanted numbers. */

import { createFakeClock } from "@catalog/clock/testing";
import { endpoints, type Order, type Question } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { startSandbox } from "../src/index.ts";
import { read, readOrders } from "./helpers/market.ts";
import { openTestClient, shareSandbox, type TestClient } from "./helpers/test-client.ts";

const START = Date.UTC(2026, 4, 1, 9);
const DAY_MS = 24 * 60 * 60 * 1000;
const FORMULA = /^[=+\-@\t]/u;

const openLarge = shareSandbox({
  clock: createFakeClock(START),
  products: 40,
  orders: { packages: 2000, days: 10 },
  questions: { count: 2000, days: 10 },
});

/** Read once, since nothing changes them. */
let orders: Promise<readonly Order[]> | undefined;
const readAllOrders = (): Promise<readonly Order[]> =>
  (orders ??= readOrders(openLarge(), { days: "400" }));

async function readQuestions(shop: TestClient): Promise<readonly Question[]> {
  const found: Question[] = [];
  for (let page = 1; ; page += 1) {
    const query = { limit: "50", page: String(page) };
    const { total, result } = await read(shop, endpoints.question.list, query);
    found.push(...result);
    if (found.length >= total || result.length === 0) return found;
  }
}

let questions: Promise<readonly Question[]> | undefined;
const readAllQuestions = (): Promise<readonly Question[]> =>
  (questions ??= readQuestions(openLarge()));

const openWaiting = () =>
  openTestClient({
    clock: createFakeClock(START),
    orders: { packages: 60, statuses: [1] },
  });

describe("2,000 packages", () => {
  it("have ids of their own, one to four items, and orders with several of them", async () => {
    const all = await readAllOrders();

    const packages = all.flatMap((one) => one.packages);
    const items = new Set(packages.map((one) => one.items?.length));
    expect(new Set(packages.map(({ package_id }) => package_id)).size).toBe(2000);
    expect(items).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(all.map((one) => one.packages.length))).toEqual(new Set([1, 2, 3]));
  });

  it("are of the given days, in every status, many waiting or coming back", async () => {
    const all = await readAllOrders();

    const times = all.map(({ order_date }) => Date.parse(order_date ?? ""));
    const byStatus = Map.groupBy(
      all.flatMap((one) => one.packages),
      ({ status }) => status ?? 0,
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(START - 10 * DAY_MS);
    expect(Math.max(...times)).toBeLessThanOrEqual(START);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(9 * DAY_MS);
    expect([...byStatus.keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, n) => n + 1),
    );
    expect(byStatus.get(1)?.length).toBeGreaterThan(400);
    expect(byStatus.get(13)?.length).toBeGreaterThan(150);
  });

  it("have some buyers and addresses that a spreadsheet would take for a formula", async () => {
    const texts = (await readAllOrders()).map((one) => one.shipping_address ?? "");

    expect(texts.filter((text) => FORMULA.test(text)).length).toBeGreaterThan(20);
    expect(texts.filter((text) => text.includes("\n")).length).toBeGreaterThan(5);
    expect(texts.some((text) => text.includes("🏠"))).toBe(true);
  });

  it("all wait where they are to, and are the same for the same start", async () => {
    const [one, two] = [await openWaiting(), await openWaiting()];

    const found = await readOrders(one, { days: "31" });

    const packages = found.flatMap((order) => order.packages);
    expect(packages).toHaveLength(60);
    expect(new Set(packages.map(({ status }) => status))).toEqual(new Set([1]));
    expect(await readOrders(two, { days: "31" })).toEqual(found);
  });
});

describe("2,000 questions", () => {
  it("are of the given days, of products and the store, some answered, newest first", async () => {
    const all = await readAllQuestions();

    const times = all.map(({ created_at }) => Date.parse(String(created_at)));
    const answered = all.filter(({ answer }) => answer !== null).length;
    expect(new Set(all.map(({ id }) => id)).size).toBe(2000);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(START - 10 * DAY_MS);
    expect(new Set(all.map((one) => one.question_for))).toEqual(new Set(["product", "store"]));
    expect(answered).toBeGreaterThan(600);
    expect(answered).toBeLessThan(900);
  });

  it("have some texts that are long, emoji, formulas or of several lines", async () => {
    const texts = (await readAllQuestions()).map(({ message }) => message ?? "");

    expect(texts.filter((text) => FORMULA.test(text)).length).toBeGreaterThan(50);
    expect(texts.filter((text) => text.length > 1000).length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes("😍")).length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes("\n")).length).toBeGreaterThan(5);
  });

  it.each([0, 100])("are answered to %i %%", async (answeredPercent) => {
    const shop = await openTestClient({
      clock: createFakeClock(START),
      questions: { count: 60, answeredPercent, days: 400 },
    });

    const { total } = await read(shop, endpoints.question.list, { answered: "1" });

    expect(total).toBe((60 * answeredPercent) / 100);
  });
});

describe("numbers of orders and questions", () => {
  it("may be none", async () => {
    const shop = await openTestClient({ orders: { packages: 0 }, questions: { count: 0 } });

    expect(await readOrders(shop, { days: "400" })).toEqual([]);
    expect(await read(shop, endpoints.question.list)).toEqual({ total: 0, result: [] });
  });

  it.each([
    [{ orders: { packages: -1 } }, "packages must be a whole number from 0, not -1"],
    [{ questions: { count: 1.5 } }, "questions must be a whole number from 0, not 1.5"],
  ])("are refused where they are none: %j", async (options, message) => {
    await expect(startSandbox(options)).rejects.toThrow(message);
  });
});
