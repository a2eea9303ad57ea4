/**
 * Tells other programs what happens in a store, by signed messages (Standard Webhooks: an id, a time and
 * an HMAC). What is found is compared with what each address was told, as alerts do, and both are kept
 * where alerts keep theirs; so a message is sent at least once, whichever process dies, and its id is
 * the same each time. Of what has changed several times between two looks the last state is told.
 */

import { createHash, createHmac, randomBytes } from "node:crypto";

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { z } from "zod";

import type { AlertSecrets } from "../alerts/run-alerts.ts";

/** How something is that a program may be told of. */
export interface HookFact {
  /** What it is about, such as the id of a run. */
  readonly subject: string;
  /** Such as `run.finished`. */
  readonly event: string;
  /** When it became so, in milliseconds since 1970. */
  readonly atMs: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A webhook as people see it. */
export interface HookView {
  readonly id: string;
  readonly host: string;
  readonly events: readonly string[];
  readonly state: "active" | "failing" | "ended";
  readonly createdAt: string;
  readonly arrivedAt: string | null;
  readonly note: string | null;
}

/** Posts a message to an address that was checked; see `openGuardedPost`. */
export interface HookPost {
  check(address: string): string;
  post(
    address: string,
    message: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly signal: AbortSignal;
    },
  ): Promise<number>;
}

export interface HookPorts {
  readonly clock: Clock;
  readonly secrets: AlertSecrets;
  readonly guard: HookPost;
}

interface HookTools extends Pick<Connection, "baseUrl" | "storeId" | "clock"> {
  readonly memory: Pick<Connection["memory"], "alerts">;
}

export interface Webhooks {
  /** Throws what the guard throws for an address. The secret is returned once. */
  add(
    tools: HookTools,
    asked: { readonly url: string; readonly events: readonly string[] },
    lang: Lang,
  ): Promise<{ readonly webhook: HookView; readonly secret: string }>;
  list(tools: HookTools, lang: Lang): Promise<readonly HookView[]>;
  /** Returns whether there was one. */
  remove(tools: HookTools, id: string): Promise<boolean>;
  /** Looks once, and sends what is due. */
  tell(tools: HookTools, readFacts: ReadFacts): Promise<void>;
  /** Does so until it is disposed of. */
  watch(tools: HookTools, readFacts: ReadFacts): AsyncDisposable;
}

/** Reads how things are that have changed since then. */
export type ReadFacts = (sinceMs: number) => Promise<readonly HookFact[]>;

/** Beside the kinds of alerts, which pass over a channel of another kind. */
const KIND = "events";

const settingsSchema = z.object({
  events: z.array(z.string()),
  host: z.string(),
  createdAtMs: z.number(),
  place: z.enum(["keyring", "file"]),
  /** Since when messages fail. */
  failingSinceMs: z.number().nullable().default(null),
  endedAtMs: z.number().nullable().default(null),
});

type Settings = z.infer<typeof settingsSchema>;

const secretSchema = z.object({ url: z.string(), secret: z.string() });

const messageSchema = z.object({
  id: z.string(),
  body: z.string(),
  attempts: z.number(),
  nextMs: z.number(),
});

type Message = z.infer<typeof messageSchema>;

const toldSchema = z.object({
  /** Event and time of what was told last, or is about to be. */
  last: z.string(),
  messages: z.array(messageSchema),
});

type Told = z.infer<typeof toldSchema>;

type Alerts = HookTools["memory"]["alerts"];
type AlertRecord = Awaited<ReturnType<Alerts["list"]>>[number];

interface Hook {
  readonly id: string;
  readonly settings: Settings;
  readonly delivery: Awaited<ReturnType<Alerts["listChannels"]>>[number]["delivery"];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Time between two looks. */
const LOOK_MS = 5 * SECOND_MS;
/** Longest wait for a receiver. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Nobody else sends a message that a process has taken for so long. */
const TAKEN_MS = 2 * MINUTE_MS;
/** Waits after the attempts of a message; the last one holds from then on. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
];
/** An address that takes nothing for so long is not tried any more. */
const END_AFTER_MS = 72 * HOUR_MS;

export function createWebhooks(ports: HookPorts): Webhooks {
  const { clock, guard, secrets } = ports;
  const tell = (tools: HookTools, readFacts: ReadFacts): Promise<void> =>
    tellHooks(tools, { ports, readFacts });
  return {
    async add({ baseUrl, storeId, memory: { alerts } }, { url, events }, lang) {
      const host = guard.check(url);
      const id = `wh_${randomBytes(12).toString("hex")}`;
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const key = { baseUrl, storeId, channel: id };
      const place = await secrets.write(key, JSON.stringify({ url, secret }), "file");
      const settings: Settings = {
        events: [...events],
        host,
        createdAtMs: clock.now(),
        place,
        failingSinceMs: null,
        endedAtMs: null,
      };
      await alerts.saveChannel({ name: id, kind: KIND, settings });
      return { webhook: toView({ id, settings, delivery: undefined }, lang), secret };
    },
    list: async ({ memory: { alerts } }, lang) =>
      (await listHooks(alerts)).map((hook) => toView(hook, lang)),
    async remove({ baseUrl, storeId, memory: { alerts } }, id) {
      const found = (await listHooks(alerts)).find((hook) => hook.id === id);
      if (found === undefined) return false;
      const isRemoved = await alerts.removeChannel(id);
      await secrets.forget({ baseUrl, storeId, channel: id }, found.settings.place);
      return isRemoved;
    },
    tell,
    watch(tools, readFacts) {
      const over = new AbortController();
      const watch = async (): Promise<void> => {
        while (!over.signal.aborted) {
          // What a database that is away could not say is found at the next look.
          await tell(tools, readFacts).catch(() => undefined);
          await clock.sleep(LOOK_MS, over.signal).catch(() => undefined);
        }
      };
      const watched = watch();
      return {
        async [Symbol.asyncDispose]() {
          over.abort(new Error("the store is closed"));
          await watched;
        },
      };
    },
  };
}

async function listHooks(alerts: Alerts): Promise<readonly Hook[]> {
  return (await alerts.listChannels()).flatMap(({ name: id, kind, settings: stored, delivery }) => {
    const settings = kind === KIND ? settingsSchema.safeParse(stored).data : undefined;
    return settings === undefined ? [] : [{ id, settings, delivery }];
  });
}

const ENDED: Localized = {
  tr: "Üç gün boyunca hiçbir ileti alınmadı; gönderim bitti. Adresi silip yeniden ekleyin.",
  en: "No message was taken for three days; nothing more is sent. Remove the address and add it again.",
};

const NOT_TAKEN = (detail: string): Localized => ({
  tr: `Son ileti alınmadı (${detail}); yeniden denenecek.`,
  en: `The latest message was not taken (${detail}); it is tried again.`,
});

function toView({ id, settings, delivery }: Hook, lang: Lang): HookView {
  const { host, events, createdAtMs, endedAtMs } = settings;
  const failure = delivery?.failure ?? null;
  const note = endedAtMs === null ? failure && NOT_TAKEN(failure.detail) : ENDED;
  const arrivedAtMs = delivery?.arrivedAtMs;
  return {
    id,
    host,
    events,
    state: endedAtMs === null ? (failure === null ? "active" : "failing") : "ended",
    createdAt: new Date(createdAtMs).toISOString(),
    arrivedAt: arrivedAtMs === undefined ? null : new Date(arrivedAtMs).toISOString(),
    note: note?.[lang] ?? null,
  };
}

interface TellOptions {
  readonly ports: HookPorts;
  readonly readFacts: ReadFacts;
}

async function tellHooks(tools: HookTools, { ports, readFacts }: TellOptions): Promise<void> {
  const { alerts } = tools.memory;
  const hooks = (await listHooks(alerts)).filter(({ settings }) => settings.endedAtMs === null);
  if (hooks.length === 0) return;
  const facts = await readFacts(Math.min(...hooks.map(({ settings }) => settings.createdAtMs)));
  const records = await alerts.list();
  for (const hook of hooks) {
    const known = new Map(
      records.filter(({ channel }) => channel === hook.id).map((one) => [one.subject, one]),
    );
    for (const fact of facts) if (isFor(hook, fact)) await noteFact(alerts, { hook, known, fact });
    await forgetGone(alerts, { known, facts });
    await sendDue(tools, { hook, known }, ports);
  }
}

const isFor = ({ settings: { events, createdAtMs } }: Hook, { event, atMs }: HookFact): boolean =>
  events.includes(event) && atMs >= createdAtMs;

interface Noting {
  readonly hook: Hook;
  readonly known: Map<string, AlertRecord>;
  readonly fact: HookFact;
}

const readTold = (record: AlertRecord | undefined): Told =>
  toldSchema.safeParse(record?.state).data ?? { last: "", messages: [] };

async function noteFact(alerts: Alerts, { hook, known, fact }: Noting): Promise<void> {
  const { subject, event, atMs, data } = fact;
  const record = known.get(subject) ?? { channel: hook.id, subject, version: 0, state: {} };
  const told = readTold(record);
  const last = `${event} ${atMs}`;
  if (told.last === last) return;
  const id = `msg_${createHash("sha256").update([hook.id, subject, last].join("\n")).digest("hex").slice(0, 32)}`;
  const body = JSON.stringify({ type: event, timestamp: new Date(atMs).toISOString(), data });
  const message: Message = { id, body, attempts: 0, nextMs: 0 };
  await replace(alerts, { known, record }, { last, messages: [...told.messages, message] });
}

interface Replaced {
  readonly known: Map<string, AlertRecord>;
  readonly record: AlertRecord;
}

/** Returns whether it was stored; another process may have been first. */
async function replace(alerts: Alerts, { known, record }: Replaced, state: Told): Promise<boolean> {
  const isStored = await alerts.replace(record, state);
  if (isStored) known.set(record.subject, { ...record, state, version: record.version + 1 });
  else known.delete(record.subject);
  return isStored;
}

interface Gone {
  readonly known: Map<string, AlertRecord>;
  readonly facts: readonly HookFact[];
}

/** Forgets what is not looked at any more and was told. */
async function forgetGone(alerts: Alerts, { known, facts }: Gone): Promise<void> {
  const subjects = new Set(facts.map(({ subject }) => subject));
  for (const record of known.values()) {
    if (subjects.has(record.subject) || readTold(record).messages.length > 0) continue;
    await alerts.remove(record);
    known.delete(record.subject);
  }
}

/** Sends the first message of each subject that is due; the others wait for it. */
async function sendDue(
  tools: HookTools,
  { hook, known }: { readonly hook: Hook; readonly known: Map<string, AlertRecord> },
  ports: HookPorts,
): Promise<void> {
  for (const record of known.values()) {
    let current: AlertRecord | undefined = record;
    while (current !== undefined) {
      const [first, ...rest] = readTold(current).messages;
      if (first === undefined || first.nextMs > tools.clock.now()) break;
      const hasArrived = await sendOne(tools, { hook, known, record: current, first, rest }, ports);
      // The others of an address that does not work would fail as well.
      if (!hasArrived) return;
      current = known.get(record.subject);
    }
  }
}

interface Sending extends Replaced {
  readonly hook: Hook;
  readonly first: Message;
  readonly rest: readonly Message[];
}

async function sendOne(
  tools: HookTools,
  { hook, known, record, first, rest }: Sending,
  ports: HookPorts,
): Promise<boolean> {
  const { alerts } = tools.memory;
  const { last } = readTold(record);
  const taken = { ...first, attempts: first.attempts + 1, nextMs: tools.clock.now() + TAKEN_MS };
  if (!(await replace(alerts, { known, record }, { last, messages: [taken, ...rest] })))
    return false;
  const failure = await post(tools, { hook, message: first }, ports);
  const nowMs = tools.clock.now();
  const waitMs = WAITS_MS[Math.min(first.attempts, WAITS_MS.length - 1)] ?? HOUR_MS;
  const messages = failure === null ? rest : [{ ...taken, nextMs: nowMs + waitMs }, ...rest];
  const mine = known.get(record.subject);
  if (mine !== undefined)
    await replace(alerts, { known, record: mine }, { last, messages: [...messages] });
  await noteEnd(tools, hook, failure);
  return failure === null;
}

/** Notes how the address fares, and ends it where it has taken nothing for too long. */
async function noteEnd(
  { memory: { alerts }, clock }: HookTools,
  hook: Hook,
  failure: string | null,
): Promise<void> {
  const nowMs = clock.now();
  const stored = (await listHooks(alerts)).find(({ id }) => id === hook.id);
  if (stored === undefined) return;
  const { settings, delivery } = stored;
  const failingSinceMs = failure === null ? null : (settings.failingSinceMs ?? nowMs);
  const isOver = failingSinceMs !== null && nowMs - failingSinceMs >= END_AFTER_MS;
  const endedAtMs = isOver ? nowMs : null;
  if (failingSinceMs !== settings.failingSinceMs || isOver) {
    await alerts.saveChannel({
      name: hook.id,
      kind: KIND,
      settings: { ...settings, failingSinceMs, endedAtMs },
    });
  }
  const arrivedAtMs = failure === null ? nowMs : delivery?.arrivedAtMs;
  await alerts.noteDelivery(hook.id, {
    atMs: nowMs,
    failure: failure === null ? null : { code: "E_WEBHOOK", detail: failure },
    arrivedAtMs,
  });
}

interface Posted {
  readonly hook: Hook;
  readonly message: Message;
}

/** Returns why the message was not taken, without the address; `null` where it was. */
async function post(
  { baseUrl, storeId, clock }: HookTools,
  { hook: { id, settings }, message }: Posted,
  { secrets, guard }: HookPorts,
): Promise<string | null> {
  try {
    const kept = await secrets.read({ baseUrl, storeId, channel: id }, settings.place);
    const { url, secret } = secretSchema.parse(JSON.parse(kept ?? "null"));
    const status = await guard.post(url, {
      headers: signMessage({ id: message.id, body: message.body, secret, atMs: clock.now() }),
      body: message.body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return status >= 200 && status < 300 ? null : String(status);
  } catch (error) {
    if (error instanceof z.ZodError) return "E_WEBHOOK_SECRET";
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return typeof code === "string" ? code : "E_FETCH_FAILED";
  }
}

interface Signed {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  readonly atMs: number;
}

/** The headers of a message: https://www.standardwebhooks.com. */
function signMessage({ id, body, secret, atMs }: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / SECOND_MS));
  const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "catalog-toolkit",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}
