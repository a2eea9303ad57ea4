/** Words of `catalog map`, and its list of open names for the terminal. */

import { wrapText } from "@catalog/console/wrap-text";
import { formatNumber, type Lang, quoteWord } from "@catalog/i18n";
import { type FileNames, ruleFieldName } from "@catalog/importer";
import { describeSuggestion } from "@catalog/runs";

type OpenName = FileNames["names"][number];
type Reason = OpenName["suggestions"][number]["why"]["kind"];

/** Counts of one kind of name. */
interface KindCount {
  readonly field: string;
  readonly count: number;
}

interface MapTexts {
  readonly none: string;
  readonly title: (names: readonly OpenName[]) => string;
  readonly more: (count: number) => string;
  readonly rows: (rows: number) => string;
  readonly noSuggestion: string;
  readonly next: (file: string, out: string) => string;
  readonly offer: (out: string) => string;
  readonly written: (path: string, count: number) => string;
  readonly fillIn: (file: string, path: string) => string;
  readonly plan: (file: string) => string;
  readonly saved: (count: number) => string;
  readonly replaced: (value: string, before: string) => string;
  readonly beside: (value: string, others: string) => string;
  readonly partly: (value: string, rows: number, lists: number) => string;
  readonly left: (count: number) => string;
  readonly others: (count: number) => string;
  readonly opened: (count: number) => string;
  readonly undo: string;
  readonly below: (pair: string, count: number, others: number) => string;
  readonly onlyWithin: (pair: string, others: number) => string;
  readonly reasons: Readonly<Record<Reason, string>>;
  readonly accept: (reason: string, count: number) => string;
  readonly nothing: (flag: string) => string;
  readonly sure: (count: number) => string;
  readonly notSaved: string;
}

const n = {
  tr: (value: number): string => formatNumber(value, "tr"),
  en: (value: number): string => formatNumber(value, "en"),
};
const namesEn = (count: number): string => `${n.en(count)} ${count === 1 ? "name" : "names"}`;

/** `32 Category, 6 Brand`, in the order of the file. */
function listKinds(names: readonly OpenName[], lang: Lang): string {
  const kinds: readonly KindCount[] = [...Map.groupBy(names, ({ field }) => field)].map(
    ([field, same]) => ({ field, count: same.length }),
  );
  const shown = kinds.slice(0, MAX_KINDS).map(({ field, count }) => {
    return `${ruleFieldName(field)[lang]}: ${formatNumber(count, lang)}`;
  });
  return [...shown, ...(kinds.length > MAX_KINDS ? ["…"] : [])].join(", ");
}

const MAX_KINDS = 6;

export const MAP_TEXTS: Readonly<Record<Lang, MapTexts>> = {
  tr: {
    none: "Açık ad yok: dosyadaki bütün adların mağazada bir karşılığı var.",
    title: (names) => `Karşılığı bilinmeyen ${n.tr(names.length)} ad (${listKinds(names, "tr")})`,
    more: (count) => `… ve ${n.tr(count)} ad daha`,
    rows: (rows) => `${n.tr(rows)} satır`,
    noSuggestion: "öneri yok",
    next: (file, out) =>
      `Hepsini bir tabloda doldurmak için: catalog map ${quoteWord(file)} --out ${quoteWord(out)}`,
    offer: (out) => `Doldurmanız için tablo yazılsın mı (${out})?`,
    written: (path, count) => `Yazıldı: ${path} (${n.tr(count)} ad)`,
    fillIn: (file, path) =>
      `“Karşılığı” sütununu doldurup kaydedin, sonra: catalog map ${quoteWord(file)} --in ${quoteWord(path)}`,
    plan: (file) => `Sırada: catalog plan ${quoteWord(file)}`,
    saved: (count) => `${n.tr(count)} karşılık kaydedildi.`,
    replaced: (value, before) => `“${value}”, önceki karşılığı: ${before}`,
    beside: (value, others) => `“${value}” başka kategorilerde şu demek olmayı sürdürür: ${others}`,
    partly: (value, rows, lists) =>
      `“${value}” ${n.tr(lists)} kategorideki ${n.tr(rows)} satırda açık kaldı: bu karşılık orada yok.`,
    left: (count) => `Karşılığı boş bırakılan ${n.tr(count)} ad açık kaldı.`,
    others: (count) => `Bu dosyada açık olmayan ${n.tr(count)} satır atlandı.`,
    opened: (count) =>
      `Kategorisi artık bilinen satırlarda ${n.tr(count)} ad daha eşlenmeyi bekliyor.`,
    undo: "Geri almak için: catalog rules undo",
    below: (pair, count, others) =>
      `${pair}: ${n.tr(count)} ad eşlenir${others === 0 ? "" : `, ${n.tr(others)} ad açık kalır`}. Örnekler:`,
    onlyWithin: (pair, others) =>
      `${pair}: altında adı aynı olan yok; ${n.tr(others)} ad için yalnızca buradaki kategoriler öneriliyor.`,
    reasons: {
      answer: "Önceki yanıtlarınız",
      market: "Pazaryerindeki benzer ürünler",
      store: "Mağazanızdaki benzer ürünler",
      words: "Adların sözcükleri",
      titles: "Örnek ürünlerin başlıkları",
    },
    accept: (reason, count) => `${reason}: ${n.tr(count)} adın ilk önerisi alınır. Örnekler:`,
    nothing: (flag) => `${flag}: uyan açık ad yok.`,
    sure: (count) => `${n.tr(count)} karşılık kaydedilsin mi?`,
    notSaved: "Hiçbir şey kaydedilmedi.",
  },
  en: {
    none: "There are no open names: the store has a meaning for every name of the file.",
    title: (names) =>
      `${namesEn(names.length)} without a known meaning (${listKinds(names, "en")})`,
    more: (count) => `… and ${n.en(count)} more`,
    rows: (rows) => `${n.en(rows)} ${rows === 1 ? "row" : "rows"}`,
    noSuggestion: "no suggestion",
    next: (file, out) =>
      `To fill all of them into a table: catalog map ${quoteWord(file)} --out ${quoteWord(out)}`,
    offer: (out) => `Write the table for you to fill in (${out})?`,
    written: (path, count) => `Written: ${path} (${namesEn(count)})`,
    fillIn: (file, path) =>
      `Fill in the column “Meaning” and save the file, then: catalog map ${quoteWord(file)} --in ${quoteWord(path)}`,
    plan: (file) => `Next: catalog plan ${quoteWord(file)}`,
    saved: (count) =>
      count === 1 ? "1 meaning was saved." : `${n.en(count)} meanings were saved.`,
    replaced: (value, before) => `“${value}” meant before: ${before}`,
    beside: (value, others) => `“${value}” still means in other categories: ${others}`,
    partly: (value, rows, lists) =>
      `“${value}” stays open in ${n.en(rows)} ${rows === 1 ? "row" : "rows"} of ${n.en(lists)} ${lists === 1 ? "category" : "categories"}, which ${lists === 1 ? "does" : "do"} not have that meaning.`,
    left: (count) => `Left empty, and still open: ${namesEn(count)}.`,
    others: (count) =>
      `Skipped, as they are not open in this file: ${n.en(count)} ${count === 1 ? "row" : "rows"}.`,
    opened: (count) =>
      `Waiting to be mapped in rows whose category is known now: ${n.en(count)} more ${count === 1 ? "name" : "names"}.`,
    undo: "To undo it: catalog rules undo",
    below: (pair, count, others) =>
      `${pair}: ${namesEn(count)} to map${others === 0 ? "" : `, ${n.en(others)} stay open`}. Samples:`,
    onlyWithin: (pair, others) =>
      `${pair}: no name is equal to one in it; ${namesEn(others)} below it now have suggestions from there only.`,
    reasons: {
      answer: "Your earlier answers",
      market: "Similar products on the marketplace",
      store: "Similar products in your store",
      words: "Words of the names",
      titles: "Titles of the products",
    },
    accept: (reason, count) => `${reason}: the first suggestion of ${namesEn(count)}. Samples:`,
    nothing: (flag) => `${flag}: no open name fits.`,
    sure: (count) => (count === 1 ? "Save 1 meaning?" : `Save ${n.en(count)} meanings?`),
    notSaved: "Nothing was saved.",
  },
};

/** Names that the terminal shows. */
const MAX_SHOWN = 20;

/** From this width on, a name has one line. */
const WIDE = 110;

const GAP = "  ";
const MAX_FIELD = 18;

interface NamesView {
  readonly lang: Lang;
  /** Width of the output; `Infinity` for a file or a pipe. */
  readonly columns: number;
}

/** Lists the first open names, each with its first suggestion and why. */
export function formatNames(names: readonly OpenName[], { lang, columns }: NamesView): string {
  const texts = MAP_TEXTS[lang];
  if (names.length === 0) return `${texts.none}\n`;
  const shown = names.slice(0, MAX_SHOWN);
  const fields = shown.map(({ field }) => ruleFieldName(field)[lang]);
  const width = Math.min(MAX_FIELD, Math.max(...fields.map(({ length }) => length)));
  const indent = width + GAP.length;
  const lines = shown.map((name, at) => {
    const start = `${(fields[at] ?? "").padEnd(width)}${GAP}${name.value} (${texts.rows(name.rows)})`;
    const [first] = name.suggestions;
    const meaning =
      first === undefined
        ? texts.noSuggestion
        : `${first.target} · ${describeSuggestion(first)[lang]}`;
    const wrapped = (line: string, by: number): string => wrapText(line, { columns, indent: by });
    return columns >= WIDE
      ? `${wrapped(`${start} → ${meaning}`, indent)}\n`
      : `${wrapped(start, indent)}\n${wrapped(`${" ".repeat(indent)}→ ${meaning}`, indent + GAP.length)}\n`;
  });
  const more = names.length > shown.length ? [`${texts.more(names.length - shown.length)}\n`] : [];
  return [`${texts.title(names)}\n\n`, ...lines, ...more].join("");
}
