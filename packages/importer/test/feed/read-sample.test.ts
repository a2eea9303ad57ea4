import { priceUnitOf } from "@catalog/connection";
import { createTestConnection, type TestConnection } from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { headerKey } from "../../src/columns/column-profiles.ts";
import { feedKey } from "../../src/feed/feed-name.ts";
import { readFeedRecord } from "../../src/feed/feed-state.ts";
import type { FeedSample } from "../../src/feed/feed-views.ts";
import type { FeedReading } from "../../src/feed/open-feed.ts";
import { openFeedForm } from "../../src/feed/read-sample.ts";

const ROWS = ["A-1;12;149,90", "A-2;0;89,90"];

interface Read {
  readonly test?: TestConnection;
  readonly header: string;
  readonly rows?: readonly string[];
  readonly reading?: FeedReading;
}

async function read({ header, rows = ROWS, reading = {}, ...given }: Read): Promise<FeedSample> {
  const { connection, write } = given.test ?? (await createTestConnection());
  const feed = write("stok.csv", `${[header, ...rows].join("\r\n")}\r\n`);
  return await openFeedForm(connection, feed).readSample({
    reading,
    fetch: () => Promise.reject(new Error("no address is fetched")),
    maxRows: 5,
  });
}

/** Every other field that a sync takes. */
const OTHERS = [
  "product_code",
  "product_id",
  "price",
  "list_price",
  "discount_value",
  "discount_type",
  "currency",
];

const fieldsOf = ({ columns }: FeedSample): string =>
  columns
    .map(({ header, field, answer }) => `${header}=${field ?? "-"}${answer ? ` ${answer}` : ""}`)
    .join(", ");

describe("openFeedForm", () => {
  it("asks what a column is that a sync would refuse, with the possible answers", async () => {
    const sample = await read({ header: "Ürün Kodu;Kalan;Fiyat" });

    const asked = sample.columns.filter(({ question }) => question !== null);
    expect(asked.map(({ header, choices }) => [header, choices.map(({ value }) => value)])).toEqual(
      [["Kalan", ["stock", "-", ...OTHERS]]],
    );
    expect(sample).toMatchObject({ problems: [], gone: [] });
    expect(sample.rows).toEqual([
      ["A-1", "12", "149,90"],
      ["A-2", "0", "89,90"],
    ]);
  });

  it("reads the column as it is answered", async () => {
    const columns = new Map([["Kalan", "stock"]]);

    const sample = await read({ header: "Ürün Kodu;Kalan;Fiyat", reading: { columns } });

    expect(fieldsOf(sample)).toBe("Ürün Kodu=product_code, Kalan=stock given, Fiyat=price");
    expect(sample.columns.map(({ question }) => question)).toEqual([null, null, null]);
  });

  it("takes what was answered for an earlier file with the same headers", async () => {
    const test = await createTestConnection();
    const headers = ["Ürün Kodu", "Kalan", "Fiyat", "Not"];
    await test.connection.memory.profiles.save({
      name: "",
      headerKey: headerKey(headers),
      headers,
      columns: { Kalan: "stock", Not: "-" },
      constants: {},
      decimal: null,
      learntFrom: "liste.xlsx",
    });

    const sample = await read({ test, header: "Ürün Kodu;Kalan;Fiyat;Not", rows: ["A;1;2,50;x"] });
    const left = await read({
      test,
      header: "Ürün Kodu;Kalan;Fiyat;Not",
      rows: ["A;1;2,50;x"],
      reading: { columns: new Map([["Kalan", "-"]]) },
    });

    expect(fieldsOf(sample)).toBe(
      "Ürün Kodu=product_code, Kalan=stock remembered, Fiyat=price, Not=-",
    );
    // What a sync does not take either way is no answer that has to be kept.
    expect(Object.entries(sample.answers)).toEqual([["Kalan", "stock"]]);
    expect(Object.entries(left.answers)).toEqual([["Kalan", "-"]]);
  });

  it("tells of answers about columns that are gone, and goes on without them", async () => {
    const columns = new Map([["Kalan", "stock"]]);

    const sample = await read({ header: "Ürün Kodu;Bakiye;Fiyat", reading: { columns } });

    expect(sample).toMatchObject({ gone: ["Kalan"], problems: [] });
    expect(Object.entries(sample.answers)).toEqual([]);
    expect(sample.columns[1]?.choices.slice(0, 2).map(({ value }) => value)).toEqual([
      "stock",
      "-",
    ]);
  });

  it("shows a feed without stock and price, and one without a code, instead of refusing them", async () => {
    const none = await read({ header: "Ürün Kodu;Raf;Not", rows: ["A-1;B;x"] });
    const noCode = await read({ header: "Stok;Fiyat", rows: ["1;2,50"] });

    expect([...none.problems, ...noCode.problems].map(({ en }) => en)).toEqual([
      expect.stringContaining("No column of stock or price was found"),
      expect.stringContaining("No column “Product Code”"),
    ]);
  });

  it("names the fields that the last accepted version gave, until a person drops them", async () => {
    const test = await createTestConnection();
    const { feedState } = test.connection.memory;
    const feed = test.write("stok.csv", "");
    const last = { rows: 2, endsWithBreak: true, isSettled: true };
    const fields = { stock: "Stok", price: "Fiyat" };
    await feedState.saveAccepted({ feed: feedKey(feed), record: { ...last, fields } });

    const sample = await read({ test, header: "Ürün Kodu;Fiyat", rows: ["A-1;2,50"] });
    await openFeedForm(test.connection, feed).dropFields(["stock"]);
    const dropped = await read({ test, header: "Ürün Kodu;Fiyat", rows: ["A-1;2,50"] });

    expect(sample.lost).toMatchObject([{ field: "stock", header: "Stok" }]);
    expect(dropped.lost).toEqual([]);
    expect((await readFeedRecord(feedState, feedKey(feed)))?.fields).toEqual({ price: "Fiyat" });
  });

  it("marks a column whose decimal sign nothing tells, until it is stated", async () => {
    const given = { header: "Ürün Kodu;Stok;Fiyat", rows: ["A-1;12;1.500", "A-2;3;2.750"] };

    const sample = await read(given);
    const stated = await read({ ...given, reading: { decimal: "comma" } });

    expect(sample.columns.map(({ isUnclear }) => isUnclear)).toEqual([false, false, true]);
    expect(stated.columns.map(({ isUnclear }) => isUnclear)).toEqual([false, false, false]);
  });

  it("says that the unit of prices is open, unless it is known or no price is sent", async () => {
    const test = await createTestConnection();

    const open = await read({ test, header: "Ürün Kodu;Stok;Fiyat" });
    const stock = await read({ test, header: "Ürün Kodu;Stok", rows: ["A-1;12"] });
    await priceUnitOf(test.connection).save("minor", "person");
    const known = await read({ test, header: "Ürün Kodu;Stok;Fiyat" });

    expect([open, stock, known].map(({ isUnitOpen }) => isUnitOpen)).toEqual([true, false, false]);
  });
});
