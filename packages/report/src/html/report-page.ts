/** What a person does next after a run, in order, each with its command. */

import { hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { type Connection, fieldLabel } from "@catalog/connection";
import { type Localized, nameProgram, quoteWord } from "@catalog/i18n";
import {
  type Counts,
  describeSuggestion,
  type OpenNameCount,
  readPriceTag,
  rowAddress,
  type RowRecord,
  type RunRecord,
  toCounts,
} from "@catalog/runs";
import { createTextOutput } from "@catalog/sheets";

import { findColumn, listCommandOf, listWordsOf, markAssumed } from "../action-words.ts";
import { createReadIdNames, formatFieldValue, payloadBefore } from "../field-values.ts";
import { isForApproval } from "../held-workbook.ts";
import { ruleCommand } from "../issue-commands.ts";
import {
  type ChangeRanking,
  createRankedChanges,
  listChanges,
  type ListedChange,
  type RankedChanges,
} from "../plan/biggest-changes.ts";
import { classWordsOf, openNamelessFile, resultText } from "../result-texts.ts";
import { columnsOf } from "../sheet-cells.ts";
import { formatCalls } from "./calls.ts";
import { escapeHtml, formatTable, isolate, toScriptJson } from "./markup.ts";
import {
  CLASSES,
  createReasonCount,
  formatFacts,
  formatPrices,
  formatReasons,
  formatTotals,
  type ReasonCount,
  toPageRow,
} from "./page-parts.ts";
import {
  createShownRows,
  PAGE_LIMITS,
  PAGE_TEXTS,
  type PageLimits,
  pageTextsOf,
  type RowOmission,
  type ShownRows,
} from "./page-texts.ts";
import { createPriceChangeList, plotPrices, type PriceChangeList } from "./price-changes.ts";

/** One thing to do, and the command for it. */
interface NextStep {
  readonly text: Localized;
  /** Left out where nothing is typed. */
  readonly command?: string;
}

/** Names of which the command is shown; the others are like them. */
const MAX_NAMES = 3;

/** Numbers of rows. */
interface OpenRows {
  readonly counts: Counts;
  /** Held rows that the file cannot approve, most of them as the store may have the product. */
  readonly unsure: number;
}

/** Lists the steps; a run that left nothing open has none. */
export function listNextSteps(run: RunRecord, { counts, unsure }: OpenRows): readonly NextStep[] {
  const names = run.facts?.reading?.openNames ?? [];
  return [
    ...sendingSteps(run, counts),
    ...names.slice(0, MAX_NAMES).map((name) => ({
      text: nameText(name),
      command: ruleCommand(name, run.lang),
    })),
    ...correctingSteps(run, counts),
    ...decidingSteps(run, { counts, unsure }),
  ];
}

function sendingSteps({ id, state }: RunRecord, { pending, unknown }: Counts): readonly NextStep[] {
  if (pending > 0) return [state === "planned" ? sendPlan(id, pending) : goOn(id, pending)];
  return unknown > 0 ? [lookAgain(id, unknown)] : [];
}

/** The rows of a feed are corrected where it comes from, so that nothing is imported again. */
function correctingSteps(
  { kind, reportDir, progress }: RunRecord,
  { invalid, duplicate, rejected }: Counts,
): readonly NextStep[] {
  const failed = kind === "import" ? invalid + duplicate + rejected : 0;
  if (failed === 0) return [];
  const path = quoteWord(join(reportDir, "failed.xlsx"));
  return [{ text: correctText(failed), command: `${listCommandOf({ progress })} ${path}` }];
}

function decidingSteps(
  { id, reportDir, progress }: RunRecord,
  { counts: { held }, unsure }: OpenRows,
): readonly NextStep[] {
  const path = quoteWord(join(reportDir, "held.xlsx"));
  const approve = {
    text: approveText(held - unsure),
    command: `catalog release ${id} --approved ${path}`,
  };
  const isList = progress.actions !== undefined;
  const decide = {
    text: isList ? unsureListText(unsure) : unsureText(unsure),
    command: `catalog release ${id}`,
  };
  return [...(held > unsure ? [approve] : []), ...(unsure > 0 ? [decide] : [])];
}

const rowsEn = (rows: number): string => `${rows} ${rows === 1 ? "row" : "rows"}`;

const correctText = (rows: number): Localized => ({
  tr: `failed.xlsx dosyasını açın, ${rows} satırın kırmızı hücrelerini düzeltip kaydedin, sonra yeniden yükleyin.`,
  en: `Open failed.xlsx, correct the red cells of ${rowsEn(rows)}, save it, and import it again.`,
});

const approveText = (rows: number): Localized => ({
  tr: `held.xlsx dosyasında karar bekleyen ${rows} satırın Onay hücresine Evet ya da Hayır yazıp kaydedin.`,
  en: `In held.xlsx, write Yes or No in the Approve cell of ${rows === 1 ? "the row that waits" : `the ${rows} rows that wait`}, and save it.`,
});

/** Also for products that the store is known to have, and for rows that it refused each time. */
const unsureText = (rows: number): Localized => ({
  tr: `${rows} satır, ürünü mağazada olabileceği ya da pazaryeri her denemede geri çevirdiği için bekliyor; hangisi olduğu “${PAGE_TEXTS.tr.reasons}” bölümünde. Panelden bakın, sonra karar verin.`,
  en: `${rowsEn(rows)} ${rows === 1 ? "waits" : "wait"} because the store may have the product, or the marketplace refused it each time; “${PAGE_TEXTS.en.reasons}” says which. Look at the panel, then decide.`,
});

const unsureListText = (rows: number): Localized => ({
  tr: `${rows} satırın yapılıp yapılmadığı belli değil ya da başka bir çalıştırmada bekliyor; hangisi olduğu “${PAGE_TEXTS.tr.reasons}” bölümünde. Panelden bakın, sonra karar verin.`,
  en: `Whether ${rowsEn(rows)} ${rows === 1 ? "was" : "were"} carried out is not known, or another run is at it; “${PAGE_TEXTS.en.reasons}” says which. Look at the panel, then decide.`,
});

const sendPlan = (id: string, rows: number): NextStep => ({
  text: {
    tr: `Plana bakın (plan.xlsx); doğruysa ${rows} satırı gönderin.`,
    en: `Look at the plan (plan.xlsx); if it is right, send its ${rowsEn(rows)}.`,
  },
  command: `catalog apply ${id}`,
});

const goOn = (id: string, rows: number): NextStep => ({
  text: {
    tr: `Çalıştırma yarım kaldı: gönderilmeyen ${rows} satırı gönderin.`,
    en: `The run stopped before its end: send ${rows === 1 ? "the 1 row that is left" : `the ${rows} rows that are left`}.`,
  },
  command: `catalog resume ${id}`,
});

const lookAgain = (id: string, rows: number): NextStep => ({
  text: {
    tr: `${rows} satırın sonucu belirsiz: mağazaya yeniden baktırın.`,
    en: `The outcome of ${rowsEn(rows)} is not known: look at the store again.`,
  },
  command: `catalog resume ${id}`,
});

function nameText({ value, rows, titles, suggestions }: OpenNameCount): Localized {
  const [first] = suggestions;
  const why = first && describeSuggestion(first);
  const shown = titles.map((title) => `“${title}”`).join(", ");
  const tr = [
    `“${value}” mağazadaki adlardan biriyle eşleşmedi (${rows} satır${shown === "" ? "" : `, örneğin ${shown}`}).`,
    first && `Öneri: “${first.target}” (${why?.tr}).`,
    "Karşılığını bir kez yazın; “…” görürseniz yerine mağazadaki adı koyun.",
  ];
  const en = [
    `“${value}” matches no single name of the store (${rowsEn(rows)}${shown === "" ? "" : `, such as ${shown}`}).`,
    first && `Suggested: “${first.target}” (${why?.en}).`,
    "Say once what it means; replace “…” with a name of the store.",
  ];
  return { tr: joinParts(tr), en: joinParts(en) };
}

const joinParts = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(" ");

const HEADING: Localized = { tr: "Şimdi ne yapmalı?", en: "What to do now" };
const NOTHING: Localized = {
  tr: "Yapılacak bir şey yok: her satır sonuçlandı.",
  en: "Nothing: every row is settled.",
};

/** The section that stands first on the page. */
export function formatNextSteps(run: RunRecord, open: OpenRows, program = "catalog"): string {
  const { lang } = run;
  const named = (text: string): string => escapeHtml(nameProgram(text, program));
  const items = listNextSteps(run, open).map(({ text, command }) => {
    const typed = command === undefined ? "" : `<pre><code>${named(command)}</code></pre>`;
    return `<li>${named(text[lang])}${typed}</li>`;
  });
  const body = items.length === 0 ? `<p>${NOTHING[lang]}</p>` : `<ol>${items.join("")}</ol>`;
  return `<section class="next" aria-labelledby="next-title">
<h2 id="next-title">${HEADING[lang]}</h2>
${body}
</section>
`;
}

/*
 * The biggest changes of stocks, texts and all other fields but prices, with old and new values;
 * and old prices of rows that were planned before the unit of the listing's prices was known.
 */

/** The row with the old price that its plan read, where only the unit was unknown at that time. */
export async function withOldPrice<Row extends Pick<RowRecord, "row" | "changes">>(
  { verificationLog }: Connection,
  { id, facts }: RunRecord,
  row: Row,
): Promise<Row> {
  const isUnread = row.changes.some(({ field, old }) => field === "price" && old === undefined);
  const priceUnit = facts?.priceUnit ?? "unknown";
  if (!isUnread || priceUnit === "unknown") return row;
  const seen = (await verificationLog.readBefore(id, [row.row])).get(row.row);
  if (seen === undefined) return row;
  const { price: old } = readPriceTag({ seen, priceUnit });
  const changes = row.changes.map((change) =>
    change.field === "price" ? { ...change, old } : change,
  );
  return { ...row, changes };
}

type Store = Parameters<typeof createReadIdNames>[0];

/** Formats a table with the biggest changes of each field; empty where none but prices change. */
async function formatOtherChanges(
  connection: Store & Pick<Connection, "journal">,
  run: RunRecord,
  changes: RankedChanges,
): Promise<string> {
  // Prices have a section of their own.
  const listed = listChanges({ ...changes, prices: [] });
  if (listed.length === 0) return "";
  const texts = pageTextsOf(run);
  const readNames = createReadIdNames(connection, run);
  const lines: string[] = [];
  for (const change of listed) {
    const [record] = await connection.journal.readRows(run.id, { after: change.row - 1, limit: 1 });
    if (record?.row !== change.row) continue;
    const words = { lang: run.lang, names: await readNames(record) };
    const before = { payload: payloadBefore(record), ...words };
    lines.push(
      formatLine(run, change, {
        before: formatFieldValue(change.field, change.old, before),
        after: markAssumed(
          formatFieldValue(change.field, change.new, { payload: record.payload, ...words }),
          change,
          run.lang,
        ),
        result: resultText(run, record),
      }),
    );
  }
  const columns = [
    texts.code,
    texts.row,
    texts.field,
    texts.oldValue,
    texts.newValue,
    texts.result,
  ];
  const table = formatTable("others", { columns, numbers: new Set([texts.row]), lines });
  return `<section class="blocks" aria-labelledby="others-title">
<h2 id="others-title">${escapeHtml(texts.others)}</h2>
<p>${escapeHtml(texts.othersOf(countFields(run, listed)))}</p>
${table}
</section>
`;
}

/** The number of rows that change each field, such as "Title (30)". */
function countFields({ lang }: RunRecord, listed: readonly ListedChange[]): string {
  const rows = new Map(listed.map((change) => [change.field, change.rows]));
  return Array.from(rows, ([field, count]) => `${fieldLabel(field, lang)} (${count})`).join(", ");
}

interface ShownChange {
  readonly before: string;
  readonly after: string;
  readonly result: string;
}

function formatLine(
  { lang, file, progress }: RunRecord,
  { row, code, field }: ListedChange,
  { before, after, result }: ShownChange,
): string {
  const texts = pageTextsOf({ lang, progress });
  const cells = [
    [texts.field, escapeHtml(fieldLabel(field, lang))],
    [texts.oldValue, isolate(before)],
    [texts.newValue, isolate(after)],
    [texts.result, escapeHtml(result)],
  ].map(([name = "", html = ""]) => `<td data-name="${escapeHtml(name)}">${html}</td>`);
  const place = escapeHtml(rowAddress(file, row));
  return `<tr><th scope="row">${isolate(code ?? "")}</th><td class="number" data-name="${escapeHtml(texts.row)}">${place}</td>${cells.join("")}</tr>`;
}

/*
 * The report as one page that needs no network. It is made from the database alone, row by row, so
 * it is the same whenever it is made again and needs no memory for the rows. The totals stand above
 * the rows, so the rows are kept in an unnamed temporary file until all of them were read.
 */

/** Where to write, and all rows of the run. */
interface ReportPage {
  readonly path: string;
  readonly rows: AsyncIterable<RowRecord>;
  /** Words that start the program in commands. @default "catalog" */
  readonly program?: string | undefined;
  /** @default {@link PAGE_LIMITS} */
  readonly limits?: PageLimits;
}

/** Writes the page; an existing file is replaced. */
export async function writeReportPage(
  connection: Connection,
  run: RunRecord,
  { path, rows, program, limits = PAGE_LIMITS }: ReportPage,
): Promise<void> {
  await using data = await openNamelessFile();
  const shown = createShownRows(limits);
  const lists = { prices: createPriceChangeList(), ranking: createRankedChanges() };
  const gathered = { ...lists, reasons: createReasonCount(run), data, program, shown };
  const open = await gather(run, rows, { ...gathered, connection });
  const page = formatPage(connection, run, { ...gathered, ...open });
  await pipeline(Readable.from(page), createWriteStream(path, { mode: 0o600 }));
}

/** What is collected from the rows in the one reading. */
interface PageData {
  readonly prices: PriceChangeList;
  readonly ranking: ChangeRanking;
  readonly reasons: ReasonCount;
  readonly shown: ShownRows;
  readonly program: string | undefined;
  /** The rows in the format of the page. */
  readonly data: FileHandle;
}

/** Writes the rows as JSON, in which no cell can end the script element. */
async function gather(
  run: RunRecord,
  rows: AsyncIterable<RowRecord>,
  {
    connection,
    prices,
    ranking,
    reasons,
    shown,
    data,
  }: PageData & { readonly connection: Connection },
): Promise<Pick<OpenRows, "unsure">> {
  const { lang, file } = run;
  const about = listWordsOf(run)?.about;
  const [productTitleAt] = columnsOf(run, "title", [...file.header.keys()]);
  const titleAt = about === undefined ? productTitleAt : findColumn(run, about);
  const readNames = createReadIdNames(connection, run);
  const output = createTextOutput(data);
  let separator = "\n";
  let unsure = 0;
  for await (const row of rows) {
    prices.observe(await withOldPrice(connection, run, row));
    ranking.observe(row);
    reasons.observe(row);
    if (row.state === "held" && !isForApproval(row)) unsure += 1;
    if (!shown.take(row)) continue;
    const facts = { ...file, titleAt, runId: run.id, names: await readNames(row) };
    const writing = output.write(separator + toScriptJson(toPageRow(row, lang, facts)));
    separator = ",\n";
    if (writing !== undefined) await writing;
  }
  await output.flush();
  return { unsure };
}

async function* formatPage(
  connection: Connection,
  run: RunRecord,
  { reasons, shown, data, unsure, ...gathered }: PageData & Pick<OpenRows, "unsure">,
): AsyncGenerator<string | Buffer> {
  const { lang } = run;
  const texts = PAGE_TEXTS[lang];
  const style = await readFile(STYLE, "utf8");
  const script = await readFile(SCRIPT, "utf8");
  const prices = gathered.prices.list();
  const counts = toCounts(await connection.journal.countRows(run.id));

  yield formatHead(run, { style, script });
  yield formatNextSteps(run, { counts, unsure }, gathered.program);
  const verified = await connection.verificationLog.countVerifications(run.id);
  yield formatFacts(run, { verified, lags: await connection.readVisibilityLags(run.id) });
  yield formatTotals(counts, run);
  yield formatReasons(reasons.list(), run);
  yield formatPrices(prices, { lang, file: run.file, plot: plotPrices(prices.changes, lang) });
  yield await formatOtherChanges(connection, run, gathered.ranking.list());
  yield formatCalls(await connection.meters.callLog.read(run.id), lang);
  yield formatSearch(run, shown.omission());
  yield* formatData(run, data);
  yield `<script>${script}</script>\n</main>\n<footer><p>${escapeHtml(texts.footer)}</p></footer>\n</body>\n</html>\n`;
}

const STYLE = new URL("./page.css", import.meta.url);
const SCRIPT = new URL("./page.js", import.meta.url);

interface Assets {
  readonly style: string;
  readonly script: string;
}

const integrity = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`;

/** The page fetches nothing, and only these two texts may style it or run in it. */
function formatHead(run: RunRecord, { style, script }: Assets): string {
  const { lang, file } = run;
  const texts = pageTextsOf(run);
  const title = escapeHtml(`${file.name} – ${texts.title}`);
  const policy = [
    "default-src 'none'",
    `style-src ${integrity(style)}`,
    `script-src ${integrity(script)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#rows">${escapeHtml(texts.skip)}</a>
<header><h1>${escapeHtml(texts.title)}</h1></header>
<main>
`;
}

/** The search section, which the script fills. */
function formatSearch(run: RunRecord, omission: RowOmission | undefined): string {
  const texts = pageTextsOf(run);
  const words = classWordsOf(run);
  const options = CLASSES.map(
    (name, index) => `<option value="${index}">${escapeHtml(words[name])}</option>`,
  ).join("");
  // The script leaves out the cells of a column that is not there.
  const isList = run.progress.actions !== undefined;
  const columns = [
    texts.row,
    texts.code,
    texts.result,
    texts.explanation,
    ...(isList ? [] : [texts.productId]),
  ]
    .map((name) => `<th scope="col" role="columnheader">${escapeHtml(name)}</th>`)
    .join("");
  return `<section id="rows" aria-labelledby="rows-title" tabindex="-1">
<h2 id="rows-title">${escapeHtml(texts.rows)}</h2>
${
  omission === undefined
    ? ""
    : `<p>${escapeHtml(texts.omitted(omission))}</p>
`
}<noscript><p>${escapeHtml(texts.noScript)}</p></noscript>
<form role="search" id="search">
<div><label for="query">${escapeHtml(texts.search)}</label><input id="query" type="search" autocomplete="off" spellcheck="false"></div>
<div><label for="class">${escapeHtml(texts.result)}</label><select id="class"><option value="">${escapeHtml(texts.all)}</option>${options}</select></div>
</form>
<p id="found" role="status"></p>
<div class="scroll" role="group" aria-labelledby="rows-title" tabindex="0">
<table id="table" role="table"><thead role="rowgroup"><tr role="row">${columns}</tr></thead><tbody role="rowgroup"></tbody></table>
</div>
<nav aria-label="${escapeHtml(texts.pages)}">
<button type="button" id="previous">${escapeHtml(texts.previous)}</button>
<span id="page"></span>
<button type="button" id="next">${escapeHtml(texts.next)}</button>
</nav>
</section>
`;
}

async function* formatData(run: RunRecord, data: FileHandle): AsyncGenerator<string | Buffer> {
  const { found, pageOf, suggestion } = PAGE_TEXTS[run.lang];
  const words = classWordsOf(run);
  const head = { found, pageOf, suggestion, words: CLASSES.map((name) => words[name]) };
  yield `<script type="application/json" id="data">{"texts":${toScriptJson(head)},"rows":[`;
  yield* data.createReadStream({ start: 0, autoClose: false });
  yield "\n]}</script>\n";
}
