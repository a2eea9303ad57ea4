import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";

describe("catalog demo", { timeout: 120_000 }, () => {
  it("imports the sample twice, and sends nothing the second time", async () => {
    const shop = await openTestStore();

    const { code, out } = await shop.start("demo").finished;

    expect(code).toBe(0);
    const [, first = "", second = ""] = out.split("── ");
    expect(first).toContain("52 eklendi, 6 hatalı, 2 tekrar");
    expect(first).toContain(join("catalog-results", "demo", "1", "result.xlsx"));
    expect(second || out).toContain("52 değişmedi, 6 hatalı, 2 tekrar");
    expect(out).toContain("0 ekleme, 0 güncelleme");
    for (const part of ["1", "2"]) {
      for (const file of ["result.xlsx", "result.csv", "failed.xlsx", "summary.json"]) {
        expect(existsSync(join(shop.folder, "catalog-results", "demo", part, file))).toBe(true);
      }
    }
    const [, next = ""] = out.split("Denemenin pazaryeri kapandı");
    const failed = join("catalog-results", "demo", "2", "failed.xlsx");
    expect(next.indexOf("catalog sandbox")).toBeGreaterThan(0);
    expect(next.indexOf(`catalog import ${failed}`)).toBeGreaterThan(
      next.indexOf("catalog sandbox"),
    );
  });

  it("prints one document with --json, and its progress on stderr in English", async () => {
    const shop = await openTestStore();

    const { code, out, err } = await shop.run("demo", "--json", "--lang", "en");

    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      command: "demo",
      exit: 0,
      sent: { first: { adds: 52, updates: 0 }, second: { adds: 0, updates: 0 } },
      violations: [],
    });
    expect(err).toContain("52 added, 6 invalid, 2 duplicate");
    expect(err).toContain("0 add and 0 update");
    expect(err).toContain("no product was added twice");
    expect(err).not.toContain("\u001B");
  });
});
