/**
 * Writes the sheet of open names that a person fills in: a sheet of rules with more columns, of
 * which each meaning has a drop-down of what the store has.
 */

import { createHash } from "node:crypto";
import { extname } from "node:path";

import type { Lang } from "@catalog/i18n";
import { valueRules } from "@catalog/mapping";
import { describeSuggestion, type OpenNameCount } from "@catalog/runs";
import { type OutCell, writeCsv, writeXlsx, type XlsxColumn, type XlsxRow } from "@catalog/sheets";

import type { FileNames, NameTarget } from "../plan/file-names.ts";
import { RULE_HEADERS, SUGGESTION_HEADERS } from "./rule-sheet.ts";

const TEXTS = {
  tr: {
    sheet: "Adlar",
    guide: "Açıklamalar",
    guideHeader: ["Sütun", "Açıklama"],
    rows: "Satır",
    sample: "Örnek",
    why: "Neden",
    guideRows: [
      [
        "Karşılığı",
        "Mağazadaki adı listeden seçin ya da yazın; 1, 2 ya da 3 yazarsanız o sıradaki öneri alınır. Boş kalan satır açık kalır, hiçbir şey kendiliğinden seçilmez.",
      ],
      ["ID", "Ad tek başına yetmiyorsa kimliğini yazın; çoğu zaman boş kalır."],
      ["Satır", "Dosyada bu adı taşıyan satırların sayısı."],
      ["Örnek 1, 2", "Bu satırlardan ürün başlıkları."],
      [
        "Öneri 1, 2, 3",
        "En iyisi başta; yanındaki Neden, önerinin neye dayandığını söyler. Öneri olmaması, yakın bir şey bulunmadığı demektir.",
      ],
      [
        "Bitince",
        "Dosyayı kaydedip şununla okutun: catalog map DOSYA --in BU-DOSYA. Aynı pazaryerindeki başka bir mağaza için: catalog rules import BU-DOSYA.",
      ],
    ],
  },
  en: {
    sheet: "Names",
    guide: "Guide",
    guideHeader: ["Column", "What it is"],
    rows: "Rows",
    sample: "Sample",
    why: "Reason",
    guideRows: [
      [
        "Meaning",
        "Choose the store's name from the list or type it; 1, 2 or 3 takes the suggestion of that number. An empty row stays open, and nothing is chosen by itself.",
      ],
      ["ID", "Where the name is not enough, write its id; mostly it stays empty."],
      ["Rows", "How many rows of the file have the name."],
      ["Sample 1, 2", "Product titles of these rows."],
      [
        "Suggestion 1, 2, 3",
        "The best one first; the reason beside it says what it rests on. No suggestion means that nothing is close.",
      ],
      [
        "When it is filled in",
        "Save the file, and have it read with: catalog map FILE --in THIS-FILE. For another store of the same marketplace: catalog rules import THIS-FILE.",
      ],
    ],
  },
} as const;

/** The file to write. */
interface WriteNamesOptions {
  /** Absolute path of a workbook or CSV file. */
  readonly path: string;
  readonly lang: Lang;
  /** @default all names of the file */
  readonly names?: readonly OpenNameCount[] | undefined;
}

/** Writes the open names of a file, each once, for a person to fill in their meanings. */
export async function writeNamesSheet(
  file: FileNames,
  { path, lang, names = file.names }: WriteNamesOptions,
): Promise<void> {
  const columns = toColumns(lang);
  const header = columns.map((column) => column.header);
  if (extname(path).toLowerCase() === ".csv") {
    const cells = names.map((name) => toCells(name, file.platform, lang));
    await writeCsv({
      path,
      header,
      rows: cells,
      delimiter: lang === "tr" ? ";" : ",",
      decimal: "comma",
    });
    return;
  }
  const { sheet, guide, guideHeader, guideRows } = TEXTS[lang];
  const offers = createOffers(file);
  async function* rows(): AsyncGenerator<XlsxRow> {
    for (const name of names) {
      const cells = toCells(name, file.platform, lang);
      yield { cells, offers: { [MEANING]: await offers(name) } };
    }
  }
  const guideColumns = guideHeader.map((text, at) => ({
    header: text,
    width: GUIDE_WIDTHS[at] ?? 0,
    wraps: true,
  }));
  await writeXlsx({
    path,
    sheets: [
      { name: sheet, columns, rows: rows(), frozenColumns: MEANING },
      { name: guide, columns: guideColumns, rows: guideRows },
    ],
  });
}

/** Index of the column that a person fills in. */
const MEANING = 2;

/** In characters; the first suggestion is seen beside the meaning on a small screen. */
const WIDTHS = { field: 14, value: 36, meaning: 38, id: 10, rows: 8, title: 24, why: 22 } as const;
const GUIDE_WIDTHS: readonly number[] = [24, 90];

function toColumns(lang: Lang): readonly XlsxColumn[] {
  const texts = TEXTS[lang];
  const [field, value, meaning, id] = RULE_HEADERS[lang];
  const added = { isAdded: true, wraps: true };
  return [
    { header: field, width: WIDTHS.field, kind: "text", wraps: true },
    { header: value, width: WIDTHS.value, kind: "text", wraps: true },
    { header: meaning, width: WIDTHS.meaning, kind: "text", wraps: true },
    { header: id, width: WIDTHS.id, kind: "text" },
    { header: texts.rows, width: WIDTHS.rows, kind: "number", ...added },
    { ...added, header: `${texts.sample} 1`, width: WIDTHS.title },
    { ...added, header: `${texts.sample} 2`, width: WIDTHS.title },
    ...SUGGESTION_HEADERS[lang].flatMap((header, at) => [
      { ...added, header, width: WIDTHS.meaning },
      { ...added, header: `${texts.why} ${at + 1}`, width: WIDTHS.why },
    ]),
  ];
}

function toCells(name: OpenNameCount, platform: string | undefined, lang: Lang): OutCell[] {
  const { field, value, rows, titles, suggestions } = name;
  const scoped = valueRules.scopeField(field, platform);
  const suggested = SUGGESTION_HEADERS[lang].flatMap((_, at) => {
    const suggestion = suggestions[at];
    return suggestion === undefined
      ? [null, null]
      : [suggestion.target, describeSuggestion(suggestion)[lang]];
  });
  const samples = [titles[0] ?? null, titles[1] ?? null];
  return [valueRules.nameField(scoped)[lang], value, null, null, rows, ...samples, ...suggested];
}

/** Words of drop-downs with the suggestions of their own name first; beyond it, names share lists. */
const MAX_OWN_WORDS = 100_000;

/** Creates a function that gives what the cell of a name offers: its suggestions, then its list. */
function createOffers(file: FileNames): (name: OpenNameCount) => Promise<readonly string[]> {
  const ofField = new Map<string, Promise<readonly string[]>>();
  const shared = new Map<string, readonly string[]>();
  let left = MAX_OWN_WORDS;
  const share = (targets: readonly NameTarget[]): readonly string[] => {
    const hash = createHash("sha256");
    for (const { target } of targets) hash.update(`${target}\n`);
    const key = hash.digest("hex");
    const words = shared.get(key) ?? targets.map(({ target }) => target);
    shared.set(key, words);
    return words;
  };
  const listOf = async (name: OpenNameCount): Promise<readonly string[]> => {
    if (!WHOLE_LISTS.has(name.field)) return share(await file.targetsOf(name));
    const known = ofField.get(name.field) ?? file.targetsOf(name).then(share);
    ofField.set(name.field, known);
    return await known;
  };
  return async (name) => {
    const list = await listOf(name);
    const suggested = name.suggestions.map(({ target }) => target);
    if (suggested.length === 0 || left < list.length + suggested.length) return list;
    left -= list.length + suggested.length;
    return [...new Set([...suggested, ...list])];
  };
}

/** Fields whose names all have one list. */
const WHOLE_LISTS: ReadonlySet<string> = new Set(["category", "shipping_template"]);
