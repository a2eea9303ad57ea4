import type { Wait } from "@catalog/connection";
import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { createWaitNotices, listVersions, resolveVersions } from "../src/open-connection.ts";

/** Lines written for waits that begin one after the other. */
function sayOf(waits: readonly Wait[], isTerminal = false): string {
  let output = "";
  const listeners = new Set<(wait: Wait) => void>();
  createWaitNotices({
    waits: {
      listen(onWait) {
        listeners.add(onWait);
        return { [Symbol.dispose]: () => void listeners.delete(onWait) };
      },
    },
    terminal: {
      err: (text) => (output += text),
      redraw: (line) => (output += `<${line}>`),
      isTerminal,
    },
    lang: "tr",
  });
  for (const wait of waits) for (const listener of listeners) listener(wait);
  return output;
}

const NINE_MS = Date.parse("2026-11-22T06:00:00Z");

describe("the line about a wait", () => {
  it.each([
    ["refused", "Pazaryeri çok fazla istek geldiğini söyledi: saat 09:00 sonrasına kadar"],
    ["quota", "Saatlik istek sınırı doldu: saat 09:00 sonrasına kadar"],
    ["retry", "Pazaryeri bir isteği yanıtlayamadı: saat 09:00 sonrasına kadar"],
  ] as const)("states why and until when it lasts: %s", (reason, start) => {
    expect(sayOf([{ untilMs: NINE_MS, reason }])).toContain(start);
  });

  it("is written once for all calls with the same end", () => {
    const wait = { untilMs: NINE_MS, reason: "refused" } as const;

    const output = sayOf([wait, { ...wait, untilMs: NINE_MS - 1_000 }, wait]);

    expect(output.split("\n")).toHaveLength(2);
  });

  it("replaces a line of progress on a terminal", () => {
    const output = sayOf([{ untilMs: NINE_MS, reason: "quota" }], true);

    expect(output.startsWith("<>Saatlik")).toBe(true);
  });
});

describe("resolveVersions", () => {
  it("leaves all prefixes to the contract when none is set", () => {
    expect(resolveVersions({}, {})).toEqual({});
    expect(resolveVersions({ CATALOG_API_VERSION: "" }, {})).toEqual({});
  });

  it("reads the prefixes of single resources from the file", () => {
    expect(resolveVersions({}, { versions: { product: "v1.0" } })).toEqual({ product: "v1.0" });
  });

  it("prefers the environment's prefix for all resources that have it", () => {
    const versions = resolveVersions(
      { CATALOG_API_VERSION: "v1.1" },
      { versions: { product: "v1.0", payment: "v1.0" } },
    );

    // Payments, like questions and shipping, have one prefix only.
    expect(versions).toEqual({
      order: "v1.1",
      product: "v1.1",
      comment: "v1.1",
      category: "v1.1",
      brand: "v1.1",
      city: "v1.1",
      payment: "v1.0",
    });
  });

  it.each([
    [{ CATALOG_API_VERSION: "1.0" }, {}, 'CATALOG_API_VERSION cannot be "1.0"'],
    [
      {},
      { versions: { product: "v2" } },
      'versions.product cannot be "v2"; it can be: v1.1, v1.0.',
    ],
    [{}, { versions: { payment: "v1.1" } }, "it can be: v1.0."],
    [{}, { versions: { products: "v1.0" } }, 'does not know "products"; it can name: order'],
    [{}, { versions: { token: "v1.0" } }, 'does not know "token"'],
  ])("refuses %j with %j", (env, config, output) => {
    expect(() => resolveVersions(env, config)).toThrow(UsageError);
    expect(() => resolveVersions(env, config)).toThrow(output);
  });
});

describe("listVersions", () => {
  it("lists the prefix in use first", () => {
    expect(listVersions("product", {})).toEqual(["v1.1", "v1.0"]);
    expect(listVersions("product", { product: "v1.0" })).toEqual(["v1.0", "v1.1"]);
  });
});
