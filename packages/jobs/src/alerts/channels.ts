/**
 * The channels by which people are told: a webhook, Slack and what takes the same document, e-mail,
 * Telegram. A channel's secret is handed in when a message is sent, and is in no message and no error.
 */

import { describeNetworkCode } from "@catalog/client/network-reason";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import { z } from "zod";

import { ALERT_CAUSES, type AlertCause, CHANNEL_KINDS, type ChannelKind } from "./alert-names.ts";
import type { AttemptEnd } from "./alert-state.ts";
import type { AlertText } from "./alert-texts.ts";

/** How an e-mail is sent. */
interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** @default the server asks for no login */
  readonly user?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

/** Hours of the day without messages, in minutes from midnight, in Turkish time. */
interface QuietHours {
  readonly from: number;
  readonly to: number;
}

const toTime = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** The hours without messages as text. */
export const formatQuiet = ({ from, to }: QuietHours): string => `${toTime(from)}-${toTime(to)}`;

/** Where a channel's secret is: the keyring or a private file of this user, or a variable. */
export type SecretPlace = "keyring" | "file" | `env:${string}` | "none";

/** What is stored of a channel; it holds no secret. */
export interface ChannelSettings {
  readonly lang: Lang;
  readonly causes: readonly AlertCause[];
  /** Time between two messages of trouble that lasts, in milliseconds; 0 tells it once. */
  readonly repeatMs: number;
  /** @default every hour has messages */
  readonly quiet?: QuietHours | undefined;
  readonly secret: SecretPlace;
  /** What people are shown of its address. */
  readonly place: string;
  readonly mail?: MailSettings | undefined;
  /** Chat of Telegram. */
  readonly chat?: string | undefined;
  /** Server of Telegram's interface, where it is a person's own. */
  readonly server?: string | undefined;
}

/** All causes of versions that knew no periods; a channel that is told of all is told of the new one, too. */
const FORMER_CAUSES: readonly AlertCause[] = ["failed", "recovered", "stale", "held", "clock"];

const withNewCauses = (causes: readonly AlertCause[]): readonly AlertCause[] =>
  FORMER_CAUSES.every((cause) => causes.includes(cause)) ? ALERT_CAUSES : causes;

const settingsSchema: z.ZodType<ChannelSettings> = z.object({
  lang: z.enum(["tr", "en"]),
  causes: z.array(z.enum(ALERT_CAUSES)).transform(withNewCauses),
  repeatMs: z.number(),
  quiet: z.object({ from: z.number(), to: z.number() }).optional(),
  secret: z.union([z.enum(["keyring", "file", "none"]), z.templateLiteral(["env:", z.string()])]),
  place: z.string(),
  mail: z
    .object({
      host: z.string(),
      port: z.number(),
      user: z.string().optional(),
      from: z.string(),
      to: z.array(z.string()),
    })
    .optional(),
  chat: z.string().optional(),
  server: z.string().optional(),
});

/** A channel as it is used. */
export interface Channel extends ChannelSettings {
  readonly name: string;
  readonly kind: ChannelKind;
}

/** Reads a stored channel; `undefined` for one of another version of this program. */
export function parseChannel(stored: {
  readonly name: string;
  readonly kind: string;
  readonly settings: unknown;
}): Channel | undefined {
  const kind = CHANNEL_KINDS.find((known) => known === stored.kind);
  const settings = settingsSchema.safeParse(stored.settings).data;
  return kind === undefined || settings === undefined
    ? undefined
    : { ...settings, name: stored.name, kind };
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "127.0.0.1" || host === "[::1]" || host === "::1";

/**
 * Resolves an address to which messages may be posted: https, or http on this machine, without a
 * user's name; `undefined` for any other.
 */
export function resolvePostAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  const isLocal = url.protocol === "http:" && isLoopback(url.hostname);
  return url.protocol === "https:" || isLocal ? url : undefined;
}

/**
 * Reads the address of a channel. Throws {@link InputError} for one to which nothing may be posted,
 * without naming it, as it may hold a key.
 */
export function parsePostAddress(text: string): URL {
  const url = resolvePostAddress(text);
  if (url !== undefined) return url;
  throw new InputError({
    tr: "Uyarı adresi https ile başlamalı (http yalnızca bu makine içindir) ve içinde kullanıcı adı olmamalı.",
    en: "The address for alerts must begin with https (http is for this machine only) and name no user.",
  });
}

/** The part of the platform's `fetch` that is used. */
export type Post = (
  url: URL,
  request: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly redirect: "error";
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}>;

/** What sending needs of the world. */
export interface SendPorts {
  readonly post: Post;
  /** Certificate authorities that are trusted besides those of the system. @default none */
  readonly mailAuthorities?: string | undefined;
}

/** What is sent. */
export interface OutgoingAlert extends AlertText {
  readonly id: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Why a message did not arrive; the detail is a status or a code, and no address. */
interface SendFailure {
  readonly code: "E_ALERT_STATUS" | "E_ALERT_NETWORK" | "E_ALERT_MAIL" | "E_ALERT_SECRET";
  readonly detail: string;
}

export interface SendEnd extends AttemptEnd {
  readonly failure: (SendFailure & { readonly message: Localized }) | null;
}

const ARRIVED: SendEnd = { hasArrived: true, failure: null };

const failed = (failure: SendFailure, retryAfterMs?: number): SendEnd => ({
  hasArrived: false,
  failure: { ...failure, message: describeSendFailure(failure) },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

/** The end of a message whose secret this process cannot read. */
export const withoutSecret = (place: SecretPlace): SendEnd =>
  failed({ code: "E_ALERT_SECRET", detail: place });

/** Sends a message once. Never rejects: what goes wrong is the channel's trouble. */
export async function sendAlert(
  channel: Channel,
  secret: string,
  { alert, ports }: { readonly alert: OutgoingAlert; readonly ports: SendPorts },
): Promise<SendEnd> {
  try {
    return channel.kind === "email"
      ? await sendMail(channel, secret, { alert, ports })
      : await postAlert(toRequest(channel, secret, alert), ports.post);
  } catch (error) {
    return failed(toNetworkFailure(error));
  }
}

interface PostRequest {
  readonly url: URL;
  readonly body: unknown;
}

const TELEGRAM = "https://api.telegram.org";

/** Longest text that Telegram takes. */
const MAX_TELEGRAM = 4_096;

function toRequest(channel: Channel, secret: string, alert: OutgoingAlert): PostRequest {
  const { kind, chat, server = TELEGRAM } = channel;
  if (kind === "telegram") {
    const url = parsePostAddress(`${server.replace(/\/$/u, "")}/bot${secret}/sendMessage`);
    // https://core.telegram.org/bots/api#sendmessage; without parse_mode nothing is markup.
    const text = alert.text.slice(0, MAX_TELEGRAM);
    return { url, body: { chat_id: chat, text, link_preview_options: { is_disabled: true } } };
  }
  const url = parsePostAddress(secret);
  return { url, body: kind === "slack" ? { text: escapeSlack(alert.text) } : alert.document };
}

/** https://docs.slack.dev/messaging/formatting-message-text: three signs are markup. */
const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Longest wait for a receiver. */
const TIMEOUT_MS = 10_000;

async function postAlert({ url, body }: PostRequest, post: Post): Promise<SendEnd> {
  const answer = await post(url, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.ok) return ARRIVED;
  const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
  return failed({ code: "E_ALERT_STATUS", detail: String(answer.status) }, retryAfterMs);
}

const TLS_PORT = 465;

async function sendMail(
  { mail, name }: Channel,
  secret: string,
  { alert, ports }: { readonly alert: OutgoingAlert; readonly ports: SendPorts },
): Promise<SendEnd> {
  if (mail === undefined) throw new Error(`channel ${name} has no mail settings`);
  const { createTransport } = await import("nodemailer");
  const { host, port, user, from, to } = mail;
  const transport = createTransport({
    host,
    port,
    secure: port === TLS_PORT,
    // Neither the password nor the message crosses a network in clear text.
    requireTLS: port !== TLS_PORT && !isLoopback(host),
    ...(user !== undefined && { auth: { user, pass: secret } }),
    ...(ports.mailAuthorities !== undefined && { tls: { ca: ports.mailAuthorities } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const messageId = `<${alert.id.replaceAll(/[^\w.-]+/gu, ".")}@catalog.invalid>`;
    await transport.sendMail({
      from,
      to: [...to],
      subject: alert.title,
      text: alert.text,
      messageId,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return ARRIVED;
  } catch (error) {
    return failed(toMailFailure(error));
  } finally {
    transport.close();
  }
}

/** Status of a refusal, or the code of the library or the system. */
function toMailFailure(error: unknown): SendFailure {
  const status = readMember(error, "responseCode");
  if (typeof status === "number") return { code: "E_ALERT_MAIL", detail: String(status) };
  const code = readMember(error, "code");
  return { code: "E_ALERT_MAIL", detail: typeof code === "string" ? code : "?" };
}

function toNetworkFailure(error: unknown): SendFailure {
  if (error instanceof InputError) return { code: "E_ALERT_SECRET", detail: "address" };
  if (error instanceof Error && error.name === "TimeoutError") {
    return { code: "E_ALERT_NETWORK", detail: "ETIMEDOUT" };
  }
  const code = readMember(error, "code") ?? readMember(readMember(error, "cause"), "code");
  return { code: "E_ALERT_NETWORK", detail: typeof code === "string" ? code : "?" };
}

const readMember = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Says why messages of a channel do not arrive, and what helps. */
export function describeSendFailure({
  code,
  detail,
}: {
  readonly code: string;
  readonly detail: string;
}): Localized {
  const network = describeNetworkCode(detail);
  switch (code) {
    case "E_ALERT_STATUS":
      return {
        tr: `alıcı kabul etmedi (${detail}); adresi, sohbeti ya da anahtarı yenileyin`,
        en: `the receiver refused it (${detail}); renew its address, chat or token`,
      };
    case "E_ALERT_MAIL":
      return {
        tr: `e-posta sunucusu almadı (${network.tr}); sunucuyu, kullanıcıyı ve parolayı kontrol edin`,
        en: `the mail server did not take it (${network.en}); check server, user and password`,
      };
    case "E_ALERT_SECRET":
      return {
        tr: `gizli adresi ya da anahtarı okunamadı (${detail}); bu makinede yeniden ekleyin`,
        en: `its secret cannot be read (${detail}); add it again on this machine`,
      };
    default:
      return {
        tr: `alıcıya ulaşılamadı (${network.tr})`,
        en: `the receiver was not reached (${network.en})`,
      };
  }
}
