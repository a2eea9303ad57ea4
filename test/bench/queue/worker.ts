/** A worker of the bench of the queue. Its commands take 20 ms and do nothing. */

import { setTimeout as wait } from "node:timers/promises";

import { systemClock } from "@catalog/clock";
import { runWork, type StartCommand } from "@catalog/jobs";
import pg from "pg";

import { addressOf, ENDLESS, openStore, STORES, type Told } from "./stores.ts";

const COMMAND_MS = 20;
const MAX_COMMANDS = 4;
const ENDLESS_MS = 3_600_000;

const [url = "", home = ""] = process.argv.slice(2);
let statements = 0;

const say = (told: Told): void => void process.send?.(told);

function countStatements(): void {
  const query: unknown = Reflect.get(pg.Client.prototype, "query");
  if (typeof query !== "function") throw new Error("the driver has no query");
  Reflect.set(pg.Client.prototype, "query", function counted(this: unknown, ...args: unknown[]) {
    statements += 1;
    return Reflect.apply(query, this, args);
  });
}

/** A command that is no process. */
const startCommand: StartCommand = (words) => {
  const run = words.find((word) => word.startsWith("r-"));
  say({
    is: "started",
    kind: run === undefined ? "sync" : "run",
    run: run ?? "",
    atMs: Date.now(),
  });
  const ended = wait(run === ENDLESS ? ENDLESS_MS : COMMAND_MS);
  return {
    pid: undefined,
    ended: ended.then(() => ({ exit: 0, document: undefined, errors: "" })),
    onProgress: () => undefined,
    stop: () => undefined,
  };
};

countStatements();
setInterval(() => {
  const { user, system } = process.cpuUsage();
  const rssMb = process.memoryUsage().rss / 2 ** 20;
  say({ is: "cost", statements, cpuMs: (user + system) / 1000, rssMb });
}, 1_000);
process.on("disconnect", () => process.exit());
const first = await openStore(0, { url, home });
const stores = Array.from({ length: STORES }, (_, at) => ({
  ...addressOf(at),
  startCommand,
  open: () => openStore(at, { url, home }),
}));
say({ is: "ready" });
await runWork(first, stores, {
  command: "catalog worker",
  clock: systemClock,
  kinds: new Set(["sync", "apply"]),
  lang: "en",
  stop: new AbortController().signal,
  stopsCommands: true,
  maxCommands: MAX_COMMANDS,
});
