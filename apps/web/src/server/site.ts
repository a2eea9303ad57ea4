/** What the routes of the page share. */

import type { Clock } from "@catalog/clock";
import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import type { StartCommand } from "@catalog/jobs";
import type { FastifyInstance } from "fastify";

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

export interface Site {
  readonly clock: Clock;
  readonly store: OpenStore;
  readonly startCommand: StartCommand;
  /** Folder of this page in the home: uploads and outputs of commands. */
  readonly folder: string;
  /** Name of the person. */
  readonly user: string;
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

export type RequestLang = (request: { readonly headers: object; readonly query: unknown }) => Lang;
