/** The store that the page works on; it may be entered while the server runs. */

import type { Connection, ConnectionOverrides } from "@catalog/connection";

import { type OpenStore, RequestError } from "./site.ts";

/** A store, and the home of its data. */
export interface Place {
  readonly home: string;
  /** Whether it is a local marketplace. */
  readonly isSandbox: boolean;
  /** Settings that override those of the environment. @default none */
  readonly given?: Readonly<Record<string, string>> | undefined;
}

export interface Workplace extends OpenStore, AsyncDisposable {
  /** The place; `undefined` where there are no credentials. */
  readonly place: Place | undefined;
  /** Goes to another place; the connection to the one before is closed. */
  enter(place: Place): Promise<void>;
}

export interface WorkplaceOptions {
  /** @default there are no credentials */
  readonly place?: Place | undefined;
  readonly openConnection: (overrides: ConnectionOverrides) => Promise<Connection>;
  /**
   * Work that goes on while a connection is open; it ends when `stop` aborts, before the connection
   * is closed. It never rejects. @default none
   */
  readonly beside?: (connection: Connection, stop: AbortSignal) => Promise<void>;
}

/** Creates the workplace; it connects when the connection is used first. */
export function createWorkplace(options: WorkplaceOptions): Workplace {
  let { place } = options;
  let opened: Promise<Connection> | undefined;
  let current: Connection | undefined;
  let beside: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  const connect = async (where: Place): Promise<Connection> => {
    const connection = await open(where);
    const stop = new AbortController();
    const ended = options.beside?.(connection, stop.signal) ?? Promise.resolve();
    beside = { stop, ended };
    current = connection;
    return connection;
  };

  const open = async ({ given }: Place): Promise<Connection> => {
    try {
      return await options.openConnection(given === undefined ? {} : { given });
    } catch (error) {
      // A later request tries again, as the reason may be gone.
      opened = undefined;
      throw error;
    }
  };

  const close = async (): Promise<void> => {
    const last = opened;
    opened = undefined;
    current = undefined;
    const connection = await last?.catch(() => undefined);
    beside?.stop.abort(new Error("the store is closed"));
    await beside?.ended;
    beside = undefined;
    await connection?.[Symbol.asyncDispose]();
  };

  return {
    get place() {
      return place;
    },
    async connection() {
      if (place === undefined) throw loginNeeded();
      opened ??= connect(place);
      return await opened;
    },
    outage: () => current?.meters.outage(),
    async enter(next) {
      await close();
      place = next;
    },
    [Symbol.asyncDispose]: close,
  };
}

const loginNeeded = (): RequestError =>
  new RequestError(503, "E_LOGIN_NEEDED", {
    tr: "Mağazanın bağlantı bilgileri yok. Ayarlar'da girin ya da yerel bir mağazayla deneyin.",
    en: "The store's credentials are missing. Enter them in the settings, or try a local store.",
  });
