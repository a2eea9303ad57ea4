/**
 * The report as one page that needs no network. It is made from the database alone, row by row, so
 * it is the same whenever it is made again and needs no memory for the rows. The totals stand above
 * the rows, so the rows are kept in an unnamed temporary file until all of them were read.
 */

import { hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { Connection } from "@catalog/connection";
import { type RowRecord, type RunRecord, toCounts } from "@catalog/runs";
import { createTextOutput } from "@catalog/sheets";

import { createReadIdNames } from "../field-values.ts";
import { isForApproval } from "../held-workbook.ts";
import { type ChangeRanking, createRankedChanges } from "../plan/biggest-changes.ts";
import { openNamelessFile, RESULT_TEXTS } from "../result-texts.ts";
import { columnsOf } from "../sheet-cells.ts";
import { formatCalls, plotCalls, toCallTimes } from "./calls.ts";
import { escapeHtml, toScriptJson } from "./markup.ts";
import { formatNextSteps, type OpenRows } from "./next-steps.ts";
import { formatOtherChanges, withOldPrice } from "./other-changes.ts";
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
  type RowOmission,
  type ShownRows,
} from "./page-texts.ts";
import { createPriceChangeList, plotPrices, type PriceChangeList } from "./price-changes.ts";

/** Where to write, and all rows of the run. */
export interface ReportPage {
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
  const [titleAt] = columnsOf(run, "title", [...file.header.keys()]);
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
  const calls = toCallTimes(await connection.meters.callLog.read(run.id));
  const counts = toCounts(await connection.journal.countRows(run.id));

  yield formatHead(run, { style, script });
  yield formatNextSteps(run, { counts, unsure }, gathered.program);
  const verified = await connection.verificationLog.countVerifications(run.id);
  yield formatFacts(run, { verified, lags: await connection.readVisibilityLags(run.id) });
  yield formatTotals(counts, lang, run.facts?.unsendable);
  yield formatReasons(reasons.list(), run);
  yield formatPrices(prices, { lang, file: run.file, plot: plotPrices(prices.changes, lang) });
  yield await formatOtherChanges(connection, run, gathered.ranking.list());
  yield formatCalls(calls, { lang, plot: calls === undefined ? "" : plotCalls(calls, lang) });
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
function formatHead({ lang, file }: RunRecord, { style, script }: Assets): string {
  const texts = PAGE_TEXTS[lang];
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
function formatSearch({ lang }: RunRecord, omission: RowOmission | undefined): string {
  const texts = PAGE_TEXTS[lang];
  const { words } = RESULT_TEXTS[lang];
  const options = CLASSES.map(
    (name, index) => `<option value="${index}">${escapeHtml(words[name])}</option>`,
  ).join("");
  const columns = [texts.row, texts.code, texts.result, texts.explanation, texts.productId]
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

async function* formatData({ lang }: RunRecord, data: FileHandle): AsyncGenerator<string | Buffer> {
  const { found, pageOf, suggestion } = PAGE_TEXTS[lang];
  const { words } = RESULT_TEXTS[lang];
  const head = { found, pageOf, suggestion, words: CLASSES.map((name) => words[name]) };
  yield `<script type="application/json" id="data">{"texts":${toScriptJson(head)},"rows":[`;
  yield* data.createReadStream({ start: 0, autoClose: false });
  yield "\n]}</script>\n";
}
