/** `catalog rules price …`, `rules costs …` and `rules try FILE`: the price rules of the store. */

import { EXIT, type Flags, readFlag, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, formatMinor, formatNumber, isAddress, type Lang } from "@catalog/i18n";
import {
  assertReadable,
  createFeedFetch,
  exportPriceRules,
  importCosts,
  importPriceRules,
  parsePlatform,
  readPriceRules,
  readRuleSheet,
  type TriedRow,
  tryRules,
} from "@catalog/importer";
import { describeRule, nameRule, type PriceRule } from "@catalog/pricing";

import type { CommandContext } from "../../context.ts";
import { textsFor } from "../../texts.ts";

type Connection = Awaited<ReturnType<CommandContext["openConnection"]>>;

interface PriceResult {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly exit: number;
}

const PRICE_TEXTS = {
  tr: {
    none: "Fiyat kuralı yok. Boş tabloyu almak için: catalog rules price export kurallar.xlsx\n",
    shared: (at: string) => `Bütün mağazaların fiyat kuralları, ${at}\n`,
    version: (version: number, at: string) => `Sürüm ${version}, ${at}\n`,
    costs: (count: number) => `Maliyeti bilinen ürün: ${formatNumber(count, "tr")}\n`,
    saved: (count: number, version: number) =>
      `${count} kural kaydedildi (sürüm ${version}). Denemek için: catalog rules try DOSYA\n`,
    written: (path: string) => `Yazıldı: ${path}\n`,
    removed: "Fiyat kuralları kaldırıldı.\n",
    mayRemove: (rules: number) =>
      `${formatNumber(rules, "tr")} fiyat kuralının hepsi kaldırılsın mı? Bundan sonra dosyaların ve beslemelerin kendi fiyatları gönderilir; zamanlanmış eşitlemelerde de.`,
    mayRebase:
      "Bütün taban fiyatlar unutulsun mu? Mağazanın fiyatından hesaplayan kurallar bundan sonra mağazanın şimdiki fiyatından hesaplar.",
    unchanged: "Hiçbir şey değişmedi.\n",
    rebased: (count: number) =>
      `${formatNumber(count, "tr")} ürünün taban fiyatı unutuldu; sıradaki plan mağazanın o günkü fiyatını taban alır.\n`,
    costsSaved: (count: number) => `${formatNumber(count, "tr")} ürünün maliyeti kaydedildi.\n`,
    costsRemoved: (count: number) => `${formatNumber(count, "tr")} maliyet silindi.\n`,
    row: (row: number, code: string) => `Satır ${row}  ${code}`,
    price: "fiyat",
    discounted: "indirimli",
    stock: "stok",
    held: "BEKLETİLİR",
    noRule: "kural uymadı",
    total: (counts: Counts) =>
      `${formatNumber(counts.total, "tr")} satır: ${formatNumber(counts.ruled, "tr")} satıra kural uygulandı, ${formatNumber(counts.belowCost, "tr")} satır maliyetin altında, ${formatNumber(counts.left, "tr")} satırda kural belirlenemedi.\n`,
    more: (shown: number) => `İlk ${shown} satır gösterildi; hepsi için --all.\n`,
  },
  en: {
    none: "There are no price rules. For the empty table: catalog rules price export rules.xlsx\n",
    shared: (at: string) => `The price rules of all stores, ${at}\n`,
    version: (version: number, at: string) => `Version ${version}, ${at}\n`,
    costs: (count: number) => `Products whose cost is known: ${formatNumber(count, "en")}\n`,
    saved: (count: number, version: number) =>
      `${count === 1 ? "1 rule was" : `${count} rules were`} saved (version ${version}). To try them: catalog rules try FILE\n`,
    written: (path: string) => `Written: ${path}\n`,
    removed: "The price rules were removed.\n",
    mayRemove: (rules: number) =>
      `Remove all price rules (${formatNumber(rules, "en")})? From then on the prices of files and feeds are sent as they are, by scheduled syncs too.`,
    mayRebase:
      "Forget all base prices? Rules that begin from the store's price then begin from its present price.",
    unchanged: "Nothing was changed.\n",
    rebased: (count: number) =>
      `The base prices of ${formatNumber(count, "en")} products were forgotten; the next plan takes the store's price of that day.\n`,
    costsSaved: (count: number) =>
      `The costs of ${formatNumber(count, "en")} products were saved.\n`,
    costsRemoved: (count: number) => `${formatNumber(count, "en")} costs were deleted.\n`,
    row: (row: number, code: string) => `Row ${row}  ${code}`,
    price: "price",
    discounted: "discounted",
    stock: "stock",
    held: "HELD",
    noRule: "no rule fits",
    total: (counts: Counts) =>
      `${formatNumber(counts.total, "en")} rows: a rule was applied to ${formatNumber(counts.ruled, "en")}, ${formatNumber(counts.belowCost, "en")} are below cost, and for ${formatNumber(counts.left, "en")} the rule is not certain.\n`,
    more: (shown: number) => `The first ${shown} rows are shown; --all shows every one.\n`,
  },
} as const;

interface Counts {
  readonly total: number;
  readonly ruled: number;
  readonly belowCost: number;
  readonly left: number;
}

/** The actions on price rules and on costs. */
const PRICE_ACTIONS = ["list", "import", "export", "remove", "rebase"] as const;
const COST_ACTIONS = ["list", "import", "remove"] as const;

/** Throws `UsageError` for a word that is no action, and for an action without its file. */
export function assertPriceWords(action: "price" | "costs" | "try", flags: Flags): void {
  const what = readFlag.text(flags, "what");
  const value = readFlag.text(flags, "value");
  const examples = {
    price: { tr: "rules price import kurallar.xlsx", en: "rules price import rules.xlsx" },
    costs: { tr: "rules costs import maliyetler.xlsx", en: "rules costs import costs.xlsx" },
    try: { tr: "rules try stok.xlsx", en: "rules try stock.xlsx" },
  }[action];
  const refuse = (tr: string, en: string): never => {
    throw new UsageError({
      tr: `${tr}\nÖrnek: catalog ${examples.tr}`,
      en: `${en}\nExample: catalog ${examples.en}`,
    });
  };
  if (action === "try") {
    if (what === undefined) refuse("Hangi dosya denensin?", "Which file is to be tried?");
    return;
  }
  const actions: readonly string[] = action === "price" ? PRICE_ACTIONS : COST_ACTIONS;
  const list = actions.join(", ");
  if (what !== undefined && !actions.includes(what)) {
    refuse(
      `"${what}" yapılamaz. Yapılabilenler: ${list}.`,
      `"${what}" cannot be done. These can: ${list}.`,
    );
  }
  if ((what === "import" || what === "export") && value === undefined) {
    refuse("Hangi dosya?", "Which file?");
  }
}

const wordOf = (flags: Flags, name: string): string => readFlag.text(flags, name) ?? "";

/** The file of an action that reads one. */
function toSource({ resolve, limits }: CommandContext, flags: Flags) {
  return {
    path: resolve(wordOf(flags, "value")),
    limits,
    encoding: readFlag.text(flags, "encoding"),
  };
}

/** Runs an action on the price rules. */
export async function runPriceAction(
  context: CommandContext,
  connection: Connection,
  flags: Flags,
): Promise<PriceResult> {
  const { lang, resolve } = context;
  const texts = PRICE_TEXTS[lang];
  const { prices } = connection.memory;
  switch (readFlag.text(flags, "what")) {
    case "import": {
      const { rules, version } = await importPriceRules(
        connection.memory,
        toSource(context, flags),
      );
      return done(texts.saved(rules.length, version), { rules, version });
    }
    case "export": {
      const path = resolve(wordOf(flags, "value"));
      const { rules } = await readPriceRules(connection);
      await exportPriceRules(rules, { path, lang });
      return done(texts.written(path), { path, count: rules.length });
    }
    case "remove": {
      const { rules, isShared } = await readPriceRules(connection);
      if (isShared) throw sharedPrices();
      const isSure = await mayChange(context, flags, texts.mayRemove(rules.length));
      if (!isSure) return NOT_CHANGED[lang];
      return done(texts.removed, { version: await prices.saveRules([]) });
    }
    case "rebase": {
      const isSure = await mayChange(context, flags, texts.mayRebase);
      if (!isSure) return NOT_CHANGED[lang];
      const forgotten = await prices.forgetBases();
      return done(texts.rebased(forgotten), { forgotten });
    }
    case undefined:
    default: {
      const { rules, version, savedAtMs, costs, isShared } = await readPriceRules(connection);
      const json = { rules, version, costs: costs.size, shared: isShared };
      if (rules.length === 0) return done(texts.none + texts.costs(costs.size), json);
      const at = formatDateTime(savedAtMs, lang, { dateStyle: "medium", timeStyle: "short" });
      const lines = rules.map((rule) => formatRule(rule, context));
      const head = isShared ? texts.shared(at) : texts.version(version, at);
      return done(head + lines.join("") + texts.costs(costs.size), json);
    }
  }
}

const sharedPrices = (): UsageError =>
  new UsageError({
    tr: "Bu mağazanın kendi fiyat kuralı yok; geçerli olanlar bütün mağazaların. Yalnız bu mağazanın yapmak için: catalog rules unshare price",
    en: "This store has no price rules of its own; those of all stores hold. To make them this store's own: catalog rules unshare price",
  });

const done = (text: string, json: PriceResult["json"]): PriceResult => ({
  text,
  json,
  exit: EXIT.done,
});

const NOT_CHANGED: Readonly<Record<Lang, PriceResult>> = {
  tr: done(PRICE_TEXTS.tr.unchanged, { changed: false }),
  en: done(PRICE_TEXTS.en.unchanged, { changed: false }),
};

/** What cannot be taken back is asked first. Throws `UsageError` where nobody can be asked. */
async function mayChange(
  { terminal, lang }: CommandContext,
  flags: Flags,
  question: string,
): Promise<boolean> {
  if (flags["yes"] === true) return true;
  if (!terminal.canAsk) {
    throw new UsageError({
      tr: "Soru sorulabilecek bir terminal yok. Sormadan yapmak için --yes ekleyin.",
      en: "There is no terminal to ask on. Add --yes to go ahead without asking.",
    });
  }
  return (await terminal.ask(question, textsFor(lang))) === true;
}

function formatRule(rule: PriceRule, { lang, terminal }: CommandContext): string {
  const { products, does } = describeRule(rule);
  const line = `${nameRule(rule)}  ${products[lang]}: ${does[lang]}`;
  return `${wrapText(line, { columns: terminal.outColumns, indent: 4 })}\n`;
}

/** Runs an action on the costs. */
export async function runCostAction(
  context: CommandContext,
  { memory }: Connection,
  flags: Flags,
): Promise<PriceResult> {
  const texts = PRICE_TEXTS[context.lang];
  switch (readFlag.text(flags, "what")) {
    case "import": {
      const saved = await importCosts(memory, toSource(context, flags));
      return done(texts.costsSaved(saved), { saved });
    }
    case "remove": {
      const removed = await memory.prices.removeCosts();
      return done(texts.costsRemoved(removed), { removed });
    }
    case undefined:
    default: {
      const costs = await memory.prices.listCosts();
      const lines = costs.map(({ code, cost }) => `${code}  ${formatMinor(cost, context.lang)}\n`);
      return done(lines.join("") + texts.costs(costs.length), {
        costs: costs.map(({ code, cost }) => ({ code, cost })),
      });
    }
  }
}

/** Rows that are shown without `--all`. */
const SHOWN_ROWS = 20;

/** Tries the rules on a file or feed. */
export async function runTryAction(
  context: CommandContext,
  connection: Connection,
  flags: Flags,
): Promise<PriceResult> {
  const { lang, resolve, clock, limits } = context;
  const findLogin = await context.openFeedLogins?.(
    readFlag.text(flags, "feed-auth"),
    readFlag.text(flags, "host-key"),
  );
  const feed = wordOf(flags, "what");
  const sheet = readFlag.text(flags, "rules");
  const allowHosts = readFlag.texts(flags, "allow-host");
  const reading = readFlag.reading(flags);
  const rules =
    sheet === undefined ? undefined : await readRuleSheet({ path: resolve(sheet), limits });
  const tried = await tryRules(connection, {
    feed: isAddress(feed) ? feed : resolve(feed),
    fetch: createFeedFetch({ clock, allowHosts, limits, findLogin }),
    reading: {
      ...reading,
      platform: parsePlatform(reading.platform),
      sheet: { ...reading.sheet, ...(limits !== undefined && { limits }) },
    },
    rules,
    max: flags["all"] === true ? Number.MAX_SAFE_INTEGER : SHOWN_ROWS,
    signal: context.stop,
  });
  const texts = PRICE_TEXTS[lang];
  const { rows, notes, ...counts } = tried;
  const text = [
    ...rows.map((row) => formatTried(row, context)),
    ...notes.map((note) => `${wrapText(note[lang], { columns: context.terminal.outColumns })}\n`),
    texts.total(counts),
    ...(rows.length < counts.total ? [texts.more(rows.length)] : []),
  ].join("");
  return done(text, {
    ...counts,
    rows: rows.map(toJson),
    notes: notes.map((note) => note[lang]),
  });
}

/** Asserts that a file which the words name can be read, before anything is opened. */
export async function assertPriceFile(
  action: "price" | "costs" | "try",
  { resolve }: Pick<CommandContext, "resolve">,
  flags: Flags,
): Promise<void> {
  const what = wordOf(flags, "what");
  if (action === "try" && !isAddress(what)) await assertReadable(resolve(what));
  if (action !== "try" && what === "import") await assertReadable(resolve(wordOf(flags, "value")));
}

function formatTried(
  { row, code, before, after, rules, isHeld }: TriedRow,
  { lang, terminal }: CommandContext,
): string {
  const texts = PRICE_TEXTS[lang];
  const money = (minor: number | undefined): string =>
    minor === undefined ? "–" : formatMinor(minor, lang);
  const values = [
    ...(before.price === undefined && after.price === undefined
      ? []
      : [`${texts.price} ${money(before.price)} → ${money(after.price)}`]),
    ...(before.discounted === undefined && after.discounted === undefined
      ? []
      : [`${texts.discounted} ${money(before.discounted)} → ${money(after.discounted)}`]),
    ...(before.stock === undefined
      ? []
      : [`${texts.stock} ${before.stock} → ${after.stock ?? "–"}`]),
  ];
  const head = `${texts.row(row, code ?? "")}  ${[...values, ...(isHeld ? [texts.held] : [])].join(" · ")}`;
  const lines = (rules.length === 0 ? [texts.noRule] : rules.map((rule) => rule[lang])).map(
    (line) => `${wrapText(`    ${line}`, { columns: terminal.outColumns, indent: 4 })}\n`,
  );
  return `${head}\n${lines.join("")}`;
}

const toJson = ({ isHeld, ...row }: TriedRow) => ({ ...row, held: isHeld });
