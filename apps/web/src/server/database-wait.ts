/**
 * Answers requests while the database is away. They say at once what is waited for, as a browser has
 * six connections to a host and would soon have none left for a page whose requests all wait.
 */

import type { Clock } from "@catalog/clock";
import type { Lang, Localized } from "@catalog/i18n";
import type { FastifyInstance } from "fastify";

import type { DatabaseView } from "../api/session.ts";
import { type OpenStore, RequestError, type Topic } from "./site.ts";

/** Code of requests that are refused with 503, as the database is away. */
export const DATABASE_AWAY = "E_DATABASE_AWAY";

/** Tells how long the database has been waited for. */
interface DatabaseWait {
  /** In milliseconds; `undefined` where it answers. */
  waitedMs(): Promise<number | undefined>;
}

interface DatabaseWaitOptions {
  readonly store: OpenStore;
  readonly clock: Clock;
}

/** A reading that takes longer is taken for one that waits. */
const PATIENCE_MS = 500;

export function createDatabaseWait({ store, clock }: DatabaseWaitOptions): DatabaseWait {
  let probe: Promise<void> | undefined;
  const startProbe = async (): Promise<void> => {
    try {
      const { runs } = await store.connection();
      await runs.read("");
    } catch {
      // It was given up; the next question tries again.
    }
    probe = undefined;
  };
  return {
    async waitedMs() {
      if (store.outage() === undefined) return undefined;
      // Where only writing waits, as for a full disk, pages are read as always. A reading that
      // succeeds ends the outage.
      probe ??= startProbe();
      await endsWithin(clock, PATIENCE_MS, probe);
      const outage = probe === undefined ? undefined : store.outage();
      return outage === undefined ? undefined : clock.now() - outage.sinceMs;
    },
  };
}

/** Waits for the work, but not for longer than this. Returns whether it has ended. */
async function endsWithin(clock: Clock, maxMs: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = clock.sleep(maxMs, over.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort(new Error("over"));
  }
}

const MINUTE_MS = 60_000;

/** What a person reads while the database is away. */
export function describeAway(waitedMs: number): Localized {
  const minutes = Math.floor(waitedMs / MINUTE_MS);
  const [tr, en] =
    minutes === 0
      ? ["bekleniyor", "the program is waiting for it"]
      : [
          `${minutes} dakikadır bekleniyor`,
          `the program has been waiting for ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
        ];
  return {
    tr: `Veritabanına ulaşılamıyor, ${tr}. Geri gelince sayfa kendiliğinden devam eder.`,
    en: `The database cannot be reached; ${en}. The page goes on by itself once it is back.`,
  };
}

/** The database for the stream of events of every page. */
export const createDatabaseTopic = (wait: DatabaseWait): Topic => ({
  name: "database",
  async read(_id: string, lang: Lang): Promise<DatabaseView> {
    const waitedMs = await wait.waitedMs();
    return { waitsFor: waitedMs === undefined ? null : describeAway(waitedMs)[lang] };
  },
});

/** Time after which a reading is asked whether the database keeps it waiting. */
const ASK_EVERY_MS = 1_000;

/**
 * Refuses requests with 503 {@link DATABASE_AWAY} before they have begun, and readings that have
 * begun. A change that has begun is waited for: it may have been made.
 */
export function refuseWhileAway(
  scope: FastifyInstance,
  { wait, clock }: { readonly wait: DatabaseWait; readonly clock: Clock },
): void {
  const assertThere = async (): Promise<void> => {
    const waitedMs = await wait.waitedMs();
    if (waitedMs === undefined) return;
    throw new RequestError(503, DATABASE_AWAY, describeAway(waitedMs));
  };
  scope.addHook("preHandler", assertThere);
  scope.addHook("onRoute", (route) => {
    if (route.method !== "GET") return;
    const { handler } = route;
    route.handler = async function answer(request, reply) {
      const work = Promise.resolve(handler.call(this, request, reply));
      // It is awaited below, unless the database keeps it waiting.
      work.catch(() => undefined);
      // A file that is being sent has all that it needs.
      while (!(await endsWithin(clock, ASK_EVERY_MS, work)) && !reply.sent) await assertThere();
      return await work;
    };
  });
}
