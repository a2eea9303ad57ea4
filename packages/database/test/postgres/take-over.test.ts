import { systemClock } from "@catalog/clock";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";

import { type Database, TakenOverError } from "../../src/index.ts";
import { openPostgres } from "../../src/postgres.ts";
import {
  createTestDatabase,
  openTcpProxy,
  type PostgresServer,
  startPostgres,
  type TcpProxy,
} from "../../src/testing/index.ts";
import { describeOnPostgres, STORE } from "../helpers/open-test-postgres.ts";

interface Pair {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  /** Leads to the primary. It cuts the connection of the next commit, once that is on its way. */
  readonly proxy: TcpProxy & { cutNextCommit(): Promise<void> };
  /** Opened through the proxy. */
  readonly database: Database;
}

async function openPair(): Promise<Pair> {
  const primary = await startPostgres();
  onTestFinished(() => primary[Symbol.asyncDispose]());
  const { url } = await createTestDatabase({ server: primary.url });
  const replica = await startPostgres({ follows: primary });
  onTestFinished(() => replica[Symbol.asyncDispose]());
  let onCut: (() => void) | undefined;
  const proxy = await openTcpProxy(url, {
    pass(bytes) {
      if (onCut === undefined || !bytes.includes("COMMIT")) return true;
      onCut();
      return false;
    },
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const cutNextCommit = (): Promise<void> =>
    new Promise((resolve) => {
      onCut = resolve;
    });
  const wait = { maxMs: 60_000 };
  const database = await openPostgres({ url: proxy.url, clock: systemClock, store: STORE, wait });
  onTestFinished(() => database.close());
  return { primary, replica, proxy: { ...proxy, cutNextCommit }, database };
}

/** More than the primary gave away while the replica was not there. */
const MANY_IDS = 200;

/** Lets the replica take over without what it has not received, and give the same ids again. */
async function takeOver({ primary, replica, proxy }: Pair): Promise<void> {
  await primary.stop();
  await replica.start();
  const client = new Client({ connectionString: replica.url });
  await client.connect();
  await client.query("SELECT pg_promote()");
  for (let n = 0; n < MANY_IDS; n += 1) await client.query("SELECT pg_current_xact_id()");
  await client.end();
  proxy.pointTo(replica.url);
}

const insert = (database: Database): Promise<number> =>
  database.transaction(() => {
    const { build, run } = database;
    return run(build.insertInto("token").values({ key: "a", token: "t", expires_at_ms: 1 }));
  });

describeOnPostgres("a replica that takes over", { timeout: 60_000 }, () => {
  it("is not believed that it has a commit whose id it has given to another one", async () => {
    const pair = await openPair();
    const { replica, proxy, database } = pair;
    await replica.stop();
    const cut = proxy.cutNextCommit();

    const writing = expect(insert(database)).rejects.toBeInstanceOf(TakenOverError);
    await cut;
    await takeOver(pair);

    await writing;
  });

  it("stops work that was begun on its primary, and is told from a backup", async () => {
    const pair = await openPair();
    const { replica, database } = pair;
    await replica.stop();
    await takeOver(pair);

    const checking = database.transaction(() => database.assertCurrent());

    await expect(checking).rejects.toMatchObject({
      constructor: TakenOverError,
      code: "E_DATABASE_RESTORED",
    });
  });
});
