/**
 * Contract of a client and a marketplace with any behavior: every call of the contract is made with
 * valid input, and its answer is used for the next one.
 */

import {
  type Client,
  type ClientOptions,
  createClient,
  createMemoryTokenCache,
} from "@catalog/client";
import { PermissionError } from "@catalog/client/errors";
import { endpoints, type OrderPackage, toOrders, idSchemas, type Id } from "@catalog/contract";
import type { Sandbox } from "@catalog/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";

/** Starts a marketplace with at least 60 products for one test. */
export type OpenMarketplace = () => Promise<Sandbox>;

interface Shop {
  readonly sandbox: Sandbox;
  readonly client: Client;
  /** Creates another client, of this store. */
  readonly enter: (storeId: Id<"store">) => Client;
}

/** Differences of a marketplace from one in which every call works without settings. */
export interface Habits {
  /** Version prefixes for the client. */
  readonly versions?: NonNullable<ClientOptions["versions"]>;
  /** Error of the client by the part of the suite that ends in it. */
  readonly impossible?: Readonly<Partial<Record<Part, ErrorClass>>>;
}

type ErrorClass = new (...given: never[]) => Error;

type Part =
  | "reads orders and moves their packages"
  | "adds, changes and finds products"
  | "reads comments in three ways"
  | "reads categories, brands, models and properties"
  | "creates and changes shipping templates"
  | "quotes prices and generates a code"
  | "reads and answers questions"
  | "reads payments and cities"
  | "is told who refused a store service";

const PARTS: Readonly<Record<Part, (shop: Shop) => Promise<void>>> = {
  "reads orders and moves their packages": moveOrders,
  "adds, changes and finds products": changeProducts,
  "reads comments in three ways": readComments,
  "reads categories, brands, models and properties": readCatalog,
  "creates and changes shipping templates": changeTemplates,
  "quotes prices and generates a code": shipPackage,
  "reads and answers questions": answerQuestion,
  "reads payments and cities": readRecords,
  "is told who refused a store service": meetClosedStore,
};

/** Runs the suite; `name` is the kind of marketplace. */
export function testClient(name: string, open: OpenMarketplace, habits: Habits = {}): void {
  const impossible = new Map<string, ErrorClass>(Object.entries(habits.impossible ?? {}));
  /** Calls that the tests have made; the last test checks that none is missing. */
  const called = new Set<string>();
  const visit = async (test: (shop: Shop) => Promise<void>): Promise<void> => {
    const sandbox = await open();
    const enter = (storeId = sandbox.storeId): Client => connect(sandbox, storeId, habits);
    await test({ sandbox, enter, client: enter() });
    for (const call of Object.keys(sandbox.stats().byEndpoint)) called.add(call);
  };

  describe(`the client with ${name}`, () => {
    for (const [title, part] of Object.entries(PARTS)) {
      const expected = impossible.get(title);
      if (expected === undefined) it(title, () => visit(part));
      else {
        it(`${title}, or ends in a ${expected.name}`, () =>
          visit((shop) => expect(part(shop)).rejects.toBeInstanceOf(expected)));
      }
    }

    it.skipIf(impossible.size > 0)("has made every call of the contract", () => {
      const rows = Object.entries(endpoints).flatMap(([resource, named]: [string, object]) =>
        Object.keys(named).map((row) => `${resource}.${row}`),
      );

      expect([...called].toSorted((a, b) => a.localeCompare(b))).toEqual(
        rows.toSorted((a, b) => a.localeCompare(b)),
      );
    });
  });
}

function connect(sandbox: Sandbox, storeId: Id<"store">, { versions = {} }: Habits): Client {
  const { baseUrl, clientKey, clientSecret } = sandbox;
  const credentials = { clientKey, clientSecret };
  const tokens = createMemoryTokenCache();
  const client = createClient({ baseUrl, credentials, storeId, tokens, versions });
  onTestFinished(() => client.close());
  return client;
}

/** A package in the given status; orders go back a year. */
async function packageIn(client: Client, status: number): Promise<OrderPackage> {
  const listing = await client.order.list({ days: 365, status });
  return assertFound(
    toOrders(listing)
      .flatMap(({ packages }) => packages)
      .find((one) => one.status === status),
  );
}

function assertFound<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error("the marketplace has nothing to test with");
  return thing;
}

async function moveOrders({ client }: Shop): Promise<void> {
  const codes = await client.order.statusCodes({});
  const [waiting, returned] = [await packageIn(client, 1), await packageIn(client, 13)];

  const { package_id } = waiting;
  await client.order.postpone({ package_id, reason: "Stok bekleniyor" });
  const postponed = await packageIn(client, 2);
  await client.order.accept({ package_id });
  await client.order.acceptReturn({ package_id: returned.package_id, message: "Geldi" });
  const other = await packageIn(client, 13);
  await client.order.rejectReturn({ package_id: other.package_id, reason: "Kullanılmış" });

  expect(codes).toHaveLength(16);
  expect(postponed.status).toBe(2);
  const accepted = toOrders(await client.order.list({ days: 1, updates_only: 1 }));
  const moved = accepted.flatMap(({ packages }) => packages);
  for (const [id, status] of [
    [package_id, 3],
    [returned.package_id, 14],
    [other.package_id, 15],
  ] as const) {
    expect(moved.find((one) => one.package_id === id)?.status).toBe(status);
  }
}

async function changeProducts({ sandbox, client }: Shop): Promise<void> {
  const known = assertFound(sandbox.products()[0]);
  const { id: _id, sid: _sid, status: _status, addedAtMs: _added, ...product } = known;

  const added = await client.product.add({
    ...product,
    title: "Sözleşme Kaşığı",
    product_code: "SOZ-1",
  });
  const id = idSchemas.product.parse(added.product_id);
  sandbox.approve();
  await client.product.update({ product_id: id, title: "Sözleşme Çatalı" });

  const listed = await client.product.list({ ids: [id] });
  expect(added.status).toBe(true);
  expect(listed.result).toMatchObject([{ id, title: "Sözleşme Çatalı" }]);
  const all = await Array.fromAsync(client.product.list.items({}));
  expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(40);
  const found = await client.product.search({ type: "b2c", search_key: "sözleşme" });
  expect(found.result.map((one) => one.id)).toContain(id);
}

async function readComments({ client }: Shop): Promise<void> {
  const products = await Array.fromAsync(client.comment.commentedProducts.items({}));
  const all = await Array.fromAsync(client.comment.storeComments.items({}));
  const first = assertFound(products[0]);

  const pages = await Array.fromAsync(
    client.comment.productComments.pages({ product_id: first.id }),
  );

  expect(all).toHaveLength(2000);
  expect(products.reduce((sum, one) => sum + (one.comment_count ?? 0), 0)).toBe(all.length);
  expect(pages.flatMap(({ result }) => result)).toHaveLength(first.comment_count ?? 0);
  expect(pages[0]?.result).toHaveLength(20);
  expect(pages.map((page) => page.product?.id)).toEqual(pages.map(() => first.id));
}

async function readCatalog({ sandbox, client }: Shop): Promise<void> {
  const { category_id } = assertFound(sandbox.products()[0]);
  const { result } = await client.category.list({ ids: [category_id] });
  const category = assertFound(result[0]);

  const properties = await client.category.properties({ categoryId: category_id });
  const externalCategoryId = Number(category.external_id);
  const single = await client.category.byExternalId({ externalCategoryId });
  const brands = await Array.fromAsync(client.brand.list.items({ category_id }));
  const brand_id = assertFound(brands[0]).id;
  const models = await client.brand.models({ category_id, brand_id });

  expect(single).toEqual({ ...category, properties });
  expect(brands.length).toBeGreaterThan(20);
  expect(models.result.length).toBeGreaterThan(0);
}

async function changeTemplates({ client }: Shop): Promise<void> {
  const addresses = await client.shippingTemplate.addresses({});
  const companies = await client.shipping.companies({});
  const company = assertFound(companies[0]).id;
  const address: unknown = Array.isArray(addresses) ? Reflect.get(addresses[0], "id") : undefined;

  const created = await client.shippingTemplate.create({
    template_name: "Sözleşme Şablonu",
    sender_address: idSchemas.address.parse(address),
    shipping_time: 2,
    all_country: false,
    suitable_cities: ["34", "06"],
    shipping_companies: [company],
    return_companies: company,
  });
  const { result } = await client.shippingTemplate.list({ search: "sözleşme" });
  const { id } = assertFound(result[0]);
  const updated = await client.shippingTemplate.update({
    shipping_template_id: id,
    shipping_note: "Yeni not",
  });

  expect([created.success, updated.success]).toEqual([true, true]);
  const [after] = (await client.shippingTemplate.list({ ids: [id] })).result;
  expect(after).toEqual({ ...result[0], shipping_note: "Yeni not" });
}

async function shipPackage({ client }: Shop): Promise<void> {
  const { package_id } = await packageIn(client, 3);
  const contracted = await client.shipping.contractedCompanies({});

  const prices = await client.shipping.prices({ package_id });
  const company_id = assertFound(prices[0]).id;
  const code = await client.shipping.generateCode({ package_id, company_id });

  expect(prices.map(({ name }) => name)).toEqual(contracted.map(({ name }) => name));
  expect(code.shipping_company).toBe(prices[0]?.name);
}

async function answerQuestion({ client }: Shop): Promise<void> {
  const open = await Array.fromAsync(client.question.list.items({ unanswered: 1 }));
  const product_question_id = assertFound(open[0]).id;

  const { success } = await client.question.reply({ product_question_id, message: "Evet" });

  const left = await Array.fromAsync(client.question.list.items({ unanswered: 1 }));
  expect(success).toBe(true);
  expect(left).toHaveLength(open.length - 1);
}

async function readRecords({ client }: Shop): Promise<void> {
  const cities = await client.city.list({});
  const all = await Array.fromAsync(client.payment.list.items({}));

  const parts = await Promise.all(
    ([1, 2, 3] as const).map((status) => Array.fromAsync(client.payment.list.items({ status }))),
  );

  expect(cities).toHaveLength(81);
  expect(parts.every((part) => part.length > 0)).toBe(true);
  expect(parts.flat()).toHaveLength(all.length);
}

async function meetClosedStore({ sandbox, enter }: Shop): Promise<void> {
  const client = enter(sandbox.closedStoreId);

  const refused = await client.payment.list({}).catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(PermissionError);
  expect(refused).toMatchObject({
    service: "Payments",
    storeId: sandbox.closedStoreId,
    message: expect.stringContaining(`Store ${sandbox.closedStoreId} has not granted "Payments"`),
  });
  await expect(client.city.list({})).resolves.toHaveLength(81);
}
