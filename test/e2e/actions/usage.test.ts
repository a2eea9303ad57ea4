/** The lines of the manual about actions and single calls, typed as they stand, in both languages. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { OutCell } from "@catalog/sheets";
import { expect, it } from "vitest";

import { type Filled, fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";
import { codeBlocks, readDocument } from "../../repo/docs/markdown.ts";

type Lang = "tr" | "en";

interface Section {
  readonly heading: Readonly<Record<Lang, string>>;
  /** Status of all packages. */
  readonly status?: number;
  /** What a person fills in, by keys of `HEADERS`. */
  readonly fill?: (index: number, lang: Lang) => Readonly<Record<string, OutCell>>;
  /** What the sandbox has carried out in the end, by the name of the call. */
  readonly effects: Readonly<Record<string, number>>;
}

const HEADERS: Readonly<Record<string, Readonly<Record<Lang, string>>>> = {
  answer: { tr: "Yanıt", en: "Answer" },
  action: { tr: "İşlem", en: "Action" },
  reason: { tr: "Gerekçe", en: "Reason" },
  company: { tr: "Kargo Firması", en: "Shipping Company" },
  note: { tr: "Kargo Notu", en: "Shipping Note" },
};

const PACKAGES = 6;

/** The sections whose lines are run, each in a store of its own. */
const SECTIONS: readonly Section[] = [
  {
    heading: { tr: "### Kargo listeleri", en: "### Shipping lists" },
    status: 1,
    effects: {},
  },
  {
    heading: {
      tr: "### Teslimat şablonlarını Excel'de değiştirmek",
      en: "### Changing shipping templates in Excel",
    },
    fill: (n) => (n === 0 ? { note: "Kırılacak eşya" } : {}),
    // The change and its undo.
    effects: { "shippingTemplate.update": 2 },
  },
  {
    heading: { tr: "## Soruları Excel'de yanıtlamak", en: "## Answer questions in Excel" },
    fill: (n) => (n < 3 ? { answer: `Merhaba ${n}` } : {}),
    effects: { "question.reply": 3 },
  },
  {
    heading: { tr: "## Siparişleri toplu onaylamak", en: "## Accept orders in bulk" },
    status: 1,
    fill: (n, lang) => ({
      action: (n % 2 === 0 ? { tr: "Onayla", en: "Accept" } : { tr: "Ertele", en: "Postpone" })[
        lang
      ],
    }),
    // Two of the postponed ones are accepted by their ids.
    effects: { "order.accept": 5, "order.postpone": 3 },
  },
  {
    heading: { tr: "## Kargo kodu almak", en: "## Make shipping codes" },
    status: 3,
    fill: (n) => (n < 2 ? { company: "Örnek Kargo" } : {}),
    effects: { "shipping.generateCode": PACKAGES },
  },
  {
    heading: { tr: "## İadeler", en: "## Returns" },
    status: 13,
    fill: (n, lang) => ({
      action: (n % 2 === 0
        ? { tr: "İadeyi onayla", en: "Accept return" }
        : { tr: "İadeyi reddet", en: "Reject return" }
      )[lang],
      reason: "Kullanılmış",
    }),
    effects: { "order.acceptReturn": 3, "order.rejectReturn": 3 },
  },
  {
    heading: { tr: "## Tek bir çağrı yapmak", en: "## Make a single call" },
    status: 1,
    effects: { "order.accept": 1 },
  },
];

/** The command lines of a section, up to the next heading. */
function linesOf(lang: Lang, heading: string): readonly string[] {
  const { text } = readDocument(`docs/usage.${lang}.md`);
  const [, after = ""] = text.split(`\n${heading}\n`);
  const [section = ""] = after.split(/\n##/u);
  return (
    codeBlocks(section, "sh")
      .flatMap((code) => code.split("\n"))
      // That one does all at once what the lines above it have done.
      .filter((line) => line.startsWith("catalog ") && !line.includes(" as-written "))
      .map((line) => line.replace(/\s+#.*$/u, "").replace(/^catalog /u, ""))
  );
}

const toWords = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain = ""]) => quoted ?? plain);

/** Commands that ask before they send. */
const ASKS =
  /^(?:answer|orders|undo|shipping templates import|api (?:order\.accept|product\.update) )/u;

/** What a person answers, who is not at a terminal here. */
const toAnswer = (line: string): readonly string[] =>
  ASKS.test(line) && !/--(?:plan|yes|help)\b/u.test(line) ? ["--yes"] : [];

/** Whether a line takes a file that an earlier one has written. */
const isToFill = (
  { folder }: TestStore,
  { path, line }: { readonly path: string; readonly line: string },
): boolean => path !== "" && existsSync(join(folder, path)) && !line.includes(" prices ");

/** What stands for something of the reader's own store. */
interface Own {
  readonly lastRun: string;
  readonly packages: readonly string[];
}

const toOwn = (line: string, { lastRun, packages }: Own): string =>
  line
    .replace(/r-\d{6}-\d{4}-[0-9a-f]{4}/u, lastRun)
    .replace(
      "66b1f0,66b1f1",
      packages
        .filter((_, n) => n % 2 === 1)
        .slice(0, 2)
        .join(","),
    )
    .replace("P-1001", packages[0] ?? "")
    .replace("Sample Cargo", "Örnek Kargo");

async function readPackages(shop: TestStore): Promise<readonly string[]> {
  const path = join(shop.folder, "kimlikler.csv");
  await shop.run("export", "orders", "--per", "package", "--out", path, "--lang", "tr");
  return columnOf(await readTable(path), "Paket ID").map(String);
}

async function writeBody(shop: TestStore, name: string): Promise<void> {
  const [product] = (await shop.json("api", "product.list", "--param", "limit=1")).data.result;
  writeFileSync(
    join(shop.folder, name),
    JSON.stringify({ product_id: product.id, title: `${product.title} Yeni` }),
  );
}

/** Fills in the file that a line names, the first time that it is named after its export. */
async function fillFile(shop: TestStore, section: Section, of: { path: string; lang: Lang }) {
  const { fill } = section;
  if (fill === undefined) return;
  const path = join(shop.folder, of.path);
  const toFilled = (index: number): Filled =>
    Object.fromEntries(
      Object.entries(fill(index, of.lang)).map(([key, cell]) => [
        HEADERS[key]?.[of.lang] ?? key,
        cell,
      ]),
    );
  await fillIn({ from: path, to: path, fill: (_, index) => toFilled(index) });
}

const CASES = SECTIONS.flatMap((section) =>
  (["tr", "en"] as const).map((lang) => [section.heading[lang], lang, section] as const),
);

it.each(CASES)(
  "every line below “%s” does what it says (%s)",
  async (heading, lang, section) => {
    const shop = await openTestStore({
      products: 10,
      questions: { count: 12, answeredPercent: 20 },
      orders: { packages: PACKAGES, statuses: [section.status ?? 1] },
    });
    const own = { lastRun: "", packages: await readPackages(shop) };
    const lines = linesOf(lang, heading);
    const filled = new Set<string>();
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const path = /\S+\.(?:xlsx|csv|json)\b/u.exec(line)?.[0] ?? "";
      if (path.endsWith(".json")) await writeBody(shop, path);
      if (isToFill(shop, { path, line }) && !filled.has(path)) {
        filled.add(path);
        await fillFile(shop, section, { path, lang });
      }
      const words = [...toWords(toOwn(line, own)), ...toAnswer(line), "--lang", lang];
      const { code, out, err } = await shop.run(...words);
      own.lastRun = /r-\d{6}-\d{4}-[0-9a-f]{4}/u.exec(out)?.[0] ?? own.lastRun;
      expect([line, code, code === 0 ? "" : out + err]).toEqual([line, 0, ""]);
    }

    const effects = Object.entries(shop.sandbox.inspect().effects).map(([call, subjects]) => [
      call,
      Object.values(subjects).reduce((sum, times) => sum + times, 0),
    ]);
    expect(Object.fromEntries(effects)).toEqual(section.effects);
  },
  60_000,
);
