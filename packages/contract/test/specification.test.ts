import { describe, expect, it } from "vitest";
import * as z from "zod";

import { type Endpoint, endpoints } from "../src/index.ts";
import { ASSUMED, type Call, NARROWED, SPECIFICATION } from "./helpers/specification.ts";
import { readTable, toCall } from "./helpers/table-facts.ts";

/** The table's call without its assumed fields, to be compared as a whole. */
function withoutAssumed(call: Call): Call {
  const assumed = ASSUMED[call.path] ?? [];
  const parameters = Object.entries(call.parameters).filter(([name]) => !assumed.includes(name));
  return { ...call, parameters: Object.fromEntries(parameters) };
}

/**
 * The specification's call with the kinds that the table narrows down, and without the table's own
 * bounds.
 */
function narrowed(call: Call): Call {
  const parameters = Object.entries(call.parameters).map(([name, parameter]) => {
    const kind = NARROWED[`${call.path} ${name}`] ?? parameter.kind;
    return [name, { ...parameter, kind }];
  });
  return { ...call, parameters: Object.fromEntries(parameters) };
}

/** Removes lower bounds that only the table has, such as a stock from 0 up. */
function withoutOwnBounds(call: Call, stated: Call): Call {
  const parameters = Object.entries(call.parameters).map(([name, { min, ...rest }]) => [
    name,
    stated.parameters[name]?.min === undefined || min === undefined ? rest : { min, ...rest },
  ]);
  return { ...call, parameters: Object.fromEntries(parameters) };
}

const keyOf = ({ method, path }: Call): string => `${method} ${path}`;

describe("the endpoint table", () => {
  const table = readTable();

  it("has every call of the specification, and no other call", () => {
    expect(table.map(keyOf).toSorted()).toEqual(SPECIFICATION.map(keyOf).toSorted());
  });

  it.each(SPECIFICATION.map((stated) => [keyOf(stated), stated] as const))(
    "describes %s as the specification does",
    (key, stated) => {
      const found = table.find((call) => keyOf(call) === key);

      expect(found).toBeDefined();
      if (found === undefined) return;
      expect(withoutOwnBounds(withoutAssumed(found), stated)).toEqual(narrowed(stated));
    },
  );

  it("takes undocumented fields only where they are listed as assumed", () => {
    const extra = table.flatMap((call) => {
      const stated = SPECIFICATION.find((one) => keyOf(one) === keyOf(call));
      const names = Object.keys(call.parameters).filter((name) => !stated?.parameters[name]);
      return names.length === 0 ? [] : [[call.path, names.toSorted()]];
    });

    expect(Object.fromEntries(extra)).toEqual(
      Object.fromEntries(Object.entries(ASSUMED).map(([path, names]) => [path, names.toSorted()])),
    );
  });

  it("names the fields of an update that are documented", () => {
    const update = SPECIFICATION.find(({ path }) => path.startsWith("/product/update"));

    const { input, undocumentedFields = [] } = endpoints.product.update;
    expect(
      Object.keys(input.shape)
        .filter((field) => !undocumentedFields.includes(field))
        .toSorted(),
    ).toEqual(Object.keys(update?.parameters ?? {}).toSorted());
  });

  it("states the page sizes of every listing", () => {
    const rows: readonly Endpoint<unknown, unknown>[] = Object.values(endpoints).flatMap(
      (group: object) => Object.values(group),
    );
    for (const { path, paging, input } of rows) {
      const { limit } = toCall({ ...endpoints.city.list, input }).parameters;

      expect([path, paging?.defaultSize, paging?.maxSize]).toEqual([
        path,
        limit?.default,
        limit?.max,
      ]);
    }
  });
});

describe("toCall", () => {
  const row = endpoints.payment.list;
  const slips: readonly [string, Endpoint<unknown, unknown>][] = [
    ["method", { ...row, method: "POST" }],
    ["path", { ...row, path: "/payments/store/:storeId" }],
    ["version", { ...row, versions: ["v1.1"] }],
    ["permission", { ...row, permission: "general" }],
    ["missing parameter", { ...row, input: z.object({}) }],
    ["extra parameter", { ...row, input: extend({ colour: z.string().optional() }) }],
    ["type", { ...row, input: extend({ order_code: z.string().optional() }) }],
    ["required flag", { ...row, input: extend({ order_code: z.int() }) }],
    ["default", { ...row, input: extend({ limit: z.int().min(1).max(50).optional() }) }],
    [
      "maximum",
      { ...row, input: extend({ limit: z.int().min(1).optional().meta({ default: 20 }) }) },
    ],
    ["values", { ...row, input: extend({ status: z.literal([1, 2]).optional() }) }],
  ];

  function extend(fields: z.core.$ZodLooseShape): Endpoint<unknown, unknown>["input"] {
    return z.object({ ...row.input.shape, ...fields });
  }

  it.each(slips)("notices a wrong entry in the %s", (_, endpoint) => {
    expect(toCall(endpoint)).not.toEqual(toCall(row));
  });
});
