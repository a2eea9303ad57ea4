import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { UsageError } from "@catalog/console";
import { describe, expect, it, onTestFinished } from "vitest";

import { createStatusBoard, openStatusServer } from "../../../src/commands/sync/status.ts";

/** A free port of this machine. */
async function findPort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  await closed.promise;
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

const HOUR_MS = 3_600_000;

const HEALTH = {
  isHealthy: true,
  unhealthyAtMs: HOUR_MS,
  succeededAtMs: undefined,
  failuresInRow: 0,
};

describe("the state of a schedule", () => {
  it("is unhealthy once no sync has done its job for long, in its file and for a probe", async () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-status-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const healthPath = join(folder, "durum.json");
    const clock = createFakeClock();
    const board = createStatusBoard({
      feed: "/stok.csv",
      mode: "live",
      clock,
      healthPath,
      health: HEALTH,
    });
    await using server = await openStatusServer(await findPort(), () => board.read());
    const probe = async (): Promise<number> => (await fetch(`${server.url}healthz`)).status;

    const before = await probe();
    await clock.advance(HOUR_MS);
    board.update({ state: "waiting" });
    const late = [await probe(), (await fetch(server.url)).status];
    board.judge({ ...HEALTH, unhealthyAtMs: 2 * HOUR_MS, succeededAtMs: HOUR_MS });
    const after = await probe();

    expect([before, ...late, after]).toEqual([200, 503, 200, 200]);
    expect(JSON.parse(readFileSync(healthPath, "utf8"))).toMatchObject({
      healthy: false,
      unhealthy_at: "1970-01-01T01:00:00.000Z",
      last_success: null,
      failures_in_row: 0,
    });
  });

  it("is the same in its file and on the loopback address", async () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-status-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const healthPath = join(folder, "durum.json");
    const clock = createFakeClock();
    const board = createStatusBoard({
      feed: "/stok.csv",
      mode: "live",
      clock,
      healthPath,
      health: HEALTH,
    });
    board.update({ state: "syncing" });
    const port = await findPort();

    await using server = await openStatusServer(port, () => board.read());
    const answered = await (await fetch(server.url)).json();
    const posted = await fetch(server.url, { method: "POST" });
    const second = openStatusServer(port, () => board.read());

    expect(answered).toEqual(JSON.parse(readFileSync(healthPath, "utf8")));
    expect(answered).toMatchObject({ command: "sync", feed: "/stok.csv", state: "syncing" });
    expect(posted.status).toBe(405);
    await expect(second).rejects.toThrow(UsageError);
  });
});
