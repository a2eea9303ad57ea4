import { idSchemas } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { type ClientOptions, SettingsError } from "../src/index.ts";
import { resolveOptions } from "../src/settings.ts";
import { createMemoryTokenCache } from "../src/token.ts";

const options: ClientOptions = {
  baseUrl: "https://api.example/market",
  credentials: { clientKey: "key", clientSecret: "very secret" },
  storeId: idSchemas.store.parse("store-1"),
  tokens: createMemoryTokenCache(),
};

const keyFor = (change: Partial<ClientOptions>): string =>
  resolveOptions({ ...options, ...change }).tokenKey;

describe("resolveOptions", () => {
  const allowed = [
    "https://api.example",
    "http://localhost:8080",
    "http://127.0.0.1:1",
    "http://127.8.9.1",
    "http://[::1]:8080/x",
  ];
  for (const baseUrl of allowed) {
    it(`allows the address ${baseUrl}`, () => {
      expect(resolveOptions({ ...options, baseUrl }).baseUrl.href).toContain(baseUrl);
    });
  }

  const refused = [
    "http://api.example",
    "http://127.0.0.1.api.example",
    "http://localhost.api.example",
    "http://10.0.0.1",
    "ftp://localhost",
    "https://api.example/v1.1",
    "https://api.example/market/v2/",
    "https://user:pass@api.example",
    "https://api.example/?access_token=x",
    "https://api.example/#x",
    "api.example",
    "",
  ];
  for (const baseUrl of refused) {
    it(`refuses the address ${baseUrl || "no address"}`, () => {
      expect(() => resolveOptions({ ...options, baseUrl })).toThrow(SettingsError);
    });
  }

  const wrong: readonly [string, Partial<ClientOptions>][] = [
    ["clientKey", { credentials: { clientKey: " ", clientSecret: "s" } }],
    ["clientSecret", { credentials: { clientKey: "k", clientSecret: "" } }],
    ["concurrency", { concurrency: 0 }],
    ["timeoutMs", { timeoutMs: Number.POSITIVE_INFINITY }],
    ["retries", { retries: -1 }],
    ["retries", { retries: 1.5 }],
  ];
  for (const [name, change] of wrong) {
    it(`names ${name} when it is ${JSON.stringify(Object.values(change))}`, () => {
      expect(() => resolveOptions({ ...options, ...change })).toThrow(name);
    });
  }

  it("has a default for every option but the address, the credentials, the store and the cache", () => {
    const resolved = resolveOptions(options);

    expect(resolved).toMatchObject({ concurrency: {}, timeoutMs: 60_000, retries: 4 });
    const numbers = Array.from({ length: 100 }, resolved.random);
    expect(numbers.every((n) => n >= 0 && n < 1)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(90);
  });

  it("separates tokens by address, application and secret, under a key that reveals none of them", () => {
    const credentials = { clientKey: "other", clientSecret: "very secret" };
    const rotated = { clientKey: "key", clientSecret: "another" };

    expect(keyFor({})).toMatch(/^[0-9a-f]{64}$/u);
    expect(keyFor({ baseUrl: "https://api.example/market/" })).toBe(keyFor({}));
    expect(keyFor({ credentials: rotated })).not.toBe(keyFor({}));
    expect(keyFor({ credentials })).not.toBe(keyFor({}));
    expect(keyFor({ baseUrl: "https://api.example" })).not.toBe(keyFor({}));
  });
});
