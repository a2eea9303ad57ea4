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
  runWork,
  type StartCommand,
  type WorkKind,
  type WorkStore,
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
  const { lang, terminal, json, clock, stop } = context;
  const kinds = readKinds(flags);
  const slots = createWorkSlots(countFlag(flags, "max-commands") ?? MAX_COMMANDS);
  const port = portFlag(flags, "metrics");
  const list = textFlag(flags, "stores");
  const home = await parts.readHome();
  await using opened = new AsyncDisposableStack();
  const open = async (settings: StoreSettings | undefined): Promise<Connection> =>
    await context.openConnection(settings === undefined ? {} : { given: settings });
  const [own, ...others] = list === undefined ? [undefined] : await parts.readStores(list);
  const first = opened.use(await open(own));
  const known = new Map([[own, first]]);
  if (port !== undefined) {
    for (const settings of others) known.set(settings, opened.use(await open(settings)));
    opened.use(await openMetrics(context, [...known.values()], port));
  }
  const stores = [own, ...others].map((settings): WorkStore => {
    const connection = known.get(settings);
    const store = connection ?? readAddress(settings);
    return {
      baseUrl: store.baseUrl,
      storeId: store.storeId,
      startCommand: createStart({ parts, home, settings }),
      onEvent: createTeller(context, list === undefined ? undefined : store.storeId),
      open: async () => (connection === undefined ? await open(settings) : keepOpen(connection)),
    };
  });
  const rest = { kinds, lang, clock, stop, slots, stopsCommands: true } as const;
  await runWork(first, stores, { command: "catalog worker", ...rest });
  if (!json) terminal.err(`${WORKER_TEXTS[lang].ended}\n`);
  return EXIT.done;
}

const readAddress = (settings: StoreSettings | undefined): StoreAddress => ({
  baseUrl: settings?.["CATALOG_BASE_URL"] ?? "",
  storeId: settings?.["CATALOG_STORE_ID"] ?? "",
});

type StoreAddress = Pick<Connection, "baseUrl" | "storeId">;

/** The connection for a user that does not close it. */
const keepOpen = (connection: Connection): Connection => ({
  ...connection,
  [Symbol.asyncDispose]: async () => undefined,
});

function readKinds(flags: Flags): ReadonlySet<WorkKind> {
  const kinds = wordsFlag(flags, "kinds", WORK_KINDS);
  return kinds.size === 0 ? new Set(WORK_KINDS) : kinds;
}

interface StartOptions {
  readonly parts: WorkerParts;
  readonly home: string;
  /** @default the store of the program's settings */
  readonly settings: StoreSettings | undefined;
}

/** Starts commands for the store; its settings are in their environment only. */
function createStart({ parts, home, settings }: StartOptions): StartCommand {
  const { program, cwd, env } = parts;
  return createStartCommand({
    program,
    cwd,
    env: () => ({ ...env, ...settings, [ORIGIN_VARIABLE]: "schedule" }),
    folder: () => join(home, "worker"),
    isAwaited: true,
  });
}
