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
}

/** Creates the workplace; it connects when the connection is used first. */
export function createWorkplace(options: WorkplaceOptions): Workplace {
  let { place } = options;
  let opened: Promise<Connection> | undefined;

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
    const connection = await last?.catch(() => undefined);
    await connection?.[Symbol.asyncDispose]();
  };

  return {
    get place() {
      return place;
    },
    async connection() {
      if (place === undefined) throw loginNeeded();
      opened ??= open(place);
      return await opened;
    },
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
