/** A folder with an empty store, and the context of a command. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { Clock } from "@catalog/clock";
import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { openConnection, type Connection, type ConnectionOverrides } from "@catalog/connection";
import {
  createFakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "@catalog/console/testing";
import type { Lang } from "@catalog/i18n";
import { onTestFinished } from "vitest";

import type { CommandContext } from "../../src/context.ts";

/** An address at which no server listens, for tests that must make no call. */
const NOBODY = "http://127.0.0.1:9";

export interface CommandHarnessOptions extends FakeTerminalOptions {
  readonly baseUrl?: string;
  /** @default "en" */
  readonly lang?: Lang;
  readonly json?: boolean;
}

export interface CommandHarness {
  readonly folder: string;
  readonly terminal: FakeTerminal;
  readonly context: CommandContext;
  /** Writes a file and returns its path. */
  readonly write: (name: string, text: string) => string;
  readonly open: () => Promise<Connection>;
}

/** Time limits of calls and programs are at least this long, and are never reached. */
const MIN_LIMIT_MS = 15_000;

/** Skips shorter waits; the clock advances all the same. */
function createHastyClock(clock: FakeClock): Clock {
  return {
    now: () => clock.now(),
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      if (ms >= MIN_LIMIT_MS) await clock.sleep(ms, signal);
      else await clock.advance(ms);
    },
  };
}

/** The folder is removed when the test ends. */
export function createCommandHarness(options: CommandHarnessOptions = {}): CommandHarness {
  const folder = mkdtempSync(join(tmpdir(), "catalog-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const terminal = createFakeTerminal(options);
  const clock = createHastyClock(createFakeClock(Date.UTC(2026, 10, 21, 9, 30)));
  const open = ({ readPace }: ConnectionOverrides = {}): Promise<Connection> =>
    openConnection({
      readPace,
      home: join(folder, "home"),
      baseUrl: options.baseUrl ?? NOBODY,
      storeId: "s-1",
      credentials: { clientKey: "key", clientSecret: "secret" },
      clock,
      random: () => 0,
    });
  const context: CommandContext = {
    lang: options.lang ?? "en",
    json: options.json ?? false,
    quiet: false,
    terminal,
    clock,
    resolve: (path) => resolve(folder, path),
    stop: new AbortController().signal,
    openConnection: open,
  };
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { folder, terminal, context, write, open };
}
