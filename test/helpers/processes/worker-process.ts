/** Workers as processes, and the places in which they find their work. */

import { createTestDatabase, hasPostgres } from "@catalog/database/testing";
import { onTestFinished } from "vitest";

import type { TestStore } from "../markets/test-store.ts";
import { waitUntil } from "../wait-until.ts";
import type { CatalogProcess, Finished } from "./catalog-process.ts";

export interface WorkerEvent {
  readonly event: string;
  readonly kind?: string;
  readonly run?: string;
  readonly store?: string;
  readonly schedule?: string;
  readonly pid?: number;
  readonly exit?: number;
}

export interface WorkerProcess extends CatalogProcess {
  /** What it has printed so far. */
  readonly events: readonly WorkerEvent[];
  /** Waits until it has printed such an event. */
  readonly until: (event: string) => Promise<WorkerEvent>;
  /** Ends it as a service manager does. */
  readonly end: (signal?: "SIGTERM" | "SIGINT") => Promise<Finished>;
  /** Kills it and what it has started, as when the machine loses its power. */
  readonly killAll: () => Promise<void>;
}

/** Starts `catalog worker`; it is killed when the test ends. */
export function startWorker(
  { start }: Pick<TestStore, "start">,
  ...flags: readonly string[]
): WorkerProcess {
  const { child, finished } = start("worker", "--json", ...flags);
  const events: WorkerEvent[] = [];
  let text = "";
  child.stdout?.on("data", (chunk) => {
    const lines = (text + String(chunk)).split("\n");
    text = lines.pop() ?? "";
    events.push(...lines.map((line): WorkerEvent => JSON.parse(line)));
  });
  const kill = (): void => {
    child.kill("SIGKILL");
    for (const { pid } of events) if (pid !== undefined) killIfAlive(pid);
  };
  onTestFinished(kill);
  return {
    child,
    finished,
    events,
    async until(wanted) {
      const find = () => events.find(({ event }) => event === wanted);
      await waitUntil(() => find() !== undefined);
      return find() ?? { event: wanted };
    },
    end(signal = "SIGTERM") {
      child.kill(signal);
      return finished;
    },
    async killAll() {
      kill();
      await finished;
    },
  };
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** A store as two machines see it, which may be one. */
type Open = (shop: TestStore) => Promise<readonly [here: TestStore, there: TestStore]>;

const openOnServer: Open = async (shop) => {
  const server = await createTestDatabase();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const at = (home: string): TestStore =>
    shop.at({ CATALOG_HOME: `${shop.folder}/${home}`, CATALOG_DATABASE_URL: server.url });
  return [at("here"), at("there")];
};

/** Where the data of a store is: in the file of one home, or on a server that two homes share. */
export const PLACES: readonly {
  readonly name: string;
  readonly open: Open;
  readonly isOn: boolean;
}[] = [
  { name: "a file", open: async (shop) => [shop, shop], isOn: true },
  { name: "PostgreSQL and two homes", open: openOnServer, isOn: hasPostgres() },
];
