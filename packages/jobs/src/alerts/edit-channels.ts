/** Channels as people add, list and remove them, on the command line and on the page. */

import { InputError, type Lang, type Localized } from "@catalog/i18n";

import { ALERT_CAUSES, type AlertCause, type ChannelKind } from "./alert-names.ts";
import {
  type Channel,
  parseChannel,
  parsePostAddress,
  type SecretPlace,
  type SendEnd,
} from "./channels.ts";
import type { AlertTools } from "./find-trouble.ts";
import { type AlertPorts, sendTest } from "./run-alerts.ts";

/** A channel as a person describes it. */
export interface GivenChannel {
  readonly kind: ChannelKind;
  /** @default the kind */
  readonly name?: string | undefined;
  readonly lang: Lang;
  /** @default all of them */
  readonly causes?: readonly AlertCause[] | undefined;
  /** @default an hour */
  readonly repeatMs?: number | undefined;
  /** Hours without messages, such as `23:00-07:00`. @default none */
  readonly quiet?: string | undefined;
  /** Mail server with its port, as `smtp.example.com:587`. */
  readonly smtp?: string | undefined;
  readonly user?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: readonly string[] | undefined;
  readonly chat?: string | undefined;
  readonly server?: string | undefined;
}

interface AddOptions {
  /** The secret, or the variable that has it: `env:NAME`. `undefined` where none is needed. */
  readonly secret: string | undefined;
  readonly place: "keyring" | "file" | `env:${string}`;
  readonly ports: AlertPorts;
  /** Whether a test message must arrive before it is stored. @default true */
  readonly isTried?: boolean | undefined;
}

/** A mail server that asks for no login is used without a secret. */
export const needsSecret = ({ kind, user }: Pick<GivenChannel, "kind" | "user">): boolean =>
  kind !== "email" || user !== undefined;

type ChannelTools = Pick<AlertTools, "clock" | "baseUrl" | "storeId" | "storeName" | "memory">;

interface AddedChannel {
  readonly channel: Channel;
  /** What became of the test message; `undefined` where none was sent. */
  readonly tried: SendEnd | undefined;
  /** Whether it was stored, which a test message that did not arrive prevents. */
  readonly isStored: boolean;
}

/**
 * Stores a channel after a test message has arrived through it; one of the same name is replaced.
 * Throws {@link InputError} for what cannot be used, and never names a secret.
 */
export async function addChannel(
  tools: ChannelTools,
  given: GivenChannel,
  { secret, place, ports, isTried = true }: AddOptions,
): Promise<AddedChannel> {
  const { baseUrl, storeId, memory } = tools;
  const described = describeChannel(given);
  const key = { baseUrl, storeId, channel: described.name };
  const isNamed = place.startsWith("env:");
  const read = (isNamed ? await ports.secrets.read(key, place) : secret) ?? "";
  if (needsSecret(given) && read === "") throw new InputError(NO_SECRET);
  const channel: Channel = {
    ...described,
    secret: needsSecret(given) ? place : "none",
    place: described.place ?? parsePostAddress(read).host,
  };
  if (isTried) {
    const known = { ...ports, secrets: { ...ports.secrets, read: async () => read } };
    const tried = await sendTest(tools, channel, known);
    if (!tried.hasArrived) return { channel, tried, isStored: false };
    const stored = await storeChannel(tools, channel, { secret, ports });
    await noteTried(memory, stored.name, tools.clock.now());
    return { channel: stored, tried, isStored: true };
  }
  const stored = await storeChannel(tools, channel, { secret, ports });
  return { channel: stored, tried: undefined, isStored: true };
}

async function storeChannel(
  { baseUrl, storeId, memory }: ChannelTools,
  { name, kind, ...settings }: Channel,
  { secret, ports }: Pick<AddOptions, "secret" | "ports">,
): Promise<Channel> {
  const { secret: place } = settings;
  const saved: SecretPlace =
    (place === "keyring" || place === "file") && secret !== undefined
      ? await ports.secrets.write({ baseUrl, storeId, channel: name }, secret, place)
      : place;
  const stored = { ...settings, secret: saved };
  const known = (await memory.alerts.listChannels()).find((channel) => channel.name === name);
  const replaced = known && parseChannel(known);
  await memory.alerts.saveChannel({ name, kind, settings: stored });
  if (replaced !== undefined && replaced.secret !== saved) {
    await ports.secrets.forget({ baseUrl, storeId, channel: name }, replaced.secret);
  }
  return { name, kind, ...stored };
}

const noteTried = ({ alerts }: ChannelTools["memory"], name: string, atMs: number): Promise<void> =>
  alerts.noteDelivery(name, { atMs, failure: null, arrivedAtMs: atMs });

/** Removes a channel with its secret; returns whether there was one. */
export async function removeChannel(
  { baseUrl, storeId, memory }: ChannelTools,
  { name, secret }: Pick<Channel, "name" | "secret">,
  { secrets }: Pick<AlertPorts, "secrets">,
): Promise<boolean> {
  const isRemoved = await memory.alerts.removeChannel(name);
  await secrets.forget({ baseUrl, storeId, channel: name }, secret);
  return isRemoved;
}

const HOUR_MS = 3_600_000;

const NAME = /^[\p{L}\d][\p{L}\d._-]{0,39}$/u;

interface DescribedChannel extends Omit<Channel, "place" | "secret"> {
  /** `undefined` where the secret decides. */
  readonly place: string | undefined;
}

function describeChannel(given: GivenChannel): DescribedChannel {
  const { kind, name = kind, lang, causes = ALERT_CAUSES, repeatMs = HOUR_MS, quiet } = given;
  if (!NAME.test(name)) throw new InputError(BAD_NAME);
  if (repeatMs !== 0 && repeatMs < HOUR_MS) throw new InputError(BAD_REPEAT);
  return {
    name,
    kind,
    lang,
    causes,
    repeatMs,
    ...(quiet !== undefined && { quiet: parseQuiet(quiet) }),
    ...describePlace(given),
  };
}

type PlaceParts = Pick<Channel, "mail" | "chat" | "server"> & Pick<DescribedChannel, "place">;

function describePlace(given: GivenChannel): PlaceParts {
  if (given.kind === "email") return describeMail(given);
  if (given.kind !== "telegram") return { place: undefined };
  const { chat = "", server } = given;
  if (!/^(?:-?\d{1,20}|@\w{3,64})$/u.test(chat)) throw new InputError(BAD_CHAT);
  if (server !== undefined) parsePostAddress(server);
  return { chat, place: chat, ...(server !== undefined && { server }) };
}

const ADDRESS = /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,255}$/u;
const MAIL_PORT = 587;

function describeMail({ smtp = "", user, from, to = [] }: GivenChannel): PlaceParts {
  const sender = from ?? (user !== undefined && ADDRESS.test(user) ? user : to[0]);
  const isUsable = to.length > 0 && [sender ?? "", ...to].every((one) => ADDRESS.test(one));
  if (sender === undefined || !isUsable) throw new InputError(BAD_TO);
  const mail = { ...parseMailServer(smtp), from: sender, to, ...(user !== undefined && { user }) };
  return { mail, place: to.join(", ") };
}

function parseMailServer(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] =
    /^(?:smtps?:\/\/)?([\w.-]+|\[[\da-f:]+\])(?::(\d{1,5}))?$/iu.exec(text) ?? [];
  if (host === undefined) throw new InputError(BAD_SMTP);
  return { host, port: Number(port ?? MAIL_PORT) };
}

const DAY_MINUTES = 1440;

function parseQuiet(text: string): NonNullable<Channel["quiet"]> {
  const [, ...parts] = /^(\d{1,2})[:.](\d{2})\s*[-–]\s*(\d{1,2})[:.](\d{2})$/u.exec(text) ?? [];
  const [fromHour = 99, fromMinute = 0, toHour = 99, toMinute = 0] = parts.map(Number);
  const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  const isUsable = fromMinute < 60 && toMinute < 60 && from < DAY_MINUTES && to < DAY_MINUTES;
  if (!isUsable || from === to) throw new InputError(BAD_QUIET);
  return { from, to };
}

const NO_SECRET: Localized = {
  tr: "Gizli bilgi boş: webhook ve slack için adres, telegram için bot anahtarı, e-posta için parola gerekir.",
  en: "The secret is empty: a webhook and Slack need their address, Telegram the token of its bot, e-mail a password.",
};
const BAD_NAME: Localized = {
  tr: "Kanalın adı harf ya da rakamla başlar; içinde harf, rakam, nokta, çizgi olabilir, boşluk olamaz.",
  en: "The name of a channel begins with a letter or digit, and has letters, digits, dots and dashes.",
};
const BAD_REPEAT: Localized = {
  tr: "Yineleme en az bir saattir (1h); 0 bir kez haber verir.",
  en: "Messages are repeated after an hour (1h) at the earliest; 0 tells it once.",
};
const BAD_QUIET: Localized = {
  tr: "Sessiz saatler anlaşılamadı. Şöyle yazın: 23:00-07:00.",
  en: "The quiet hours are not understood. Write them like 23:00-07:00.",
};
const BAD_CHAT: Localized = {
  tr: "Telegram sohbetinin numarasını (eksi işaretiyle) ya da @kanal adını verin. Bota bir ileti yazın; numara getUpdates yanıtındadır.",
  en: "Give the number of the Telegram chat (with its minus sign) or @name of the channel. Write to the bot; getUpdates shows the number.",
};
const BAD_SMTP: Localized = {
  tr: "E-posta sunucusunu portuyla verin: smtp.ornek.com:587.",
  en: "Give the mail server with its port: smtp.example.com:587.",
};
const BAD_TO: Localized = {
  tr: "Alıcının e-posta adresini verin; gönderen de bir e-posta adresi olmalı.",
  en: "Give the e-mail address of the receiver; the sender must be an e-mail address too.",
};
