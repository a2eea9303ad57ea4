import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

/** Exports the open questions, and fills in the rows. */
async function openQuestions(
  fill: Parameters<typeof fillIn>[0]["fill"],
): Promise<{ readonly shop: TestStore; readonly file: string }> {
  const shop = await openTestStore({ questions: { count: 30 } });
  const from = join(shop.folder, "sorular.xlsx");
  await shop.run("export", "questions", "--unanswered", "--out", from, "--lang", "tr");
  const to = join(shop.folder, "dolu.xlsx");
  await fillIn({ from, to, fill });
  return { shop, file: to };
}

const first =
  (cells: Readonly<Record<string, string | number | boolean>>) => (_: unknown, index: number) =>
    index === 0 ? cells : {};

describe("a cell that is no answer is refused where it is", () => {
  it.each<[name: string, cell: string | number | boolean, code: string]>([
    ["a number", 5, "E_ACTION_NOT_TEXT"],
    ["true", true, "E_ACTION_NOT_TEXT"],
    ["<SİL>", "<SİL>", "E_ACTION_CLEAR"],
    ["<CLEAR>", "<clear>", "E_ACTION_CLEAR"],
    ["an error as text", "#YOK", "E_ACTION_ERROR"],
    ["a text without an end", "x".repeat(10_001), "E_ACTION_TOO_LONG"],
  ])("%s", async (_, cell, code) => {
    const { shop, file } = await openQuestions(first({ Yanıt: cell }));

    const { counts, issues, exit } = await shop.json("answer", file, "--yes", "--lang", "en");

    expect([exit, counts.invalid, counts.updated]).toEqual([5, 1, 0]);
    expect(issues[0]).toMatchObject({ code, column: "Yanıt", row: 2 });
    expect(issues[0].cell).toMatch(/^[A-Z]2$/u);
    expect(shop.sandbox.inspect().effects).toEqual({});
  });
});

describe("an answer", () => {
  const TEXTS = [
    "Merhaba,\nikinci satır\n\nson",
    "=1+1",
    "'tırnak",
    "+90 212",
    "-5 değil",
    '@herkes 😀 “tırnak”; virgül, "çift"',
    "\tsekme içerde\tkalır",
    "<b>kalın</b> & daha",
    "00123",
  ];

  it.each([
    ["xlsx", "tr"],
    ["csv", "en"],
  ])("reaches the buyer as it stands in its cell, from a %s file in %s", async (ext, lang) => {
    const shop = await openTestStore({ questions: { count: 40 } });
    const from = join(shop.folder, `sorular.${ext}`);
    await shop.run("export", "questions", "--unanswered", "--out", from, "--lang", lang);
    const [idHeader, header] = lang === "tr" ? ["Soru ID", "Yanıt"] : ["Question ID", "Answer"];
    const to = join(shop.folder, `dolu.${ext}`);
    await fillIn({ from, to, fill: (_, index) => ({ [header]: TEXTS[index] ?? null }) });
    const wanted = columnOf(await readTable(to), header);

    const { counts } = await shop.json("answer", to, "--yes", "--lang", lang);
    const back = join(shop.folder, `sonra.${ext}`);
    await shop.run("export", "questions", "--out", back, "--lang", lang);
    const again = await shop.json("answer", back, "--yes", "--lang", lang);

    const ids = columnOf(await readTable(to), idHeader);
    const table = await readTable(back);
    const shown = new Map(
      columnOf(table, idHeader).map((id, index) => [id, columnOf(table, header)[index]]),
    );
    expect(counts.updated).toBe(TEXTS.length);
    for (const [index, id] of ids.entries()) {
      const text = wanted[index];
      expect(shown.get(id)).toEqual(typeof text === "string" ? text.trim() : null);
    }
    // An export that nobody has touched sends nothing.
    expect([again.exit, again.counts.updated, again.counts.held]).toEqual([0, 0, 0]);
    expect(again.requests.write).toBe(0);
  });

  it("to the same question twice is sent once, two different ones are refused", async () => {
    const shop = await openTestStore({ questions: { count: 30 } });
    const from = join(shop.folder, "sorular.csv");
    await shop.run("export", "questions", "--unanswered", "--out", from, "--lang", "tr");
    const ids = columnOf(await readTable(from), "Soru ID");
    const file = join(shop.folder, "dolu.csv");
    const twice = [ids[0], ids[0], ids[1], ids[1]];
    const texts = ["Evet", "Evet", "Evet", "Hayır"];
    await fillIn({
      from,
      to: file,
      fill: (_, index) =>
        index < 4 ? { "Soru ID": String(twice[index]), Yanıt: texts[index] ?? null } : {},
    });

    const { counts, issues } = await shop.json("answer", file, "--yes");

    expect(counts).toMatchObject({ updated: 1, duplicate: 2 });
    expect(issues.map(({ code }: { readonly code: string }) => code)).toContain("E_ACTION_TWICE");
  });

  it("for all questions is not sent unread, and once it was accepted", async () => {
    const shop = await openTestStore({ questions: { count: 80 } });
    const from = join(shop.folder, "sorular.csv");
    await shop.run("export", "questions", "--unanswered", "--out", from, "--lang", "tr");
    const file = join(shop.folder, "dolu.csv");
    await fillIn({ from, to: file, fill: () => ({ Yanıt: "Merhaba" }) });

    const refused = await shop.json("answer", file, "--yes", "--lang", "en");
    const sent = await shop.json("answer", file, "--yes", "--allow", "same-answer");

    expect([refused.exit, refused.counts.updated]).toEqual([3, 0]);
    expect(refused.warnings[0]).toContain("get the same answer");
    expect(sent.counts.updated).toBe(refused.counts.pending);
  });
});

describe("a file of another kind", () => {
  it.each([
    ["answer", "orders", "catalog orders accept"],
    ["orders accept", "questions", "catalog answer"],
  ])("%s says what takes a file of %s", async (command, kind, advice) => {
    const shop = await openTestStore({ questions: { count: 5 }, orders: { packages: 5 } });
    const file = join(shop.folder, "dosya.xlsx");
    await shop.run("export", kind, "--out", file);

    const { code, err } = await shop.run(...command.split(" "), file, "--yes", "--lang", "en");

    expect(code).toBe(3);
    expect(err.replaceAll(/\s+/gu, " ")).toContain(advice);
  });
});
