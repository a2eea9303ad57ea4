import {
  createTestConnection,
  storeNames,
  startMarketplaceServer,
} from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { findByName, type LookupQuery } from "../../src/lookup/look-up.ts";

/** Results, each as `match id`. */
async function found(query: Omit<LookupQuery, "limit"> & { readonly limit?: number }) {
  const { connection } = await createTestConnection();
  await storeNames(connection);
  const { results, total } = await findByName(connection, { limit: 10, ...query });
  return { total, results: results.map(({ match, id }) => `${match} ${id}`) };
}

describe("findByName", () => {
  it("lists everything by name in Turkish order where no text is given", async () => {
    expect(await found({ kind: "brands", category: "fincan" })).toEqual({
      total: 3,
      results: ["listed b-1", "listed b-3", "listed b-2"],
    });
  });

  it("lists exact names before similar ones", async () => {
    const { results } = await found({ kind: "brands", category: "c-1", text: "BOSCH" });

    expect(results).toEqual(["exact b-1", "similar b-3"]);
  });

  it("does not report a similar name as exact", async () => {
    const { results } = await found({ kind: "brands", category: "c-1", text: "bosh" });

    expect(results).toEqual(["similar b-1", "similar b-3"]);
  });

  it("finds an entry by its id", async () => {
    const { results } = await found({ kind: "brands", category: "c-1", text: "b-2" });

    expect(results[0]).toBe("exact b-2");
  });

  it("returns at most as many results as the limit, and the total", async () => {
    expect(await found({ kind: "brands", category: "c-1", limit: 1 })).toEqual({
      total: 3,
      results: ["listed b-1"],
    });
  });

  it("returns categories with their paths", async () => {
    const { connection } = await createTestConnection();
    await storeNames(connection);

    const { results } = await findByName(connection, {
      kind: "categories",
      text: "fincan",
      limit: 1,
    });

    expect(results).toEqual([{ id: "c-1", name: "Fincan", path: "Ev > Fincan", match: "exact" }]);
  });

  it("returns properties with their values", async () => {
    const { connection } = await createTestConnection();
    await storeNames(connection);

    const { results } = await findByName(connection, {
      kind: "properties",
      category: "c-1",
      limit: 1,
    });

    const options = [{ id: "o-1", name: "Mavi" }];
    expect(results).toEqual([{ id: "p-1", name: "Renk", options, match: "listed" }]);
  });

  it("finds models within a category and a brand, by their names", async () => {
    expect(
      await found({ kind: "models", category: "Ev > Fincan", brand: "bosch", text: "seri 4" }),
    ).toEqual({ total: 1, results: ["exact m-1"] });
  });

  it("lists the cities, and finds a text among their districts too", async () => {
    expect(await found({ kind: "cities" })).toEqual({
      total: 3,
      results: ["listed 1", "listed ", "listed 34"],
    });
    expect(await found({ kind: "cities", text: "kadikoy" })).toMatchObject({
      results: ["exact 3401"],
    });
    expect(await found({ kind: "cities", text: "ISTANBUL" })).toMatchObject({
      results: ["exact 34"],
    });
  });

  it("fetches the cities once", async () => {
    const { baseUrl, log } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });

    const first = await findByName(connection, { kind: "cities", text: "izmir", limit: 1 });
    const second = await findByName(connection, { kind: "cities", text: "izmir", limit: 1 });

    expect(second).toEqual(first);
    expect(first.results).toMatchObject([{ id: "35", path: "İzmir", match: "exact" }]);
    expect(log.filter((path) => path === "/city/")).toHaveLength(1);
  });

  it("fetches the store's templates", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });

    const { results } = await findByName(connection, {
      kind: "templates",
      text: "standart",
      limit: 5,
    });

    expect(results).toEqual([{ id: "t-1", name: "Standart", match: "exact" }]);
  });

  it("rejects with the reason of the signal", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const { connection } = await createTestConnection({ baseUrl });
    const signal = AbortSignal.abort(new Error("stop"));

    await expect(findByName(connection, { kind: "templates", limit: 5, signal })).rejects.toThrow(
      "stop",
    );
  });
});
