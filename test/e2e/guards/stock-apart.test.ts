import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { type FeedLine, readStore, writeFeed } from "../../helpers/feed.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

/** The first product as the store has it now. */
const firstOf = ({ sandbox }: TestStore): FeedLine => {
  const [first] = readStore(sandbox);
  if (first === undefined) throw new Error("the store is empty");
  return first;
};

/** A file of which the first row falls too far in price and has a stock of its own. */
async function openWithFall(stock: number) {
  const shop = await openTestStore({ products: 30 });
  const before = firstOf(shop);
  const [, ...rest] = readStore(shop.sandbox);
  const wanted = { ...before, priceMinor: Math.round(before.priceMinor / 5), stock };
  const file = writeFeed(join(shop.folder, "dosya.csv"), [wanted, ...rest]);
  const call = async (...args: readonly string[]) => {
    const { out, err, code } = await shop.run(...args, "--json");
    expect(out, err).not.toBe("");
    return { document: JSON.parse(out), code };
  };
  return { shop, before, wanted, file, call };
}

describe("the stock of a row whose price is held", () => {
  it.each([
    ["sync", 0],
    ["sync", 99],
    ["import", 0],
  ])("goes with a %s, to %i, and the price waits for a person", async (command, stock) => {
    const { shop, before, wanted, file, call } = await openWithFall(stock);
    const flags = command === "import" ? ["--yes"] : [];

    const { document, code } = await call(command, file, "--price-unit", "minor", ...flags);
    const sent = firstOf(shop);
    const again = await call(command, file, ...flags);
    const { run } = again.document;
    const advised = await shop.run("release", document.run, "--lang", "en");
    const released = await shop.run("release", run, "--rows", "2", "--resend", "--yes");
    if (command === "sync") await call(command, file);

    expect([code, document.counts.rows, document.counts.held]).toEqual([5, 30, 1]);
    expect(document.planned).toMatchObject({ update: 0, held: 1, stock: 1 });
    expect([document.stock_sent, again.document.stock_sent]).toEqual([1, undefined]);
    expect(sent).toEqual({ ...before, stock });
    // Its price has not left, so that the store cannot have it.
    expect(advised.err.replaceAll(/\s+/gu, " ")).toContain("the value is right: catalog release");
    expect(advised.err).not.toContain("--as-done");
    expect(document.issues[0].message.en).toContain(`new stock (${stock}) was sent`);
    // The second time only the price differs, which is held alone.
    expect(again.document.planned).toMatchObject({ held: 1, stock: 0 });
    expect(released.code, released.err).toBe(0);
    expect(firstOf(shop)).toEqual(wanted);
  });

  it.each([
    ["sync", ["--price-unit", "minor"]],
    ["sync", []],
    ["import", ["--price-unit", "minor", "--yes"]],
  ])("is told of in the result of a %s %j", async (command, flags) => {
    const { shop, file } = await openWithFall(0);

    const { out, err } = await shop.run(command, file, "--lang", "en", ...flags);

    expect(out).toContain(" held (the stock of 1 was sent)");
    expect(err).not.toContain("not sent either");
  });

  it("is said before it is sent, and is one with a price that is approved before", async () => {
    const { shop, before, wanted, file } = await openWithFall(0);

    const plan = await shop.json("plan", file, "--price-unit", "minor", "--lang", "en");
    const { run } = plan;
    const unsent = firstOf(shop);
    await shop.run("release", run, "--rows", "2", "--resend", "--yes");
    const explained = await shop.run("explain", run, "2", "--lang", "en");

    expect(unsent).toEqual(before);
    expect(firstOf(shop)).toEqual(wanted);
    expect(explained.out).not.toContain("The stock was sent");
  });

  it("is undone with its run, and the price that went later as well", async () => {
    const { shop, before, file, call } = await openWithFall(0);
    const { document } = await call("import", file, "--price-unit", "minor", "--yes");
    const explained = await shop.run("explain", document.run, "2", "--lang", "en");

    const first = await call("undo", document.run, "--yes");
    const undone = firstOf(shop);

    expect(explained.out).toContain("The stock was sent; the rest of the row waits");
    expect(first.document.counts).toMatchObject({ rows: 1, updated: 1 });
    expect(undone).toEqual(before);
  });

  it("brings back both where price and stock went in two requests", async () => {
    const { shop, before, wanted, file, call } = await openWithFall(0);
    const { document } = await call("import", file, "--price-unit", "minor", "--yes");
    await shop.run("release", document.run, "--rows", "2", "--resend", "--yes");
    const whole = firstOf(shop);

    await call("undo", document.run, "--yes");

    expect(whole).toEqual(wanted);
    expect(firstOf(shop)).toEqual(before);
  });

  it("waits with the price where too many stocks go to 0", async () => {
    const shop = await openTestStore({ products: 30 });
    const lines = readStore(shop.sandbox);
    const emptied = lines.map((line) => ({ ...line, stock: 0, priceMinor: line.priceMinor * 100 }));
    const file = writeFeed(join(shop.folder, "bos.csv"), emptied);

    const document = await shop.json("import", file, "--yes", "--price-unit", "minor");

    expect(document.counts).toMatchObject({ held: 30 });
    expect(readStore(shop.sandbox)).toEqual(lines);
    expect(readFileSync(join(document.files.dir, "summary.json"), "utf8")).not.toContain(
      "does not wait",
    );
  });
});
