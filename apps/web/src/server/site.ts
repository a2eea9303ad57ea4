/**
 * What the routes of the page share: their store, refusals, and how requests are read. Ids in
 * addresses are checked before anything else looks at them: a parameter of a route is named after the
 * kind of its id, so that no route can be added whose id is not checked.
 */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import type { FindLogin } from "@catalog/importer";
import type { Alerts, StartCommand } from "@catalog/jobs";
import type { FourEyes } from "@catalog/team";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";

import type { FeedLoginBody } from "../api/feeds.ts";
import { draftId, fileId, fileName, productNumber, runId, scheduleId } from "../api/session.ts";
import { recordId, storeName } from "../api/team.ts";

/** A failure that the page shows; it becomes a `Problem` with this status. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly localized: Localized;

  constructor(status: number, code: string, localized: Localized, options?: ErrorOptions) {
    super(localized.en, options);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    this.localized = localized;
  }
}

/** The store that the page works on. */
export interface OpenStore {
  /** Throws {@link RequestError} 503 `E_LOGIN_NEEDED` where there are no credentials. */
  connection(): Promise<Connection>;
  /** Since when the database of an open connection is away; `undefined` where it is not. */
  outage(): { readonly sinceMs: number } | undefined;
}

/** The logins of addresses. */
export interface FeedLogins {
  /** Finds them: the given one, the one that a schedule names, or a stored one. */
  open(asked: {
    readonly given?: FeedLoginBody | null | undefined;
    /** Where it is, such as `basic:env:NAME`. */
    readonly auth?: string | undefined;
    readonly hostKey?: string | undefined;
  }): Promise<FindLogin>;
  /** Stores the login of an address's server and folder. */
  save(address: string, login: FeedLoginBody): Promise<void>;
}

export interface Site {
  readonly clock: Clock;
  readonly store: OpenStore;
  readonly startCommand: StartCommand;
  /** @default no login is known */
  readonly feedLogins?: FeedLogins | undefined;
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: (() => Promise<Alerts>) | undefined;
  /** Folder of this page in the home: uploads and outputs of commands. */
  readonly folder: string;
  /** When somebody else than its makers must approve a run. @default never */
  readonly fourEyes?: (() => Promise<FourEyes>) | undefined;
  /**
   * Lets the person upload a file; throws {@link RequestError} 429 where there are too many at the same
   * time. @default two of each person
   */
  readonly enterUpload?: ((person: string) => Disposable) | undefined;
  /** Bytes of all uploaded files that the store keeps. @default 500 MB */
  readonly maxUploadsBytes?: number | undefined;
  /** Whether feeds may be files of this computer, or of hosts in its network. @default true */
  readonly hasOwnFiles?: boolean | undefined;
}

/** A document that is sent to open pages each time it has changed. */
export interface Topic {
  /** Name of the event, and of the parameter of the address that holds the id. */
  readonly name: string;
  /** Reads the whole document; `undefined` where there is none with this id. */
  read(id: string, lang: Lang): Promise<unknown>;
}

/**
 * Adds routes to a scope whose prefix is `/api`, so that `/runs` answers `/api/runs`; the hooks for
 * sessions and origins are in place.
 */
export type AddRoutes = (app: FastifyInstance, site: Site) => void;

type RequestLang = (request: { readonly headers: object; readonly query: unknown }) => Lang;

/** The language that a request asks for with `x-catalog-lang` or `lang`; Turkish without either. */
export const requestLang: RequestLang = ({ headers, query }) => {
  const header = "x-catalog-lang" in headers ? headers["x-catalog-lang"] : undefined;
  const asked = header ?? readLang(query);
  return asked === "en" ? "en" : "tr";
};

const readLang = (query: unknown): unknown =>
  typeof query === "object" && query !== null && "lang" in query ? query.lang : undefined;

/** Validates a part of a request. Throws {@link RequestError} 400 where it does not fit. */
export function parseInput<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw notUnderstood(parsed.error);
}

export const NOT_UNDERSTOOD: Localized = {
  tr: "İstek anlaşılamadı. Sayfayı yenileyip yeniden deneyin.",
  en: "The request was not understood. Reload the page and try again.",
};

/** The request does not have the form that the route expects. */
export const notUnderstood = (cause?: unknown): RequestError =>
  new RequestError(400, "E_REQUEST", NOT_UNDERSTOOD, { cause });

interface Kind {
  readonly schema: z.ZodString;
  /** An id of another form is answered as one that does not exist. */
  readonly refuse: () => RequestError;
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["run", { schema: runId, refuse: () => unknownId("E_RUN_UNKNOWN") }],
  ["draft", { schema: draftId, refuse: () => unknownId("E_DRAFT_UNKNOWN") }],
  ["product", { schema: productNumber, refuse: () => unknownId("E_PRODUCT_UNKNOWN") }],
  ["schedule", { schema: scheduleId, refuse: () => noSchedule() }],
  ["export", { schema: fileId, refuse: () => fileGone() }],
  ["file", { schema: fileId, refuse: () => fileGone() }],
  ["name", { schema: fileName, refuse: () => fileGone() }],
  ["store", { schema: storeName, refuse: () => unknownStore() }],
  ["person", { schema: recordId, refuse: () => unknownPerson() }],
  ["session", { schema: recordId, refuse: () => unknownRecord() }],
  ["key", { schema: recordId, refuse: () => unknownRecord() }],
  ["shared", { schema: recordId, refuse: () => unknownSharedFile() }],
]);

/** Returns the id. Throws {@link RequestError} 404 for a text that is no id of the kind. */
export function parseId(name: string, text: unknown): string {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new TypeError(`no kind of ids is named "${name}"`);
  const parsed = kind.schema.safeParse(text);
  if (!parsed.success) throw kind.refuse();
  return parsed.data;
}

/** Has each parameter of the routes that are added afterwards checked; a route of another throws. */
export function checkIds(app: FastifyInstance): void {
  app.addHook("onRoute", ({ url }) => {
    for (const [, name = ""] of url.matchAll(/:([a-z]+)/giu)) {
      if (!KINDS.has(name)) throw new TypeError(`${url}: no kind of ids is named "${name}"`);
    }
  });
  app.addHook("onRequest", async ({ params, routeOptions: { url } }) => {
    // The rest of an address that no route has is not looked at.
    if (url?.includes(":") !== true) return;
    for (const [name, text] of Object.entries(params ?? {})) parseId(name, text);
  });
}

type UnknownCode = "E_DRAFT_UNKNOWN" | "E_PRODUCT_UNKNOWN" | "E_RUN_UNKNOWN";

/** What is answered for an id that the store does not have. */
export const unknownId = (code: UnknownCode): RequestError =>
  new RequestError(404, code, UNKNOWN_IDS[code]);

/** What the page says of an id that its store does not have. */
export const UNKNOWN_IDS: Readonly<Record<UnknownCode, Localized>> = {
  E_DRAFT_UNKNOWN: {
    tr: "Bu dosya bu mağazanın dosyaları arasında yok; kaldırılmış ya da başka bir mağazada yüklenmiş olabilir. Listeden seçin ya da yeniden yükleyin.",
    en: "This file is not among those of this store; it may have been removed, or was uploaded for another store. Choose it from the list, or upload it again.",
  },
  E_PRODUCT_UNKNOWN: {
    tr: "Bu ürün mağazada artık görünmüyor. Ürünler'i yenileyin.",
    en: "The store no longer shows this product. Read the products again.",
  },
  E_RUN_UNKNOWN: {
    tr: "Bu gönderim bu mağazanın geçmişinde yok; başka bir mağazanın olabilir. Yapılanların hepsi Geçmiş'te.",
    en: "This run is not in the history of this store; it may be of another store. The history has all of them.",
  },
};

/** A store in which the person has no role is answered as one that is not there. */
export const unknownStore = (): RequestError =>
  new RequestError(404, "E_STORE_UNKNOWN", {
    tr: "Burada bu adla bir mağaza yok. Mağazanızı listeden seçin.",
    en: "There is no store of this name here. Choose yours from the list.",
  });

/** A shared file without a store of the person is answered as one that is not there. */
export const unknownSharedFile = (): RequestError =>
  new RequestError(404, "E_SHARED_FILE_UNKNOWN", {
    tr: "Bu ortak dosya yok; mağazalarındaki taslakları kaldırılmış olabilir. Yükle sayfasından seçin.",
    en: "There is no such shared file; its drafts may have been removed in its stores. Choose one on the page Upload.",
  });

export const unknownPerson = (): RequestError =>
  new RequestError(404, "E_PERSON_UNKNOWN", {
    tr: "Bu kişi listede yok. Sayfayı yenileyin.",
    en: "This person is not on the list. Reload the page.",
  });

/** The answer for a session or a key that is not there. */
export const unknownRecord = (): RequestError =>
  new RequestError(404, "E_RECORD_UNKNOWN", {
    tr: "Bu kayıt artık yok. Sayfayı yenileyin.",
    en: "This record is gone. Reload the page.",
  });

export const noSchedule = (): RequestError =>
  new RequestError(404, "E_SCHEDULE_GONE", {
    tr: "Bu eşitleme artık listede değil. Sayfayı yenileyin.",
    en: "This sync is no longer on the list. Reload the page.",
  });

/** The answer for a file that is not there. */
export const fileGone = (): RequestError =>
  new RequestError(404, "E_FILE_GONE", {
    tr: "Bu dosya artık yok; yeniden oluşturun.",
    en: "This file is gone; make it again.",
  });
