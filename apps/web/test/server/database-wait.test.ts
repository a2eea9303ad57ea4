import { EventEmitter, once } from "node:events";

import { createFakeClock, type FakeClock } from "@catalog/clock/testing";
import { expect, it } from "vitest";

import {
  createDatabaseTopic,
  createDatabaseWait,
  describeAway,
} from "../../src/server/database-wait.ts";
import { needs } from "../../src/server/needs.ts";
import type { OpenStore } from "../../src/server/site.ts";
import { openSession, startPageServer } from "../helpers/page-server.ts";
import { createFolder } from "../helpers/temporary-folder.ts";

const never = (): never => {
  throw new Error("no command is started");
};

interface FakeStore extends OpenStore {
  /** Readings that were begun and have not ended. */
  readonly waiting: (() => void)[];
  /** Waits until so many readings have begun. */
  hasBegun(readings: number): Promise<void>;
  begin(): void;
  end(): void;
}

/** A store whose database is away since the beginning; readings wait until they are let go. */
function createAwayStore(clock: FakeClock): FakeStore {
  const waiting: (() => void)[] = [];
  const begun = new EventEmitter();
  let outage: { readonly sinceMs: number } | undefined;
  const begin = (): void => {
    outage = { sinceMs: clock.now() };
  };
  begin();
  const runs = {
    read: () =>
      new Promise<undefined>((resolve) => {
        waiting.push(() => resolve(undefined));
        begun.emit("reading");
      }),
  };
  return {
    waiting,
    async hasBegun(readings) {
      while (waiting.length < readings) await once(begun, "reading");
    },
    begin,
    outage: () => outage,
    // @ts-expect-error -- a question reads a run and nothing else
    connection: async () => ({ runs }),
    end() {
      outage = undefined;
      for (const letGo of waiting.splice(0)) letGo();
    },
  };
}

it("tells how long the database has been away, with one reading for all that ask", async () => {
  const clock = createFakeClock();
  const store = createAwayStore(clock);
  const wait = createDatabaseWait({ store, clock });
  const topic = createDatabaseTopic(wait);

  const asked = [wait.waitedMs(), wait.waitedMs()];
  await clock.advance(90_000);
  const later = wait.waitedMs();
  const told = topic.read("", "tr");
  await clock.advance(600);
  const answers = [...(await Promise.all(asked)), await later];
  const readings = store.waiting.length;
  store.end();

  expect(answers).toEqual([500, 500, 90_500]);
  expect(await told).toEqual({ waitsFor: describeAway(90_500).tr });
  expect(await topic.read("", "tr")).toEqual({ waitsFor: null });
  expect([readings, await wait.waitedMs()]).toEqual([1, undefined]);
});

it("does not call a database away that can be read while writing waits", async () => {
  const clock = createFakeClock();
  const store = createAwayStore(clock);
  const wait = createDatabaseWait({ store, clock });

  const asked = wait.waitedMs();
  await clock.advance(0);
  for (const letGo of store.waiting.splice(0)) letGo();

  expect([await asked, store.outage()]).toEqual([undefined, { sinceMs: 0 }]);
});

it("refuses what has not begun and what only reads, until the database is back", async () => {
  const still = createFakeClock();
  let isRunning = false;
  // Once it runs, each sleep moves it on, so that the test waits for nothing but the requests.
  const clock: FakeClock = {
    ...still,
    sleep(ms, signal) {
      const slept = still.sleep(ms, signal);
      if (isRunning) void still.advance(ms);
      return slept;
    },
  };
  const store = createAwayStore(clock);
  store.end();
  const made: string[] = [];
  const read = async (): Promise<unknown> => {
    const { runs } = await store.connection();
    return store.outage() === undefined && made.length > 0 ? { made } : await runs.read("r");
  };
  const change = async (): Promise<unknown> => {
    made.push("change");
    const { runs } = await store.connection();
    await runs.read("r");
    return { made };
  };
  const server = await startPageServer({
    site: { clock, store, startCommand: never, folder: createFolder() },
    routes: [
      (app) =>
        void app.get("/thing", needs("viewer"), read).post("/thing", needs("editor"), change),
    ],
  });
  const headers = await openSession(server);
  const ask = async (method: "GET" | "POST"): Promise<readonly [number, string | undefined]> => {
    const answer = await fetch(`${server.origin}/api/thing`, { method, headers });
    const { code }: { code?: string } = JSON.parse(await answer.text());
    return [answer.status, code];
  };
  const begun = [ask("GET"), ask("POST")] as const;
  await store.hasBegun(2);
  store.begin();
  isRunning = true;
  const [waiting, changing] = begun;
  const refused = Promise.all([waiting, ask("GET"), ask("POST")]);
  await clock.advance(1_000);
  await refused;
  store.end();

  expect(await refused).toEqual(Array.from({ length: 3 }, () => [503, "E_DATABASE_AWAY"]));
  expect([await changing, made]).toEqual([[200, undefined], ["change"]]);
  expect(await ask("GET")).toEqual([200, undefined]);
});

it.each([
  [59_999, "bekleniyor.", "the program is waiting for it."],
  [60_000, "1 dakikadır bekleniyor.", "has been waiting for 1 minute."],
  [185_000, "3 dakikadır bekleniyor.", "has been waiting for 3 minutes."],
])("counts the minutes after %i ms", (waitedMs, tr, en) => {
  const text = describeAway(waitedMs);

  expect([text.tr, text.en]).toEqual([
    expect.stringContaining(` ${tr}`),
    expect.stringContaining(` ${en}`),
  ]);
});
