import { once } from "node:events";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";

import { createTestConnection } from "@catalog/connection/testing";
import { expect, it, onTestFinished } from "vitest";

import { createStoreMetrics, serveMetrics } from "../src/index.ts";

const FEED = {
  feed: "https://erp.example/stok.csv?key=gizli",
  options: {},
  cron: "0 3 * * *",
  timeZone: "Europe/Istanbul",
  madeBy: "page",
  isSpread: false,
} as const;

it("writes one text for many questions of some seconds, without a secret or an address", async () => {
  const { connection, clock } = await createTestConnection({ requestsPerHour: 100 });
  const { schedules } = connection.memory;
  await schedules.save({ ...FEED, id: "fresh" });
  await schedules.save({ ...FEED, id: "never" });
  await schedules.save({ ...FEED, id: "paused" });
  await schedules.update("paused", { state: "paused" });
  await clock.advance(60_000);
  await schedules.update("fresh", { succeededAtMs: clock.now() - 1500 });
  let readings = 0;
  const counted = {
    ...connection,
    listOpenRuns(max: number) {
      readings += 1;
      return connection.listOpenRuns(max);
    },
  };
  const metrics = createStoreMetrics({ clock, stores: [counted] });

  const [text, same] = await Promise.all([metrics.read(), metrics.read()]);
  await clock.advance(4_999);
  await metrics.read();
  const before = readings;
  await clock.advance(1);
  const later = await metrics.read();

  expect([same === text, before, readings]).toEqual([true, 1, 2]);
  expect(metrics.type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  expect(text).not.toMatch(/gizli|erp\.example/u);
  expect(text.replaceAll(/^# HELP.*\n/gmu, "")).toBe(EMPTY_STORE);
  expect(later).toContain('catalog_feed_age_seconds{feed="fresh",store="s-1"} 6.5');
});

it("says how long the database has been away, and waits for it no longer", async () => {
  const { connection, clock } = await createTestConnection();
  const outage = { sinceMs: clock.now() - 61_000, untilMs: clock.now() + 539_000 };
  const away = {
    ...connection,
    meters: { ...connection.meters, outage: () => outage },
    listOpenRuns: () => new Promise<never>(() => undefined),
  };
  const metrics = createStoreMetrics({ clock, stores: [away] });

  const text = await metrics.read();

  expect(text).toContain('catalog_database_away_seconds{store="s-1"} 61');
  expect(text).not.toContain("catalog_rows{");
});

it("tries again where a reading has failed", async () => {
  const { connection, clock } = await createTestConnection();
  let fails = true;
  const failing = {
    ...connection,
    async listOpenRuns() {
      if (fails) throw new Error("the database does not answer");
      return [];
    },
  };
  const metrics = createStoreMetrics({ clock, stores: [failing] });

  await expect(metrics.read()).rejects.toThrow("does not answer");
  fails = false;

  expect(await metrics.read()).not.toContain("budget");
});

const EMPTY_STORE = `# TYPE catalog_database_away_seconds gauge
catalog_database_away_seconds{store="s-1"} 0
# TYPE catalog_calls counter
# TYPE catalog_calls_last_hour gauge
catalog_calls_last_hour{store="s-1"} 0
# TYPE catalog_budget_calls_per_hour gauge
catalog_budget_calls_per_hour{store="s-1"} 100
# TYPE catalog_budget_calls_left gauge
catalog_budget_calls_left{store="s-1"} 100
# TYPE catalog_calls_paused gauge
catalog_calls_paused{store="s-1"} 0
# TYPE catalog_open_runs gauge
catalog_open_runs{store="s-1"} 0
# TYPE catalog_rows gauge
catalog_rows{state="parsed",store="s-1"} 0
catalog_rows{state="invalid",store="s-1"} 0
catalog_rows{state="duplicate",store="s-1"} 0
catalog_rows{state="skipped",store="s-1"} 0
catalog_rows{state="unchanged",store="s-1"} 0
catalog_rows{state="held",store="s-1"} 0
catalog_rows{state="ready",store="s-1"} 0
catalog_rows{state="sending",store="s-1"} 0
catalog_rows{state="ambiguous",store="s-1"} 0
catalog_rows{state="done",store="s-1"} 0
catalog_rows{state="rejected",store="s-1"} 0
catalog_rows{state="cancelled",store="s-1"} 0
# TYPE catalog_queue_length gauge
catalog_queue_length{kind="schedule",store="s-1"} 0
catalog_queue_length{kind="apply",store="s-1"} 0
# TYPE catalog_queue_age_seconds gauge
catalog_queue_age_seconds{kind="schedule",store="s-1"} 0
catalog_queue_age_seconds{kind="apply",store="s-1"} 0
# TYPE catalog_queue_failing gauge
catalog_queue_failing{store="s-1"} 0
# TYPE catalog_lease_takeovers counter
# TYPE catalog_feed_age_seconds gauge
catalog_feed_age_seconds{feed="fresh",store="s-1"} 1.5
catalog_feed_age_seconds{feed="never",store="s-1"} 60
# TYPE catalog_feed_healthy gauge
catalog_feed_healthy{feed="fresh",store="s-1"} 1
catalog_feed_healthy{feed="never",store="s-1"} 1
# TYPE catalog_feed_failures_in_row gauge
catalog_feed_failures_in_row{feed="fresh",store="s-1"} 0
catalog_feed_failures_in_row{feed="never",store="s-1"} 0
# EOF
`;

/** Starts a server whose metrics are a text, and returns its port. */
async function start(read: () => Promise<string> = async () => "# EOF\n"): Promise<number> {
  const errors: unknown[] = [];
  const onError = (error: unknown): unknown => errors.push(error);
  const served = await serveMetrics({
    metrics: { type: "application/openmetrics-text; version=1.0.0", read },
    port: 0,
    onError,
  });
  onTestFinished(() => served[Symbol.asyncDispose]());
  return Number(new URL(served.url).port);
}

/** Sends the lines as they are, and returns the answer. */
async function ask(port: number, ...lines: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
  return await readText(socket);
}

const statusOf = (answer: string): number => Number(answer.split(" ")[1]);

it("answers a scraper of this computer", async () => {
  const port = await start();

  const answer = await ask(port, "GET /metrics HTTP/1.1", `Host: localhost:${port}`);

  expect(statusOf(answer)).toBe(200);
  expect(answer.toLowerCase()).toContain(
    "content-type: application/openmetrics-text; version=1.0.0\r\n",
  );
  expect(answer.endsWith("\r\n\r\n# EOF\n")).toBe(true);
});

it.each([
  [421, "GET /metrics HTTP/1.1", "Host: evil.example"],
  [421, "GET /metrics HTTP/1.1", "Host: 127.0.0.1"],
  [421, "GET /metrics HTTP/1.0", "X: y"],
  [403, "GET /metrics HTTP/1.1", "Host: OWN\r\nOrigin: http://evil.example"],
  [404, "GET / HTTP/1.1", "Host: OWN"],
  [404, "GET /metrics/../x HTTP/1.1", "Host: OWN"],
  [405, "POST /metrics HTTP/1.1", "Host: OWN\r\nContent-Length: 0"],
  [200, "HEAD /metrics?x=1 HTTP/1.1", "Host: OWN"],
])("answers %i to %s with %s", async (status, first, headers) => {
  const port = await start();

  const answer = await ask(port, first, headers.replace("OWN", `127.0.0.1:${port}`));

  expect(statusOf(answer)).toBe(status);
  expect(answer).not.toContain("# EOF");
});

it("tells a scraper nothing of an error", async () => {
  const port = await start(async () => {
    throw new Error("postgres://user@server");
  });

  const answer = await ask(port, "GET /metrics HTTP/1.1", `Host: 127.0.0.1:${port}`);

  expect([statusOf(answer), answer.includes("postgres")]).toEqual([503, false]);
});
