/** A connection to a sandbox in this process, with the bodies of its updates recorded. */

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request as send,
  type ServerResponse,
} from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import { openConnection, type Connection } from "@catalog/connection";
import { applyPlan, planFile } from "@catalog/importer";
import type { RunRecord, RunSettings } from "@catalog/runs";
import type { Sandbox } from "@catalog/sandbox";
import { onTestFinished } from "vitest";

import {
  createSkippingClock,
  UNSKIPPED_TIMEOUT_MS,
} from "../../contract/behavior/skipping-clock.ts";
import { openWatched, type WatchOptions } from "./watched-sandbox.ts";

export interface ConnectionHarness {
  readonly sandbox: Sandbox;
  readonly connection: Connection;
  readonly folder: string;
  /** Bodies of the updates as they were received. */
  readonly updates: unknown[];
  /** Plans and applies a file. */
  readonly importFile: (path: string) => Promise<RunRecord>;
  /** The same with a CSV file of this text. */
  readonly importText: (text: string, settings?: RunSettings) => Promise<RunRecord>;
  /** Opens the same store on a machine with an empty home. */
  readonly openAnother: (home: string) => Promise<Connection>;
}

/** Waits are skipped; everything is closed when the test ends. */
export async function openConnectionHarness(
  options: WatchOptions = {},
): Promise<ConnectionHarness> {
  const clock = createSkippingClock(Date.now);
  const sandbox = await openWatched({ clock, ...options });
  const folder = mkdtempSync(join(tmpdir(), "catalog-desk-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const updates: unknown[] = [];
  const baseUrl = await openRelay(sandbox.baseUrl, updates);
  const openAnother = async (home: string): Promise<Connection> => {
    const opened = await openConnection({
      home: join(folder, home),
      baseUrl,
      storeId: sandbox.storeId,
      credentials: { clientKey: sandbox.clientKey, clientSecret: sandbox.clientSecret },
      clock,
      timeoutMs: UNSKIPPED_TIMEOUT_MS,
      random: () => 0,
    });
    onTestFinished(() => opened[Symbol.asyncDispose]());
    return opened;
  };
  const connection = await openAnother("home");

  const importFile = async (path: string, settings?: RunSettings): Promise<RunRecord> => {
    const asked = { path, settings, command: "import", lang: "tr", mode: "upsert" } as const;
    const { id: runId } = await planFile(connection, {
      ...asked,
      reportDir: join(folder, "{run}"),
    });
    return (await applyPlan(connection, { runId })).run;
  };
  const importText = async (text: string, settings?: RunSettings): Promise<RunRecord> => {
    const path = join(folder, "liste.csv");
    writeFileSync(path, text);
    return await importFile(path, settings);
  };
  return { sandbox, connection, folder, updates, importFile, importText, openAnother };
}

/** Forwards every request and records the bodies of updates. */
async function openRelay(target: string, updates: unknown[]): Promise<string> {
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { url = "/", method, headers } = incoming;
    const body = await buffer(incoming);
    if (url.includes("/product/update/")) updates.push(JSON.parse(body.toString()));
    const passed = send(new URL(url, target), { method, headers });
    passed.on("response", (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    passed.end(body);
  };
  const relay = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  onTestFinished(() => {
    relay.close();
    relay.closeAllConnections();
  });
  const address = relay.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");
  return `http://127.0.0.1:${address.port}`;
}
