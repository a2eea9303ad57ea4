/** Requests to `/v1` of a server, with a key that can send nothing. */

import { UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";
import { z } from "zod";

/** A request that was refused; its message is for the assistant. */
export class RefusedCall extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "RefusedCall";
    this.code = code;
  }
}

export interface Sent {
  /** Parts of the address after that of the store; each is one part, whatever letters it has. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON, or as it is where it is bytes. @default no body */
  readonly body?: unknown;
  /** How long a plan is waited for. @default not at all */
  readonly waitSeconds?: number;
}

/** A server, and the store of the key. */
export interface ServerCalls {
  readonly store: string;
  readonly origin: string;
  get(sent: Sent): Promise<unknown>;
  post(sent: Sent): Promise<unknown>;
  download(sent: Sent): Promise<Uint8Array>;
}

interface CallsOptions {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  readonly lang: "tr" | "en";
}

const keySchema = z.object({
  store: z.string(),
  role: z.enum(["viewer", "editor", "approver", "administrator"]),
});

const problemSchema = z.object({ code: z.string(), detail: z.string() });

/**
 * Asks the server what the key may do. Throws {@link UsageError} for a key that may send: an assistant
 * must not have one, whatever it is told to do.
 */
export async function openServerCalls(options: CallsOptions): Promise<ServerCalls> {
  const origin = readAddress(options.url);
  const { key } = options;
  if (key === undefined || key === "") throw new UsageError(NO_KEY);
  const send = createSend(options, { origin, key });
  const { store, role } = keySchema.parse(await (await send("GET", "/v1/key", {})).json());
  if (role !== "viewer" && role !== "editor") throw new UsageError(TOO_MUCH(role));
  const addressOf = ({ path, query = {} }: Sent): string => {
    const parts = ["v1", "stores", store, ...path].map((part) => encodePart(part));
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) given.set(name, String(value));
    }
    return `/${parts.join("/")}${given.size === 0 ? "" : `?${given.toString()}`}`;
  };
  return {
    store,
    origin,
    get: async (sent) => (await send("GET", addressOf(sent), {})).json(),
    post: async (sent) => (await send("POST", addressOf(sent), sent)).json(),
    download: async (sent) => (await send("GET", addressOf(sent), {})).bytes(),
  };
}

/** A part of an address stays one part: neither a slash nor dots lead anywhere else. */
const encodePart = (part: string): string => encodeURIComponent(part).replaceAll(".", "%2E");

type Send = (
  method: "GET" | "POST",
  path: string,
  sent: Pick<Sent, "body" | "waitSeconds">,
) => Promise<Response>;

function createSend(
  { fetch: ask, lang }: Pick<CallsOptions, "fetch" | "lang">,
  { origin, key }: { readonly origin: string; readonly key: string },
): Send {
  return async (method, path, { body, waitSeconds }) => {
    const bytes = body instanceof Uint8Array;
    const content = bytes ? Uint8Array.from(body) : JSON.stringify(body);
    const type = bytes ? "application/octet-stream" : "application/json";
    const answer = await ask(`${origin}${path}`, {
      method,
      redirect: "error",
      headers: {
        authorization: `Bearer ${key}`,
        "accept-language": lang,
        ...(body !== undefined && { "content-type": type }),
        ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
      },
      ...(body !== undefined && { body: content }),
    });
    if (answer.ok) return answer;
    const problem = problemSchema.safeParse(await answer.json().catch(() => null)).data;
    throw new RefusedCall(problem?.code ?? "E_SERVER", problem?.detail ?? `HTTP ${answer.status}`);
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function readAddress(text: string | undefined): string {
  const url = text === undefined ? null : URL.parse(text);
  const isUsable =
    url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
  if (url === null || !isUsable) throw new UsageError(NO_ADDRESS);
  return url.origin;
}

const NO_ADDRESS: Localized = {
  tr: "Sunucunun adresi gerekli: --url https://katalog.example.com ya da CATALOG_API_URL. (catalog web --server ile çalışan sunucu)",
  en: "The address of the server is needed: --url https://katalog.example.com or CATALOG_API_URL. (It is the server that catalog web --server runs.)",
};

const NO_KEY: Localized = {
  tr: "Anahtar yok. CATALOG_API_KEY ya da CATALOG_API_KEY_FILE ile izleyici ya da düzenleyen rolünde bir anahtar verin; anahtarı yönetici sunucunun Ayarlar sayfasında oluşturur.",
  en: "There is no key. Give one of the role viewer or editor with CATALOG_API_KEY or CATALOG_API_KEY_FILE; an administrator makes it on the settings page of the server.",
};

const TOO_MUCH = (role: string): Localized => ({
  tr: `Bu anahtarın rolü ${role}: gönderim onaylayabilir, bu yüzden bir asistana verilmez. Düzenleyen (editor) ya da izleyici (viewer) rolünde bir anahtar oluşturun.`,
  en: `The role of this key is ${role}: it may approve, so it is not given to an assistant. Make a key of the role editor or viewer.`,
});
