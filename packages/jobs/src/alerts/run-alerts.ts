/**
 * Tells people what goes wrong. Whoever runs schedules looks every half minute, and `catalog alerts
 * check` once: what is found is compared with what each channel was told, and what is due is sent.
 * The state is in the database, so any number of processes may do this at the same time.
 */

import type { Clock } from "@catalog/clock";
import { type Connection, toStoreAddress } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";

import {
  advanceAlerts,
  type Finding,
  listMessages,
  parseAlertState,
  settleMessage,
  takeMessage,
  type TellingRules,
} from "./alert-state.ts";
import { toAlertDocument, toAlertText, toTestText } from "./alert-texts.ts";
import {
  type Channel,
  describeSendFailure,
  formatQuiet,
  parseChannel,
  type SecretPlace,
  type SendEnd,
  sendAlert,
  type SendPorts,
  withoutSecret,
} from "./channels.ts";
import { type AlertTools, findTroubles } from "./find-trouble.ts";

/** Names the secret of a channel. */
export interface AlertSecretKey extends Pick<AlertTools, "baseUrl" | "storeId"> {
  readonly channel: string;
}

/** The secrets of channels on this machine. */
export interface AlertSecrets {
  /** `undefined` where this machine does not have it. */
  read(key: AlertSecretKey, place: SecretPlace): Promise<string | undefined>;
  /** Stores it in the keyring, or in a private file where there is none or a file is wanted. */
  write(
    key: AlertSecretKey,
    secret: string,
    place: "keyring" | "file",
  ): Promise<"keyring" | "file">;
  forget(key: AlertSecretKey, place: SecretPlace): Promise<void>;
}

/** What telling needs of the world. */
export interface AlertPorts extends SendPorts {
  /** Counts the time between two looks. */
  readonly clock: Clock;
  readonly secrets: AlertSecrets;
}

/** What one look came to. */
interface AlertPass {
  /** What needs a person now: in words, and as the document of its message without them. */
  readonly open: readonly {
    readonly text: Localized;
    readonly document: Readonly<Record<string, unknown>>;
  }[];
  /** Messages that arrived. */
  readonly sent: number;
  /** Messages that did not arrive; they are tried again. */
  readonly failed: number;
}

interface PassOptions {
  readonly ports: AlertPorts;
  readonly stop: AbortSignal;
}

/** Looks once, and sends what is due. Rejects only where the database does. */
export async function runAlerts(tools: AlertTools, options: PassOptions): Promise<AlertPass> {
  return await tellChannels(tools, await tools.memory.alerts.listChannels(), options);
}

type Alerts = AlertTools["memory"]["alerts"];
type StoredChannels = Awaited<ReturnType<Alerts["listChannels"]>>;
type AlertRecord = Awaited<ReturnType<Alerts["list"]>>[number];

async function tellChannels(
  tools: AlertTools,
  channels: StoredChannels,
  options: PassOptions,
): Promise<AlertPass> {
  const findings = await findTroubles(tools);
  // Read once; a record that another process has changed since is taken at the next look.
  const records = channels.length === 0 ? [] : await tools.memory.alerts.list();
  let [sent, failed] = [0, 0];
  for (const stored of channels) {
    const channel = parseChannel(stored);
    if (channel === undefined) continue;
    const known = records.filter((record) => record.channel === channel.name);
    const told = await advanceChannel(tools, { channel, known }, findings);
    while (!options.stop.aborted) {
      const end = await sendNext(tools, { channel, told }, options.ports);
      if (end === undefined) break;
      if (end.hasArrived) sent += 1;
      else {
        // The other messages of a channel that does not work would fail as well.
        failed += 1;
        break;
      }
    }
  }
  const troubles = findings.flatMap((finding) => finding.troubles);
  const nowMs = tools.clock.now();
  const open = troubles
    .filter(({ needsPerson }) => needsPerson)
    .map((facts) => {
      const [tr, en] = (["tr", "en"] as const).map(
        (lang) => toAlertText(facts, { lang, nowMs }).text.split("\n")[0] ?? "",
      );
      const document = toAlertDocument({ title: "", text: "" }, { ...facts, facts, nowMs });
      return { text: { tr: tr ?? "", en: en ?? "" }, document };
    });
  return { open, sent, failed };
}

/** Time between two looks, in milliseconds. */
const LOOK_MS = 30_000;

/** Does so where there are channels. Never rejects, as no other work depends on it. */
export async function tellAlerts(tools: AlertTools, options: PassOptions): Promise<void> {
  try {
    const channels = await tools.memory.alerts.listChannels();
    if (channels.length > 0) await tellChannels(tools, channels, options);
  } catch {
    // What the database could not store is found again at the next look.
  }
}

/**
 * Does so again and again for the stores that `listTools` returns, until it is disposed of. A database
 * that is away ends nothing here: what is not told now is told later.
 */
export function watchAlerts(
  listTools: () => readonly AlertTools[],
  ports: AlertPorts,
): AsyncDisposable {
  const { clock } = ports;
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const tools of listTools()) {
        await tellAlerts(tools, { ports, stop: over.signal });
        if (over.signal.aborted) return;
      }
      await clock.sleep(LOOK_MS, over.signal).catch(() => undefined);
    }
  };
  const watched = watch();
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      await watched;
    },
  };
}

/**
 * The stores of a server's database, as alerts see them. Each sees the runs and rows that the store's
 * own processes see, as what one does not find another takes for mended.
 */
export async function listAlertTools(
  connection: Connection,
  stores: readonly Pick<Connection, "baseUrl" | "storeId">[],
): Promise<readonly AlertTools[]> {
  const { memory, clock, readsOf } = connection;
  const keys = await memory.jobs.readStores(stores);
  return stores.flatMap((store, at): readonly AlertTools[] => {
    const key = keys[at];
    if (key === undefined) return [];
    const address = toStoreAddress(store);
    if (address.baseUrl === connection.baseUrl && address.storeId === connection.storeId)
      return [connection];
    const schedules = memory.schedules.of(key);
    const alerts = memory.alerts.of(key);
    const periods = memory.periods.of(key);
    const found = { notes: memory.notes, schedules, alerts, periods };
    const storeName = connection.namedStores.find(
      ({ baseUrl, storeId }) => baseUrl === address.baseUrl && storeId === address.storeId,
    )?.name;
    return [{ ...address, storeName, ...readsOf(key), clock, memory: found }];
  });
}

/** Sends a test message at once through a stored channel, and notes how it fared. */
export async function testChannel(
  tools: Pick<AlertTools, "clock" | "baseUrl" | "storeId" | "storeName" | "memory">,
  channel: Channel,
  ports: AlertPorts,
): Promise<SendEnd> {
  const end = await sendTest(tools, channel, ports);
  await noteDelivery(tools, channel, end);
  return end;
}

/** Sends a test message through a channel that need not be stored. */
export async function sendTest(
  {
    clock,
    baseUrl,
    storeId,
    storeName,
  }: Pick<AlertTools, "clock" | "baseUrl" | "storeId" | "storeName">,
  channel: Channel,
  ports: AlertPorts,
): Promise<SendEnd> {
  const nowMs = clock.now();
  const text = toTestText(channel.lang, { storeId, storeName });
  const document = toAlertDocument(text, { nowMs, baseUrl, storeId, storeName });
  const secret = await readSecret({ baseUrl, storeId }, channel, ports);
  const alert = { ...text, document, id: String(document["id"]) };
  return secret === undefined
    ? withoutSecret(channel.secret)
    : await sendAlert(channel, secret, { alert, ports });
}

/** A channel and how its messages fare. */
export interface ChannelView {
  readonly channel: Channel;
  /** When a message last arrived, in milliseconds since 1970. */
  readonly arrivedAtMs: number | undefined;
  /** Hours without messages, as people write them. */
  readonly quiet: string | undefined;
  /** Why the latest attempt failed; `undefined` where it arrived, or nothing was sent yet. */
  readonly failure: { readonly code: string; readonly message: Localized } | undefined;
  readonly failedAtMs: number | undefined;
  /** Messages that are to be sent. */
  readonly waiting: number;
  /**
   * - `working`: the latest message arrived.
   * - `untried`: nothing was sent yet.
   * - `failing`: the latest message did not arrive.
   * - `stuck`: messages wait, and no program sends them.
   */
  readonly health: "working" | "untried" | "failing" | "stuck";
}

/** A message that is due for longer has nobody who sends it. */
const STUCK_MS = 10 * 60_000;

/** Reads the channels of a store and how they fare. */
export async function readChannelViews({
  memory: { alerts },
  clock,
}: Pick<AlertTools, "memory" | "clock">): Promise<readonly ChannelView[]> {
  const records = await alerts.list();
  const nowMs = clock.now();
  return (await alerts.listChannels()).flatMap((stored) => {
    const channel = parseChannel(stored);
    if (channel === undefined) return [];
    const messages = records
      .filter((record) => record.channel === channel.name)
      .flatMap(({ state }) => listMessages(parseAlertState(state)));
    const isStuck = messages.some(({ message }) => nowMs - message.nextMs > STUCK_MS);
    const { failure, atMs, arrivedAtMs } = stored.delivery ?? {};
    const isFailing = failure !== undefined && failure !== null;
    return [
      {
        channel,
        arrivedAtMs,
        quiet: channel.quiet && formatQuiet(channel.quiet),
        failure: isFailing
          ? { code: failure.code, message: describeSendFailure(failure) }
          : undefined,
        failedAtMs: isFailing ? atMs : undefined,
        waiting: messages.length,
        health: isFailing ? "failing" : isStuck ? "stuck" : toHealth(arrivedAtMs),
      },
    ];
  });
}

const toHealth = (arrivedAtMs: number | undefined): "working" | "untried" =>
  arrivedAtMs === undefined ? "untried" : "working";

interface KnownRecords {
  readonly channel: Channel;
  readonly known: readonly AlertRecord[];
}

/**
 * Takes what was found into what the channel is to be told; what is gone is forgotten. Returns what is
 * stored by now, by its subject.
 */
async function advanceChannel(
  { memory: { alerts }, clock }: AlertTools,
  { channel, known }: KnownRecords,
  findings: readonly Finding[],
): Promise<Map<string, AlertRecord>> {
  const told = new Map(known.map((record) => [record.subject, record]));
  const gone = new Map(told);
  const rules = toRules(channel);
  for (const finding of findings) {
    const { subject } = finding;
    const record = told.get(subject) ?? { channel: channel.name, subject, version: 0, state: {} };
    gone.delete(subject);
    const before = parseAlertState(record.state);
    const after = advanceAlerts(before, finding, { ...rules, nowMs: clock.now() });
    // Another process that was first has taken in the same.
    if (after !== before) await replaceTold(alerts, { told, record }, after);
  }
  for (const record of gone.values()) {
    await alerts.remove(record);
    told.delete(record.subject);
  }
  return told;
}

interface ToldRecord {
  readonly told: Map<string, AlertRecord>;
  readonly record: AlertRecord;
}

/** Stores a state; returns the record as it is then, `undefined` where another process was first. */
async function replaceTold(
  alerts: Alerts,
  { told, record }: ToldRecord,
  state: AlertRecord["state"],
): Promise<AlertRecord | undefined> {
  if (await alerts.replace(record, state)) {
    const stored = { ...record, state, version: record.version + 1 };
    told.set(record.subject, stored);
    return stored;
  }
  told.delete(record.subject);
  return undefined;
}

const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;

/** Turkish time, which is the same in summer and winter. */
const ZONE_MINUTES = 180;

const toRules = ({ causes, repeatMs, quiet }: Channel): TellingRules => ({
  causes,
  repeatMs,
  findQuietEnd(atMs) {
    if (quiet === undefined) return atMs;
    const minute = Math.floor(atMs / MINUTE_MS) + ZONE_MINUTES;
    const into =
      ((((minute % DAY_MINUTES) - quiet.from) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
    const lasts = (quiet.to - quiet.from + DAY_MINUTES) % DAY_MINUTES;
    return into < lasts ? (minute - ZONE_MINUTES + lasts - into) * MINUTE_MS : atMs;
  },
});

/** How long a message waits for a process that has the secret, before its lack is told. */
const PATIENCE_MS = 5 * 60_000;

interface ToldChannel {
  readonly channel: Channel;
  readonly told: Map<string, AlertRecord>;
}

/** Sends the message of the channel that is due first; `undefined` where none is. */
async function sendNext(
  tools: AlertTools,
  { channel, told }: ToldChannel,
  ports: AlertPorts,
): Promise<SendEnd | undefined> {
  const { memory, clock, baseUrl, storeId, storeName } = tools;
  for (const record of told.values()) {
    const nowMs = clock.now();
    const state = parseAlertState(record.state);
    const taken = takeMessage(state, nowMs);
    if (taken === undefined) continue;
    const secret = await readSecret(tools, channel, ports);
    if (secret === undefined) {
      const end = withoutSecret(channel.secret);
      const isLate = listMessages(state).some(
        ({ message }) => nowMs - message.nextMs > PATIENCE_MS,
      );
      if (isLate) await noteDelivery(tools, channel, end);
      return end;
    }
    // Only the process that has written this sends it; if it dies, another one does two minutes later.
    const stored = await replaceTold(memory.alerts, { told, record }, taken.state);
    if (stored === undefined) continue;
    const { facts, id } = taken.message;
    const text = toAlertText(facts, { lang: channel.lang, nowMs, storeName });
    const document = toAlertDocument(text, { id, facts, nowMs, baseUrl, storeId, storeName });
    const alert = { ...text, document, id };
    const end = await sendAlert(channel, secret, { alert, ports });
    await settle(tools, { channel, told, record: stored, taken }, end);
    return end;
  }
  return undefined;
}

interface SentMessage extends ToldChannel, ToldRecord {
  readonly taken: Pick<NonNullable<ReturnType<typeof takeMessage>>, "cause" | "message">;
}

/** Writes what became of an attempt, whatever was found meanwhile. */
async function settle(
  tools: AlertTools,
  { channel, told, record, taken }: SentMessage,
  end: SendEnd,
): Promise<void> {
  const { alerts } = tools.memory;
  let found: AlertRecord | undefined = record;
  while (found !== undefined) {
    const state = parseAlertState(found.state);
    const after = settleMessage(state, taken, { ...end, nowMs: tools.clock.now() });
    if ((await replaceTold(alerts, { told, record: found }, after)) !== undefined) break;
    found = (await alerts.list()).find(
      ({ channel: name, subject }) => name === channel.name && subject === record.subject,
    );
  }
  await noteDelivery(tools, channel, end);
}

async function noteDelivery(
  { memory: { alerts }, clock }: Pick<AlertTools, "memory" | "clock">,
  { name }: Channel,
  { hasArrived, failure }: SendEnd,
): Promise<void> {
  const stored = (await alerts.listChannels()).find((channel) => channel.name === name);
  if (stored === undefined) return;
  const atMs = clock.now();
  await alerts.noteDelivery(name, {
    atMs,
    failure: failure && { code: failure.code, detail: failure.detail },
    arrivedAtMs: hasArrived ? atMs : stored.delivery?.arrivedAtMs,
  });
}

/** A mail server that asks for no login needs none. */
async function readSecret(
  { baseUrl, storeId }: Pick<AlertTools, "baseUrl" | "storeId">,
  { name, secret: place }: Channel,
  { secrets }: AlertPorts,
): Promise<string | undefined> {
  if (place === "none") return "";
  try {
    return await secrets.read({ baseUrl, storeId, channel: name }, place);
  } catch {
    // A keyring that is locked, or a file that others can read.
    return undefined;
  }
}
