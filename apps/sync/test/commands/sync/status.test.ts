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

describe("the state of a schedule", () => {
  it("is the same in its file and on the loopback address", async () => {
    const folder = mkdtempSync(join(tmpdir(), "catalog-status-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const healthPath = join(folder, "durum.json");
    const board = createStatusBoard({ feed: "/stok.csv", clock: createFakeClock(), healthPath });
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
