import { createFakeClock } from "@catalog/clock/testing";
import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { findPackage, read, send } from "../helpers/market.ts";
import { openTestClient, type TestClient } from "../helpers/test-client.ts";

const { shipping, shippingTemplate } = endpoints;

const addressList = z.array(z.looseObject({ id: z.string() }));

async function createBody(shop: TestClient): Promise<Record<string, unknown>> {
  const [first] = addressList.parse(await read(shop, shippingTemplate.addresses));
  const companies = await read(shop, shipping.companies);
  return {
    template_name: "Kırılacak Eşya",
    sender_address: first?.id,
    shipping_time: 2,
    all_country: true,
    shipping_companies: companies.slice(0, 2).map(({ id }) => id),
    return_companies: companies[0]?.id,
  };
}

describe("the shipping template calls", () => {
  it("create a template with the specification's defaults, which products can use", async () => {
    const shop = await openTestClient({ clock: createFakeClock(5000) });

    const answer = await send(shop, shippingTemplate.create, await createBody(shop));

    const { result } = await read(shop, shippingTemplate.list, { search: "kirilacak" });
    expect(answer.data).toEqual({ success: true });
    expect(result).toMatchObject([
      {
        template_name: "Kırılacak Eşya",
        free_shipping: true,
        use_contractred_company: false,
        common_address: true,
        conditional_shipping: false,
        shipping_with_together: false,
        sender_address: { title: "Merkez Depo" },
        return_address: { title: "Merkez Depo" },
        shipping_companies: [{ name: "Örnek Kargo" }, { name: "Deneme Lojistik" }],
        return_companies: [{ name: "Örnek Kargo" }],
        created_at: "1970-01-01T00:00:05.000Z",
      },
    ]);
    await expect(shop.add({ shipping_template_id: result[0]?.id })).resolves.toMatch(/./u);
  });

  it("change a template field by field", async () => {
    const shop = await openTestClient();
    const { result } = await read(shop, shippingTemplate.list);
    const [before] = result;

    await send(shop, shippingTemplate.update, {
      shipping_template_id: before?.id,
      all_country: false,
      suitable_cities: ["06", "izmir"],
    });
    const narrow = await read(shop, shippingTemplate.list, { ids: before?.id ?? "" });
    await send(shop, shippingTemplate.update, {
      shipping_template_id: before?.id,
      all_country: true,
    });
    const wide = await read(shop, shippingTemplate.list, { ids: before?.id ?? "" });

    expect(narrow.result).toEqual([
      { ...before, all_country: false, suitable_cities: ["Ankara", "İzmir"] },
    ]);
    expect(wide.result).toEqual([before]);
  });

  it("keep a separate return address where it is not common", async () => {
    const shop = await openTestClient();
    const addresses = addressList.parse(await read(shop, shippingTemplate.addresses));
    const body = { ...(await createBody(shop)), common_address: false };

    const missing = await send(shop, shippingTemplate.create, body);
    await send(shop, shippingTemplate.create, { ...body, return_address: addresses[2]?.id });

    const { result } = await read(shop, shippingTemplate.list, { search: "kırılacak" });
    expect(missing.httpStatus).toBe(400);
    expect(missing.data).toMatchObject({ message: expect.stringContaining("return_address:") });
    expect(result).toMatchObject([{ return_address: { title: "İade Deposu" } }]);
  });

  it.each([
    [{ sender_address: "a" }, "sender_address"],
    [{ shipping_companies: ["c"] }, "shipping_companies"],
    [{ return_companies: "c" }, "return_companies"],
    [{ all_country: false, suitable_cities: ["82"] }, "suitable_cities"],
    [{ min_price: 5 }, "min_price"],
  ])("refuse %o", async (changes, field) => {
    const shop = await openTestClient();

    const body = { ...(await createBody(shop)), ...changes };
    const answer = await send(shop, shippingTemplate.create, body);

    expect(answer.httpStatus).toBe(400);
    expect(answer.data).toMatchObject({ message: expect.stringContaining(`${field}:`) });
  });

  it("refuse to change an unknown template, and a reset removes new ones", async () => {
    const shop = await openTestClient();
    const { total } = await read(shop, shippingTemplate.list);
    await send(shop, shippingTemplate.create, await createBody(shop));

    const unknown = await send(shop, shippingTemplate.update, { shipping_template_id: "t" });
    const more = await read(shop, shippingTemplate.list);
    shop.sandbox.reset();

    expect(unknown.httpStatus).toBe(404);
    expect(more.total).toBe(total + 1);
    expect(await read(shop, shippingTemplate.list)).toMatchObject({ total });
  });
});

describe("the shipping calls", () => {
  it("list all companies and those with a contract", async () => {
    const shop = await openTestClient();

    const all = await read(shop, shipping.companies);
    const contracted = await read(shop, shipping.contractedCompanies);

    expect(contracted).toEqual(all.filter((one) => one.has_contract_with_platform));
    expect(contracted.length).toBeLessThan(all.length);
  });

  it("return a price of every contracted company for a package", async () => {
    const shop = await openTestClient();
    const { package_id } = await findPackage(shop, 1);
    const contracted = await read(shop, shipping.contractedCompanies);

    const prices = await read(shop, shipping.prices, { package_id });

    expect(prices.map(({ id }) => id)).toEqual(contracted.map(({ id }) => id));
    expect(prices.every(({ price }) => price > 5000)).toBe(true);
    expect(await read(shop, shipping.prices, { package_id })).toEqual(prices);
  });

  it("give an accepted package a code, the same one each time", async () => {
    const shop = await openTestClient();
    const { package_id } = await findPackage(shop, 3);
    const [company] = await read(shop, shipping.contractedCompanies);
    const body = { package_id, company_id: company?.id };

    const first = await send(shop, shipping.generateCode, body);
    const second = await send(shop, shipping.generateCode, body);

    expect(first.data).toEqual({
      shipping_company: company?.name,
      shippingCode: expect.stringMatching(/^[0-9A-F]{2}\d{12}$/u),
    });
    expect(second.data).toEqual(first.data);
  });

  it("give no code before a package is accepted, or for a company without a contract", async () => {
    const shop = await openTestClient();
    const [waiting, ready] = [await findPackage(shop, 1), await findPackage(shop, 4)];
    const all = await read(shop, shipping.companies);
    const [first, last] = [all[0]?.id, all.at(-1)?.id];

    const early = await send(shop, shipping.generateCode, {
      package_id: waiting.package_id,
      company_id: first,
    });
    const other = await send(shop, shipping.generateCode, {
      package_id: ready.package_id,
      company_id: last,
    });

    expect([early.httpStatus, other.httpStatus]).toEqual([409, 400]);
    expect((await findPackage(shop, 4)).package_id).toBe(ready.package_id);
  });
});
