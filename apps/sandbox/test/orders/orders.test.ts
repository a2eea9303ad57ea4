import { createFakeClock } from "@catalog/clock/testing";
import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { paymentStatusOf } from "../../src/orders/payments.ts";
import { MOVES, statusAfter, STATUSES } from "../../src/orders/statuses.ts";
import { findPackage, read, readOrders, send } from "../helpers/market.ts";
import { openTestClient } from "../helpers/test-client.ts";

describe("statusAfter", () => {
  const codes = [...STATUSES.keys()];

  it.each(["postpone", "accept", "acceptReturn", "rejectReturn", "generateCode"] as const)(
    "allows %s only from its own statuses",
    (move) => {
      const { from, to } = MOVES[move];

      for (const code of codes.filter((one) => from.includes(one))) {
        expect(statusAfter(move, code)).toBe(to);
      }
      for (const code of codes.filter((one) => !from.includes(one))) {
        expect(() => statusAfter(move, code)).toThrow(`The package has status ${code} (`);
      }
    },
  );
});

describe("paymentStatusOf", () => {
  it.each([
    [1, undefined],
    [2, undefined],
    [3, 1],
    [8, 1],
    [9, 2],
    [10, 1],
    [11, 3],
    [12, 3],
    [13, 1],
    [14, 3],
    [15, 1],
    [16, 3],
  ])("gives a package with status %i the payment status %s", (status, expected) => {
    expect(paymentStatusOf(status)).toBe(expected);
  });
});

const { order, payment } = endpoints;
const DAY = 24 * 60 * 60;
const HOUR_MS = 60 * 60 * 1000;
const START = Date.UTC(2026, 4, 1, 9);

const openShop = () => openTestClient({ clock: createFakeClock(START), products: 5 });

describe("order status codes", () => {
  it("are sixteen, explained in Turkish", async () => {
    const codes = await read(await openShop(), order.statusCodes);

    expect(codes.map(({ code }) => code)).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
    expect(codes[0]).toEqual({ code: 1, description: "Onay bekliyor" });
    expect(codes[15]).toEqual({ code: 16, description: "İade tamamlandı" });
  });

  it("each occur in a package of the start", async () => {
    const shop = await openShop();

    const packages = (await readOrders(shop, { days: "400" })).flatMap((one) => one.packages);

    const used = new Set(packages.map(({ status }) => status));
    expect([...used].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      Array.from({ length: 16 }, (_, n) => n + 1),
    );
  });
});

describe("the order listing", () => {
  it("goes back the given number of days, newest first", async () => {
    const shop = await openShop();

    const dates = (await readOrders(shop, { days: "3" })).map((one) => one.order_date ?? "");

    expect(dates.length).toBeGreaterThan(5);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(Date.parse(dates.at(-1) ?? "")).toBeGreaterThanOrEqual(START - 3 * DAY * 1000);
  });

  it("takes a period of two dates, which days overrides", async () => {
    const shop = await openShop();
    const [end_date, start_date] = [START / 1000 - 10 * DAY, START / 1000 - 20 * DAY].map(String);
    const period = { start_date: start_date ?? "", end_date: end_date ?? "" };

    const dates = (await readOrders(shop, period)).map((one) => Date.parse(one.order_date ?? ""));
    const both = await readOrders(shop, { ...period, days: "3" });

    expect(dates.length).toBeGreaterThan(10);
    expect(Math.max(...dates)).toBeLessThan(START - 10 * DAY * 1000 + 1000);
    expect(Math.min(...dates)).toBeGreaterThanOrEqual(START - 20 * DAY * 1000);
    expect(both).toEqual(await readOrders(shop, { days: "3" }));
  });

  it.each([{}, { start_date: "1" }, { end_date: "1" }, { updates_only: "1" }, { status: "3" }])(
    "refuses %o, which is no period",
    async (query) => {
      const shop = await openShop();

      const answer = await shop.get(`/v1.1/order/store/${shop.sandbox.storeId}`, query);

      expect(answer.httpStatus).toBe(400);
    },
  );

  it("filters by the status of a package, where 0 means not yet approved", async () => {
    const shop = await openShop();

    const waiting = await readOrders(shop, { days: "400", status: "1" });
    const zero = await readOrders(shop, { days: "400", status: "0" });

    expect(waiting.length).toBeGreaterThan(2);
    for (const { packages } of waiting) {
      expect(packages.map(({ status }) => status)).toContain(1);
    }
    expect(zero).toEqual(waiting);
  });

  it("has consistent amounts", async () => {
    const shop = await openShop();

    for (const one of await readOrders(shop, { days: "30" })) {
      const items = one.packages.flatMap((pack) => pack.items ?? []);
      const paid = items.reduce((sum, item) => sum + (item.paid_amount ?? 0), 0);
      expect(one.total_price).toBe(paid + (one.total_shipping_price ?? 0));
      for (const item of items) {
        expect(item.paid_amount).toBe(
          (item.store_payout_amount ?? 0) + (item.platform_commission_amount ?? 0),
        );
      }
    }
  });

  it("is the same for the same start", async () => {
    const [one, two] = [await openShop(), await openShop()];

    expect(await readOrders(one, { days: "90" })).toEqual(await readOrders(two, { days: "90" }));
  });

  it("shows recent changes with updates_only, however old the order is", async () => {
    const clock = createFakeClock(START);
    const shop = await openTestClient({ clock });
    const { package_id } = await findPackage(shop, 13);
    await clock.advance(5 * HOUR_MS);
    const idsOf = async (updates_only: string): Promise<readonly string[]> => {
      const found = await readOrders(shop, { days: "1", updates_only });
      return found.flatMap(({ packages }) => packages.map((one) => one.package_id));
    };
    const before = await idsOf("1");

    await send(shop, order.acceptReturn, { package_id, message: "Tamam" });

    expect(before).not.toContain(package_id);
    expect(await idsOf("1")).toContain(package_id);
    expect(await idsOf("0")).not.toContain(package_id);
  });
});

describe("a package of an order", () => {
  const moves = [
    ["postpone", 1, 2],
    ["accept", 1, 3],
    ["accept", 2, 3],
    ["acceptReturn", 13, 14],
    ["rejectReturn", 13, 15],
  ] as const;

  it.each(moves)("moves by %s from status %i to %i", async (move, from, to) => {
    const shop = await openShop();
    const { package_id } = await findPackage(shop, from);

    const answer = await send(shop, order[move], { package_id, reason: "r", message: "m" });
    const again = await send(shop, order[move], { package_id, reason: "r", message: "m" });

    const packages = (await readOrders(shop, { days: "400" })).flatMap((one) => one.packages);
    const moved = packages.find((one) => one.package_id === package_id);
    expect(answer.data).toMatchObject({ status: "success" });
    expect(moved?.status).toBe(to);
    expect(moved?.items?.map(({ status }) => status)).toEqual(moved?.items?.map(() => to));
    expect(again.httpStatus).toBe(409);
  });

  it.each([
    ["postpone", 3],
    ["accept", 9],
    ["acceptReturn", 8],
    ["rejectReturn", 14],
  ] as const)("is not moved by %s from status %i, and the refusal says why", async (move, from) => {
    const shop = await openShop();
    const { package_id } = await findPackage(shop, from);

    const answer = await send(shop, order[move], { package_id, reason: "r", message: "m" });

    expect(answer.httpStatus).toBe(409);
    expect(answer.data).toMatchObject({
      status: false,
      message: expect.stringContaining(`The package has status ${from} (`),
      message_tr: expect.stringContaining("beklenen durum"),
    });
    expect((await findPackage(shop, from)).package_id).toBe(package_id);
  });

  it("is answered with 404 when it is unknown", async () => {
    const answer = await send(await openShop(), order.accept, { package_id: "k" });

    expect(answer).toMatchObject({ httpStatus: 404, data: { message_tr: "Paket bulunamadı" } });
  });

  it.each([
    ["postpone", { package_id: "k" }],
    ["acceptReturn", { package_id: "k" }],
    ["rejectReturn", { package_id: "k", message: "m" }],
    ["accept", {}],
  ] as const)("is not moved by %s with only %o", async (move, body) => {
    const answer = await send(await openShop(), order[move], body);

    expect(answer.httpStatus).toBe(400);
  });

  it("changes its payments when it moves, and is restored by a reset", async () => {
    const shop = await openShop();
    const { package_id, items = [] } = await findPackage(shop, 13);
    const code = items?.[0]?.order_number?.split("-")[0] ?? "";
    const statuses = async (): Promise<readonly unknown[]> => {
      const { result } = await read(shop, payment.list, { order_code: code });
      return result.map(({ status }) => status);
    };
    const before = await statuses();

    await send(shop, order.acceptReturn, { package_id, message: "m" });
    const after = await statuses();
    shop.sandbox.reset();

    expect(before).toContain("Hesaba aktarılacak");
    expect(after).toContain("İptal edildi");
    expect(await statuses()).toEqual(before);
  });
});
