/**
 * The report as one page that needs no network: made from the store alone, row by row, so that it is
 * the same whenever it is made again and takes no memory for the rows.
 */

import { hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { type RunRecord, toCounts } from "@catalog/runs";

import { type Toolkit } from "../open-toolkit.ts";
import { readReported } from "../reported-rows.ts";
import { RESULT_TEXTS } from "../result-texts.ts";
import { plotCalls } from "./call-plot.ts";
import { toCallTimes } from "./call-times.ts";
import { escapeHtml, toScriptJson } from "./escape.ts";
import { formatCalls } from "./page-calls.ts";
import { formatFacts, formatPrices, formatReasons, formatTotals } from "./page-parts.ts";
import { CLASSES, toPageRow } from "./page-row.ts";
import { PAGE_TEXTS } from "./page-texts.ts";
import { readPriceChanges } from "./price-changes.ts";
import { plotPrices } from "./price-plot.ts";
import { readReasons } from "./reasons.ts";

/** Writes the page; what was there before is replaced. */
export async function writeReportPage(
  toolkit: Toolkit,
  run: RunRecord,
  path: string,
): Promise<void> {
  await pipeline(Readable.from(formatPage(toolkit, run)), createWriteStream(path, { mode: 0o600 }));
}

async function* formatPage(toolkit: Toolkit, run: RunRecord): AsyncGenerator<string> {
  const { lang } = run;
  const texts = PAGE_TEXTS[lang];
  const style = await readAsset("page.css");
  const script = await readAsset("page.js");
  const prices = await readPriceChanges(toolkit, run);
  const calls = toCallTimes(toolkit.callLog.read(run.id));
  const counts = toCounts(await toolkit.journal.countRows(run.id));

  yield formatHead(run, { style, script });
  const verified = await toolkit.readBack.countVerifications(run.id);
  yield formatFacts(run, { verified, lags: toolkit.readVisibleLags(run.id) });
  yield formatTotals(counts, lang, run.facts?.unsendable);
  yield formatReasons(await readReasons(toolkit, run), lang);
  yield formatPrices(prices, { lang, plot: plotPrices(prices.changes, lang) });
  yield formatCalls(calls, { lang, plot: calls === undefined ? "" : plotCalls(calls, lang) });
  yield formatSearch(run);
  yield* formatData(toolkit, run);
  yield `<script>${script}</script>\n</main>\n<footer><p>${escapeHtml(texts.footer)}</p></footer>\n</body>\n</html>\n`;
}

const readAsset = (name: "page.css" | "page.js"): Promise<string> =>
  readFile(new URL(`./${name}`, import.meta.url), "utf8");

interface Assets {
  readonly style: string;
  readonly script: string;
}

const integrity = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`;

/** Nothing is fetched, and only these two texts may style or run. */
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

/** Empty until the script fills it. */
function formatSearch({ lang }: RunRecord): string {
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
<noscript><p>${escapeHtml(texts.noScript)}</p></noscript>
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

/** The rows as JSON that no cell can break out of. */
async function* formatData(toolkit: Toolkit, run: RunRecord): AsyncGenerator<string> {
  const { found, pageOf, suggestion } = PAGE_TEXTS[run.lang];
  const { words } = RESULT_TEXTS[run.lang];
  const head = { found, pageOf, suggestion, words: CLASSES.map((name) => words[name]) };
  yield `<script type="application/json" id="data">{"texts":${toScriptJson(head)},"rows":[`;
  let separator = "\n";
  for await (const record of readReported(toolkit, run)) {
    yield separator + toScriptJson(toPageRow(record, run.lang));
    separator = ",\n";
  }
  yield "\n]}</script>\n";
}
