/** The worker and the page tell the same metrics, and they are those of the marketplace. */

import { once } from "node:events";

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { parseMetrics, type Series, sumOf } from "../../helpers/parse-metrics.ts";
import { goodRow, goodRows, writeWorkbook } from "../../helpers/product-sheet.ts";
import { openWeb } from "../../helpers/web/open-web.ts";

const PER_HOUR = 3000;

/** Opens a store whose data is in the file of its home, or on a server. */
async function openStoreOn(kind: "sqlite" | "postgres"): Promise<TestStore> {
  const store = await openTestStore();
  const env: Record<string, string> = { CATALOG_REQUESTS_PER_HOUR: String(PER_HOUR) };
  if (kind === "postgres") {
    const server = await createTestDatabase();
    onTestFinished(() => server[Symbol.asyncDispose]());
    env["CATALOG_DATABASE_URL"] = server.url;
  }
  return store.at(env);
}

/** Starts a worker on a free port, and returns the address that it tells. */
async function startWorker({ start }: TestStore): Promise<string> {
  const { child, finished } = start("worker", "--json", "--metrics", "0");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    expect((await finished).code).toBe(0);
  });
  let text = "";
  while (!text.includes("\n")) text += String((await once(child.stdout ?? child, "data"))[0]);
  const { event, url } = JSON.parse(text.slice(0, text.indexOf("\n")));
  expect(event).toBe("metrics");
  return String(url);
}

interface Scraped {
  readonly series: Series;
  readonly type: string | null;
}

async function scrape(url: string): Promise<Scraped> {
  const answer = await fetch(url);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return { series: parseMetrics(text), type: answer.headers.get("content-type") };
}

describe("the metrics of a worker and of the page", () => {
  it.each(["sqlite", "postgres"] as const)("agree with the marketplace (%s)", async (kind) => {
    if (kind === "postgres" && !hasPostgres()) return;
    const store = await openStoreOn(kind);
    const { folder, sandbox, run } = store;
    await run("import", await writeWorkbook(folder, "ilk.xlsx", goodRows(5)), "--yes");
    const more = await writeWorkbook(
      folder,
      "plan.xlsx",
      [6, 7, 8].map((at) => goodRow(at)),
    );
    expect((await run("plan", more)).code).toBe(0);

    const worker = await scrape(await startWorker(store));
    const { origin } = await openWeb(store, "--port", "0");
    const page = await scrape(`${origin}/metrics`);

    const { requests, tokens } = sandbox.stats();
    const of = (name: string, labels = ""): number | undefined =>
      worker.series.get(`${name}{${labels}store="${sandbox.storeId}"}`);
    const calls = (labels?: RegExp): number => sumOf(worker.series, "catalog_calls_total", labels);
    // A call without an answer may have arrived or not; an unsent one has not.
    const answered = calls(/outcome="(?:ok|limited|refused|failed)"/u);
    const counts = [...worker.series].filter(([key]) => key.startsWith("catalog_calls")).join("\n");
    expect(answered, counts).toBeGreaterThan(8);
    expect(answered, counts).toBeLessThanOrEqual(requests);
    const sent = calls() - calls(/outcome="unsent"/u);
    expect(sent, counts).toBeGreaterThanOrEqual(requests);
    expect(of("catalog_calls_total", 'kind="token",outcome="ok",')).toBe(tokens);
    expect(of("catalog_calls_total", 'kind="write",outcome="ok",')).toBe(5);
    expect(of("catalog_rows", 'state="ready",')).toBe(3);
    expect([sumOf(worker.series, "catalog_rows"), of("catalog_open_runs")]).toEqual([3, 1]);
    expect(of("catalog_budget_calls_left")).toBe(PER_HOUR - sent);
    expect(of("catalog_queue_age_seconds", 'kind="schedule",')).toBe(0);
    expect(page).toEqual(worker);
    expect(worker.type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  });
});
