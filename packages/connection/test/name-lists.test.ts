import { createClient, createMemoryTokenCache } from "@catalog/client";
import { idSchemas } from "@catalog/contract";
import type { NameSource } from "@catalog/mapping";
import { expect, it, onTestFinished } from "vitest";

import { createNameLists } from "../src/name-lists.ts";
import {
  type MarketplaceServer,
  startMarketplaceServer,
} from "../src/testing/marketplace-server.ts";
import { createTestConnection, type TestConnection } from "../src/testing/test-connection.ts";

const CATEGORY = idSchemas.category.parse("c-1");
const BRAND = idSchemas.brand.parse("b-1");

/** A name source of a new process, on the same store and the same cache. */
function openNames(
  market: MarketplaceServer,
  { connection }: TestConnection,
  baseUrl = market.baseUrl,
): NameSource {
  const client = createClient({
    baseUrl: market.baseUrl,
    credentials: { clientKey: "key", clientSecret: "secret" },
    storeId: idSchemas.store.parse("s-1"),
    tokens: createMemoryTokenCache(),
    retries: 0,
  });
  onTestFinished(() => client.close());
  return createNameLists({ client, cache: connection.memory.names, baseUrl });
}

const LISTS: readonly (readonly [string, string, (names: NameSource) => Promise<unknown>])[] = [
  ["categories", "/category/", (names) => names.categories()],
  ["brands", "/brand/", (names) => names.brands(CATEGORY)],
  ["models", "/brand/brand-model", (names) => names.models(CATEGORY, BRAND)],
  ["properties", "/category/get-properties/c-1", (names) => names.properties(CATEGORY)],
];

const HOUR_MS = 3_600_000;

/** Paths of the calls for lists, without the login. */
const listCalls = ({ log }: MarketplaceServer): string[] =>
  log.filter((path) => !path.startsWith("/app/"));

it.each(LISTS)("fetches the %s once in 24 hours, over processes", async (...[, path, read]) => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];
  const first = await read(openNames(market, test));

  await test.clock.advance(24 * HOUR_MS - 1);
  const second = await read(openNames(market, test));

  expect(second).toEqual(first);
  expect(listCalls(market)).toEqual([path]);

  await test.clock.advance(1);
  await read(openNames(market, test));
  expect(listCalls(market)).toEqual([path, path]);
});

it("fetches the shipping templates once in every run", async () => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];
  const names = openNames(market, test);

  await names.shippingTemplates();
  await names.shippingTemplates({ fresh: true });
  const templates = await openNames(market, test).shippingTemplates();

  expect(templates).toEqual([{ id: "t-1", template_name: "Standart" }]);
  expect(listCalls(market)).toEqual(["/shipping-template", "/shipping-template"]);
});

it("fetches a cached list that lacks a name again, once in a run", async () => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];
  await openNames(market, test).categories();
  const names = openNames(market, test);

  const kept = await names.categories();
  const fresh = await names.categories({ fresh: true });

  expect(listCalls(market)).toEqual(["/category/", "/category/"]);
  expect(fresh).not.toBe(kept);
  expect(await names.categories({ fresh: true })).toBe(fresh);
  expect(await names.categories()).toBe(fresh);
  expect(listCalls(market)).toHaveLength(2);
});

it("does not fetch again what it has fetched itself", async () => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];
  const names = createNameLists({
    client: test.connection.client,
    cache: test.connection.memory.names,
    baseUrl: market.baseUrl,
  });
  const asking = openNames(market, test);

  const first = await asking.brands(CATEGORY);

  expect(await asking.brands(CATEGORY, { fresh: true })).toBe(first);
  expect(listCalls(market)).toEqual(["/brand/"]);
  expect(names.fetchedLists).toBe(0);
});

it("keeps the lists of categories and brands apart", async () => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];
  const names = openNames(market, test);
  const other = {
    category: idSchemas.category.parse("c-2"),
    brand: idSchemas.brand.parse("b-2"),
  };

  await names.brands(CATEGORY);
  await names.brands(other.category);
  await names.models(CATEGORY, BRAND);
  await names.models(CATEGORY, other.brand);
  await names.properties(CATEGORY);
  await names.properties(other.category);

  expect(listCalls(market)).toHaveLength(6);
});

it("uses no list of another marketplace", async () => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];

  await openNames(market, test).categories();
  await openNames(market, test, "https://other.example").categories();

  expect(listCalls(market)).toEqual(["/category/", "/category/"]);
});

it("caches nothing of a list that could not be read", async () => {
  const [market, test] = [await startMarketplaceServer(), await createTestConnection()];
  const names = createNameLists({
    client: test.connection.client,
    cache: test.connection.memory.names,
    baseUrl: market.baseUrl,
    signal: AbortSignal.abort(new Error("interrupted")),
  });

  await expect(names.categories()).rejects.toThrow("interrupted");

  expect(await openNames(market, test).categories()).toHaveLength(1);
});
