import {
  createIssue,
  createTestConnection,
  type StoredRow,
  storeRun,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { type RowIssue, toCounts } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { formatCalls } from "../../src/html/calls.ts";
import { escapeHtml, formatTimestamp, isolate, toScriptJson } from "../../src/html/markup.ts";
import { CLASSES, createReasonCount, type Reason, toPageRow } from "../../src/html/page-parts.ts";
import {
  createPriceChangeList,
  plotPrices,
  type PriceChanges,
} from "../../src/html/price-changes.ts";
import { formatNextSteps, listNextSteps, withOldPrice } from "../../src/html/report-page.ts";
import { factsOf, readingOf } from "../helpers/facts.ts";
import { named, readPage } from "../helpers/read-page.ts";

describe("escapeHtml", () => {
  it("leaves no character that could open or end an element", () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;",
    );
  });

  it("replaces an unpaired surrogate, which no file can hold", () => {
    expect(escapeHtml("a\uD83E")).toBe("a\uFFFD");
  });
});

it("isolate keeps the direction of a text from changing the text around it", () => {
  expect(isolate("<\u202E")).toBe("<bdi>&lt;\u202E</bdi>");
});

it("toScriptJson writes JSON that parses to the same value and cannot end the script element", () => {
  const value = ["</script>", "<!--", "]]>", "\u2028\u2029", '"\\'];

  const text = toScriptJson(value);

  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/u);
});

const AT_MS = Date.UTC(2026, 10, 21, 21, 30);

it.each([
  ["tr", "22.11.2026 00:30"],
  ["en", "2026-11-22 00:30 UTC+3"],
] as const)("writes a time in %s as Turkish time", (lang, text) => {
  expect(formatTimestamp(AT_MS, lang)).toBe(
    `<time datetime="2026-11-21T21:30:00.000Z">${text}</time>`,
  );
});

const say = (code: string, tr: string): RowIssue =>
  createIssue({ code, message: { tr, en: "en" } });

/** The reasons of rows from row 2 on, each with its issues. */
function listReasons(rows: readonly (readonly RowIssue[])[]): readonly Reason[] {
  const reasons = createReasonCount({ lang: "tr" });
  for (const [index, issues] of rows.entries())
    reasons.observe({ row: index + 2, issues, state: "held" });
  return reasons.list();
}

describe("createReasonCount", () => {
  it("groups issues by code: errors first, then by frequency", () => {
    const reasons = listReasons([
      [say("W_A", "w1"), say("E_B", "b1")],
      [say("E_C", "c1"), say("W_A", "w2")],
      // An issue found twice in one row counts as one row.
      [say("E_C", "c2"), say("E_C", "c3")],
    ]);

    expect(reasons).toEqual([
      { code: "E_C", message: "c1", count: 1, rows: [3] },
      { code: "E_C", message: "c2", count: 1, rows: [4] },
      { code: "E_B", message: "b1", count: 1, rows: [2] },
      { code: "W_A", message: "w1", count: 1, rows: [2] },
      { code: "W_A", message: "w2", count: 1, rows: [3] },
    ]);
  });

  it("leaves out what held rows that were approved or given up", () => {
    const reasons = createReasonCount({ lang: "tr" });
    for (const [index, state] of (["held", "cancelled", "done", "unchanged"] as const).entries()) {
      const issues = [say("E_B", "b1"), say("W_A", "w1")];
      reasons.observe({ row: index + 2, issues, state });
    }

    expect(reasons.list().map(({ code, rows }) => [code, rows])).toEqual([
      ["E_B", [2]],
      ["W_A", [2, 3, 4, 5]],
    ]);
  });

  it("says of a row only what is true of it, however many texts a code has", () => {
    const texts = ["“GBP”", "“CHF”", "“GBP”", "“JPY”", "“SEK”", "“NOK”"];
    const reasons = listReasons(texts.map((text) => [say("E_X", text)]));

    expect(reasons.map(({ message, rows }) => [message, rows])).toEqual([
      ["“GBP”", [2, 4]],
      ["“CHF”", [3]],
      ["“JPY”", [5]],
      ["Aynı türden başka nedenler", [6, 7]],
    ]);
  });

  it("names only the first rows of each code", () => {
    const [reason] = listReasons(Array.from({ length: 30 }, () => [createIssue()]));

    expect(reason).toMatchObject({ count: 30 });
    expect(reason?.rows).toHaveLength(12);
  });
});

async function rowOf(row: StoredRow) {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod"], rows: [row] });
  const [record] = await connection.journal.readRows(run.id, { limit: 1 });
  if (record === undefined) throw new Error("there is no row");
  return toPageRow(record, "tr");
}

describe("toPageRow", () => {
  it("has the issues, the changes and the cells that are not empty", async () => {
    const row = await rowOf({
      cells: ["KOD-1", null, "", 5],
      state: "held",
      issues: [createIssue({ suggestion: { tr: "12 yazın.", en: "Write 12." } })],
      changes: [
        { field: "price", old: 1000, new: 129_990 },
        { field: "stock_count", new: 5 },
        { field: "images", old: ["a"], new: ["b"] },
        { field: "unheard_of", old: 1, new: 2 },
      ],
    });

    expect(row).toEqual([
      2,
      "KOD-1",
      CLASSES.indexOf("held"),
      "",
      [["E_NOT_A_NUMBER", "B2", "“on iki” bir sayı değil.", "12 yazın."]],
      [
        ["Fiyat", "10,00", "1.299,90"],
        ["Stok", "", "5"],
        ["Görseller", "a", "b"],
        ["unheard_of", "1", "2"],
      ],
      "KOD-1\n5",
      "",
    ]);
  });

  it("has the title that is sent", async () => {
    const row = await rowOf({ cells: ["K"], action: "add" });

    expect(row[7]).toEqual(expect.stringMatching(/\p{L}/u));
  });

  it.each([
    [1, "15,00"],
    [2, "1500"],
    [undefined, "1500"],
  ] as const)("writes a discount of type %s as %s", async (discount_type, written) => {
    const payload = { product_id: idSchemas.product.parse("p-1"), discount_type };
    const changes = [{ field: "discount_value", new: 1500 }];

    const [, , , , , shown] = await rowOf({ cells: ["K"], payload, changes });

    expect(shown).toEqual([[expect.any(String), "", written]]);
  });

  it("cuts a long cell between whole characters", async () => {
    const [, , , , , , cells] = await rowOf({ cells: ["🥄".repeat(70)], state: "unchanged" });

    expect(cells).toBe(`${"🥄".repeat(60)}…`);
  });
});

/** The old price of a row that was planned without one, after the unit became known. */
async function readOld(priceUnit: "minor" | "major" | "unknown"): Promise<unknown> {
  const { connection } = await createTestConnection();
  const changes = [{ field: "price", old: undefined, new: 1_500 }];
  const run = await storeRun(connection, {
    header: ["Kod"],
    rows: [{ cells: ["A-1"], action: "update", changes }],
  });
  const product = { id: idSchemas.product.parse("p-1"), product_code: "A-1", price: 12.5 };
  await connection.verificationLog.saveBefore(run.id, [{ row: 2, product }]);
  const facts = factsOf({ priceUnit });
  const [row] = await connection.journal.readRows(run.id, { limit: 1 });
  if (row === undefined) throw new Error("the row was not stored");
  return (await withOldPrice(connection, { ...run, facts }, row)).changes[0]?.old;
}

describe("the old price of a row that waited for the unit of prices", () => {
  it("is what its plan read, in the unit that is known by now", async () => {
    expect(await readOld("major")).toBe(1_250);
  });

  it("stays unknown with the unit", async () => {
    expect(await readOld("unknown")).toBeUndefined();
  });
});

async function openRun() {
  const { connection } = await createTestConnection();
  const run = await storeRun(connection, { header: ["Kod"], rows: [], reportDir: "/veri/son uç" });
  return { run, none: toCounts([]) };
}

describe("what to do next", () => {
  it("is to send what is left, to correct, and to decide, in this order", async () => {
    const { run, none } = await openRun();

    const counts = { ...none, pending: 4, invalid: 2, held: 3 };
    const steps = listNextSteps(run, { counts, unsure: 2 });

    expect(steps.map(({ command }) => command)).toEqual([
      expect.stringContaining(run.id),
      'catalog import "/veri/son uç/failed.xlsx"',
      `catalog release ${run.id} --approved "/veri/son uç/held.xlsx"`,
      `catalog release ${run.id}`,
    ]);
  });

  it("does not say of every row that the file cannot approve that the store may lack it", async () => {
    const { run, none } = await openRun();

    const [step] = listNextSteps(run, { counts: { ...none, held: 1 }, unsure: 1 });

    expect(step?.text).toEqual({
      tr: "1 satır, ürünü mağazada olabileceği ya da pazaryeri her denemede geri çevirdiği için bekliyor; hangisi olduğu “Nedenler” bölümünde. Panelden bakın, sonra karar verin.",
      en: "1 row waits because the store may have the product, or the marketplace refused it each time; “Reasons” says which. Look at the panel, then decide.",
    });
  });

  it("is never to import the rows of a feed again", async () => {
    const { run, none } = await openRun();

    const counts = { ...none, invalid: 2 };
    expect(listNextSteps({ ...run, kind: "sync" }, { counts, unsure: 0 })).toEqual([]);
  });

  it("shows a name of the file as text, whatever it holds", async () => {
    const { run, none } = await openRun();
    const name = {
      field: "brand",
      column: "Marka",
      value: "<b>&",
      choices: [],
      rows: 1,
      titles: ["Çelik <i>tencere"],
      suggestions: [
        { target: "Karaca", targetId: "b-1", why: { kind: "store", similar: 9, of: 12 } } as const,
      ],
    };
    const facts = factsOf({ reading: readingOf({}, { openNames: [name] }) });

    const html = formatNextSteps(
      { ...run, facts },
      { counts: none, unsure: 0 },
      "npx catalog-toolkit",
    );

    expect(html).toContain("“&lt;b&gt;&amp;” mağazadaki");
    expect(html).toContain("(1 satır, örneğin “Çelik &lt;i&gt;tencere”)");
    expect(html).toContain("Öneri: “Karaca” (Mağazanızdaki 12 benzer üründen 9 tanesi burada).");
    expect(html).toContain("npx catalog-toolkit rules add Marka &quot;&lt;b&gt;&amp;&quot;");
    expect(html).not.toContain("<b>");
  });

  it("is nothing where every row is settled", async () => {
    const { run, none } = await openRun();

    expect(formatNextSteps(run, { counts: none, unsure: 0 })).toContain("Yapılacak bir şey yok");
  });
});

const at = (minute: number, calls: number, perHour: number | null = null) => ({
  minute,
  calls,
  perHour,
});

it("says nothing where no call was made", () => {
  expect(formatCalls([], "tr")).toBe("");
});

it.each([
  ["all calls, and the lowest limit", [at(100, 5, 600), at(102, 7, 300)], [12, 12, 300]],
  ["a single minute", [at(30_000_000, 12)], [12, 12, null]],
  [
    // From minute 30 to 89: the hour a minute earlier has fewer calls, and so has the one after.
    "the busiest hour, wherever it begins",
    [at(0, 50), at(30, 10), at(59, 10), at(60, 20), at(89, 31), at(120, 1)],
    [122, 71, null],
  ],
] as const)("states %s", (_, minutes, [total, busiest, limit]) => {
  const page = formatCalls(minutes, "en");

  const known =
    limit === null
      ? "No hourly limit was known."
      : `The lowest known limit was ${limit} calls an hour.`;
  expect(page).toContain(
    `<p>${total} calls were made, ${busiest} of them in the busiest 60 minutes. ${known}</p>`,
  );
});

function list(prices: readonly (readonly [unknown, number] | undefined)[]): PriceChanges {
  const changes = createPriceChangeList();
  for (const [index, pair] of prices.entries()) {
    changes.observe({
      row: index + 2,
      code: `KOD-${index}`,
      state: "held",
      action: "update",
      changes: [
        pair === undefined
          ? { field: "title", old: "a", new: "b" }
          : { field: "price", old: pair[0], new: pair[1] },
      ],
    });
  }
  return changes.list();
}

describe("createPriceChangeList", () => {
  it("lists the biggest change first, whether dearer or cheaper", () => {
    const { changes, total, unread } = list([[1000, 1100], [1000, 100_000], undefined, [1000, 5]]);

    expect(changes.map(({ code, percent }) => [code, Math.round(percent)])).toEqual([
      ["KOD-3", -99],
      ["KOD-1", 9900],
      ["KOD-0", 10],
    ]);
    expect([total, unread]).toEqual([3, 0]);
  });

  it("compares what buyers pay, and names the prices before the discount", () => {
    const row = { code: "K", state: "ready", action: "update" } as const;
    const price = { field: "price", old: 399_000, new: 355_189 };
    const changes = createPriceChangeList();
    changes.observe({ ...row, row: 2, changes: [price], paid: { old: 345_000, new: 345_000 } });
    changes.observe({ ...row, row: 3, changes: [price], paid: { old: 345_000 } });

    expect(changes.list().changes).toMatchObject([
      { row: 3, oldMinor: 399_000, newMinor: 355_189 },
      {
        row: 2,
        oldMinor: 345_000,
        newMinor: 345_000,
        percent: 0,
        list: { oldMinor: 399_000, newMinor: 355_189 },
      },
    ]);
  });

  it("counts a price whose old value is unknown, and lists no change for it", () => {
    expect(list([[undefined, 500]])).toEqual({ changes: [], total: 0, unread: 1 });
  });

  it("lists as many as a browser can draw, and counts all", () => {
    const { changes, total } = list(
      Array.from({ length: 4500 }, (_, index) => [1000, 1001 + index] as const),
    );

    expect(total).toBe(4500);
    expect(changes).toHaveLength(2000);
    expect(changes[0]?.newMinor).toBe(5500);
    expect(changes.at(-1)?.newMinor).toBe(3501);
  });
});

const change = (oldMinor: number, newMinor: number) => ({
  row: 2,
  code: "K",
  oldMinor,
  newMinor,
  percent: 0,
  result: "held" as const,
});

describe("plotPrices", () => {
  it("draws nothing without changes", () => {
    expect(plotPrices([], "tr")).toBe("");
  });

  it("places each price between the powers of ten around it", () => {
    const page = readPage(plotPrices([change(1000, 100_000), change(100_000, 1000)], "tr"));

    const points = named(page, "circle").map(({ attributes: { class: kind, cx, cy } }) => ({
      kind,
      cx,
      cy,
    }));
    expect(points).toEqual([
      { kind: "rise", cx: "88", cy: "12" },
      { kind: "fall", cx: "488", cy: "412" },
    ]);
    expect(new Set(named(page, "text").map(({ text }) => text))).toEqual(
      new Set(["10", "100", "1.000", "Eski fiyat", "Yeni fiyat"]),
    );
  });

  it("labels its axes so briefly that no label overlaps another", () => {
    const page = readPage(plotPrices([change(1, 10_000_000_000)], "tr"));

    const labels = new Set(named(page, "text").map(({ text }) => text));
    expect([...labels].slice(0, 11)).toEqual(
      "0,01|0,10|1|10|100|1.000|10.000|100.000|1 Mn|10 Mn|100 Mn".split("|"),
    );
  });

  it("draws a single price, and the smallest price", () => {
    const svg = plotPrices([change(1, 0), change(1, 1)], "en");

    expect(svg).not.toMatch(/NaN|Infinity/u);
  });
});
