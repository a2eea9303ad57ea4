/** Runs `catalog worker`. */

import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import {
  countFlag,
  EXIT,
  type Flags,
  ORIGIN_VARIABLE,
  portFlag,
  textFlag,
  wordsFlag,
} from "@catalog/console";
import {
  createStartCommand,
  createWorkSlots,
  runStoreJobs,
  runStoreSchedules,
  shareReads,
  type StartCommand,
  type WorkKind,
  type WorkSlots,
} from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { type StoreSettings, WORK_KINDS, type WorkerParts } from "./index.ts";
import { openMetrics } from "./open-metrics.ts";
import { createTeller } from "./tell-event.ts";
import { WORKER_TEXTS } from "./texts.ts";

/** Pieces of work at a time, unless a person sets another number. */
const MAX_COMMANDS = 4;

/** Works until the command is stopped; what it has started stops with it. */
export async function runWorkerCommand(
  context: CommandContext,
  flags: Flags,
  parts: WorkerParts,
): Promise<number> {
  const { lang, terminal, json } = context;
  const kinds = readKinds(flags);
  const slots = createWorkSlots(countFlag(flags, "max-commands") ?? MAX_COMMANDS);
  const port = portFlag(flags, "metrics");
  const home = await parts.readHome();
  await using opened = new AsyncDisposableStack();
  const stores = await openStores(context, parts, { list: textFlag(flags, "stores"), opened });
  if (port !== undefined) {
    const connections = stores.map(({ connection }) => connection);
    opened.use(await openMetrics(context, connections, port));
  }
  const shared = shareReads(
    stores.map(({ connection }) => connection),
    context,
  );
  await workTogether(context, stores, (own, store) => {
    const memory = { ...store.connection.memory, ...shared.get(store.connection) };
    return workOn(own, { ...store, memory, kinds, slots, parts, home });
  });
  if (!json) terminal.err(`${WORKER_TEXTS[lang].ended}\n`);
  return EXIT.done;
}

interface OpenedStore {
  readonly connection: Connection;
  /** @default the store of the program's settings */
  readonly settings: StoreSettings | undefined;
}

interface OpenStoresOptions {
  /** Path of the list of stores. @default the store of the program's settings */
  readonly list: string | undefined;
  /** Closes the stores. */
  readonly opened: AsyncDisposableStack;
}

async function openStores(
  context: CommandContext,
  { readStores }: WorkerParts,
  { list, opened }: OpenStoresOptions,
): Promise<readonly OpenedStore[]> {
  const listed = list === undefined ? [undefined] : await readStores(list);
  const stores: OpenedStore[] = [];
  for (const settings of listed) {
    const given = settings === undefined ? {} : { given: settings };
    stores.push({ connection: opened.use(await context.openConnection(given)), settings });
  }
  return stores;
}

/**
 * Works on all stores. One that fails ends the others as well, so that the caller notices; rejects with its error.
 */
async function workTogether(
  context: CommandContext,
  stores: readonly OpenedStore[],
  work: (context: CommandContext, store: OpenedStore) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([context.stop, failed.signal]);
  const ends = stores.map(async (store) => {
    try {
      await work({ ...context, stop }, store);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  const failure = (await Promise.allSettled(ends)).find(({ status }) => status === "rejected");
  if (failure?.status === "rejected") throw failure.reason;
}

function readKinds(flags: Flags): ReadonlySet<WorkKind> {
  const kinds = wordsFlag(flags, "kinds", WORK_KINDS);
  return kinds.size === 0 ? new Set(WORK_KINDS) : kinds;
}

interface StoreWork extends OpenedStore {
  /** The memory of the store, whose reads may be shared with other stores. */
  readonly memory: Connection["memory"];
  readonly kinds: ReadonlySet<WorkKind>;
  readonly slots: WorkSlots;
  readonly parts: WorkerParts;
  readonly home: string;
}

/** Does the work of one store until the command is stopped. */
async function workOn(context: CommandContext, work: StoreWork): Promise<void> {
  const { connection, memory, settings, kinds, slots } = work;
  const { lang, stop } = context;
  const tell = createTeller(context, settings === undefined ? undefined : connection.storeId);
  const startCommand = createStart(work);
  const common = { command: "catalog worker", startCommand, lang, stop, slots } as const;
  const tools = { ...connection, memory };
  await Promise.all([
    kinds.has("sync") && runStoreSchedules(tools, { ...common, stopsSyncs: true, onEvent: tell }),
    kinds.has("apply") && runStoreJobs(tools, { ...common, onEvent: tell }),
  ]);
}

/** Starts commands for the store; its settings are in their environment only. */
function createStart({ parts, home, settings }: StoreWork): StartCommand {
  const { program, cwd, env } = parts;
  return createStartCommand({
    program,
    cwd,
    env: () => ({ ...env, ...settings, [ORIGIN_VARIABLE]: "schedule" }),
    folder: () => join(home, "worker"),
    isAwaited: true,
  });
}
