/** Row 23: the table of a large draft in a browser, as its person waits for it. */

import { join } from "node:path";

import type { Page } from "playwright-core";

import { watchPeakMb } from "../../helpers/processes/process-memory.ts";
import { launchBrowser } from "../../helpers/web/launch-browser.ts";
import { linkTo } from "../../helpers/web/page-steps.ts";
import { createBenchProducts, writeBenchCsv } from "../bench-sheet.ts";
import { type Figure, type MeasureRow, median, memory, serve, sized } from "../bench-tools.ts";
import { startPage } from "../page-server.ts";

const ROW = 23;
const CHECK_LIMIT_MS = 120_000;
const PRICE_COLUMN = 9;
const FRAMES = 200;
const STEP_PX = 400;

/** What a person waits for, with the longest wait. */
const WAITS = [
  ["rowsMs", "first rows after a reload", 1_000],
  ["filterMs", "rows with errors alone", 300],
  ["editMs", "a cell corrected, checked and shown", 200],
  ["frameMs", "a frame while scrolling, 95th percentile", 100],
  ["bulkMs", "a change of all prices previewed, for 20,000 of them", 2_000],
] as const;

type Waits = Readonly<Record<(typeof WAITS)[number][0], number>>;

const time = async (work: () => Promise<unknown>): Promise<number> => {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
};

const cell = (row: number, column: number): string =>
  `[role=row][aria-rowindex="${row}"] > [aria-colindex="${column}"]`;

/**
 * Waits until an element with such a text is shown, looking at every frame: a locator looks every
 * half second after its first moments, which would be what is measured.
 */
async function waitForFrame(page: Page, selector: string, text = ""): Promise<void> {
  await page.waitForFunction(
    ([wanted, pattern]) => {
      const document: Elements = Reflect.get(globalThis, "document");
      const found = document.querySelector(wanted);
      return found !== null && new RegExp(pattern, "u").test(found.textContent ?? "");
    },
    [selector, text] as const,
    { polling: "raf" },
  );
}

interface Elements {
  querySelector(selector: string): { readonly textContent: string | null } | null;
}

/** Uploads the file and waits until its rows are checked. */
async function openDraft(page: Page, url: string, path: string): Promise<void> {
  page.setDefaultTimeout(CHECK_LIMIT_MS);
  await page.goto(linkTo(url));
  await page.locator("input[type=file]").setInputFiles(path);
  await page.getByRole("button", { name: "Sütunlara geç" }).click();
  await page.getByRole("button", { name: "Düzeltmeye geç" }).click();
  await page.locator(cell(2, PRICE_COLUMN)).waitFor();
}

/** Scrolls the table frame by frame; the time of each frame. */
async function scroll(page: Page): Promise<readonly number[]> {
  const grid = page.locator("[role=grid]");
  return await grid.evaluate(
    async (element, { frames, step }) => {
      const request: (then: (at: number) => void) => void = Reflect.get(
        globalThis,
        "requestAnimationFrame",
      );
      const times: number[] = [];
      let last = performance.now();
      for (let frame = 0; frame < frames; frame += 1) {
        element.scrollTop += step;
        await new Promise(request);
        const now = performance.now();
        times.push(now - last);
        last = now;
      }
      return times;
    },
    { frames: FRAMES, step: STEP_PX },
  );
}

async function correctCell(page: Page): Promise<number> {
  await page.locator(cell(3, PRICE_COLUMN)).click();
  await page.keyboard.type("on iki");
  return await time(async () => {
    await page.keyboard.press("Enter");
    await waitForFrame(page, `${cell(3, PRICE_COLUMN)}[aria-invalid=true]`);
  });
}

const BULK_ROWS = 20_000;

/** From the last key to the count of the preview, which is asked for once the typing has settled. */
async function previewPrices(page: Page, rows: number): Promise<number> {
  await page.getByRole("button", { name: "Toplu değiştir" }).click();
  const dialog = page.getByRole("dialog");
  const ms = await time(async () => {
    await dialog.getByLabel("Ne kadar").fill("8");
    await waitForFrame(page, ".bulk-count", String.raw`\d`);
  });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return (ms * BULK_ROWS) / rows;
}

async function measureOnce(page: Page, rows: number): Promise<Waits> {
  const rowsMs = await time(async () => {
    await page.reload();
    await waitForFrame(page, cell(2, PRICE_COLUMN), String.raw`\d`);
  });
  const editMs = await correctCell(page);
  await page.keyboard.press("Control+z");
  await page.locator(`${cell(3, PRICE_COLUMN)}:not([aria-invalid])`).waitFor();
  const count = (await page.locator("[role=grid]").getAttribute("aria-rowcount")) ?? "";
  const filterMs = await time(async () => {
    await page
      .getByRole("button", { name: /^Hatalı/u })
      .first()
      .click();
    await waitForFrame(page, `[role=grid]:not([aria-rowcount="${count}"]) [aria-invalid=true]`);
  });
  await page
    .getByRole("button", { name: /^Hepsi/u })
    .first()
    .click();
  await page.locator(`[role=grid][aria-rowcount="${count}"]`).waitFor();
  const frames = (await scroll(page)).toSorted((a, b) => a - b);
  const frameMs = frames[Math.floor(FRAMES * 0.95)] ?? 0;
  return { rowsMs, editMs, filterMs, frameMs, bulkMs: await previewPrices(page, rows) };
}

export const measurePage: MeasureRow = async (bench) => {
  const rows = sized(bench, 100_000);
  const path = join(bench.folder, "page.csv");
  writeBenchCsv(path, rows, createBenchProducts(true));
  using sandbox = await serve(bench, ["sandbox", "--json"]);
  const home = join(bench.folder, "home-page");
  const { child: server, link } = await startPage(bench, { sandbox: sandbox.line, home });
  const peak = watchPeakMb(server);
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 2_300, height: 1_200 } });
  const openMs = await time(async () => openDraft(page, link, path));
  const measured: Waits[] = [];
  for (let round = 0; round < bench.rounds; round += 1)
    measured.push(await measureOnce(page, rows));
  server.kill("SIGINT");
  const what = `page with a draft of ${rows} rows`;
  return [
    ...WAITS.map(([name, label, limit]): Figure => {
      const value = median(measured.map((waits) => waits[name]));
      const ours = `${value.toFixed(1)} ms`;
      return { row: ROW, what: `${what}: ${label}`, ours, peer: "", value, limit, unit: "ms" };
    }),
    {
      row: ROW,
      what: `${what}: from the link to the rows`,
      ours: "",
      peer: "",
      value: openMs,
      limit: 60_000,
      unit: "ms",
    },
    memory(ROW, `${what}: server`, [await peak, 300]),
  ];
};
