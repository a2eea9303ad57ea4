/** The store that the page works on; another one may be entered while the server runs. */

import type { Connection, ConnectionOverrides } from "@catalog/connection";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import type { Me, StoreView } from "../api/session.ts";
import { sessionKey } from "./access.ts";
import { askerOf, needs } from "./needs.ts";
import { type OpenStore, parseInput, RequestError } from "./site.ts";

/** Whether an address is of this computer, whatever program answers there. */
export function isLoopbackAddress(address: string): boolean {
  const { hostname = "" } = URL.parse(address) ?? {};
  const isName = hostname === "localhost" || hostname === "[::1]";
  return isName || /^127(?:\.\d+){3}$/u.test(hostname);
}

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

interface WorkplaceOptions {
  /** @default there are no credentials */
  readonly place?: Place | undefined;
  readonly openConnection: (overrides: ConnectionOverrides) => Promise<Connection>;
  /**
   * Work that continues while a connection is open; it ends when `stop` aborts, before the connection
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

/** Credentials of a store. */
export interface StoreLogin {
  readonly baseUrl: string;
  readonly storeId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
}

const loginBody: z.ZodType<StoreLogin> = z.object({
  baseUrl: z.string().max(2_000),
  storeId: z.string().max(200),
  clientKey: z.string().max(2_000),
  clientSecret: z.string().max(2_000),
});

interface AccountOptions {
  readonly workplace: Workplace;
  readonly version: string;
  /** The command that opens the page, as a person types it. */
  readonly command: string;
  /** What the page plans from an earlier run now; `null` for nothing. */
  readonly preparation: () => StoreView["preparing"];
  /** Tries the credentials with real calls and stores them; throws where they are refused. */
  readonly logIn: (login: StoreLogin) => Promise<Place>;
  /** Starts a local marketplace. */
  readonly startSandbox: () => Promise<Place>;
}

/** Tries of a session in a quarter of an hour; requests without one are refused before. */
const LOGIN_TRIES = { max: 10, timeWindow: 15 * 60_000, keyGenerator: sessionKey } as const;

export function addAccountRoutes(app: FastifyInstance, options: AccountOptions): void {
  const { workplace } = options;
  const readMe = async (request: FastifyRequest): Promise<Me> => ({
    version: options.version,
    user: askerOf(request).name,
    role: askerOf(request).role ?? "viewer",
    isOverAll: askerOf(request).isOverAll === true,
    command: options.command,
    store: await readStore(options),
  });

  app.get("/me", needs("viewer"), readMe);

  const enter = async (request: FastifyRequest, open: () => Promise<Place>): Promise<Me> => {
    assertFree(workplace);
    await workplace.enter(await open());
    return await readMe(request);
  };
  const logIn = (request: FastifyRequest): Promise<Me> =>
    enter(request, () => options.logIn(parseInput(loginBody, request.body)));

  app.post(
    "/login",
    { config: { ...needs("administrator").config, rateLimit: LOGIN_TRIES } },
    logIn,
  );
  app.post("/sandbox", needs("administrator"), (request) =>
    workplace.place?.isSandbox === true ? readMe(request) : enter(request, options.startSandbox),
  );
}

export async function readStore({
  workplace,
  preparation,
}: Pick<AccountOptions, "workplace" | "preparation">): Promise<StoreView | null> {
  const { place } = workplace;
  if (place === undefined) return null;
  const { baseUrl, storeId, storeName, locks } = await workplace.connection();
  const busyWith = (await locks.storeHolder())?.command ?? null;
  const preparing = preparation();
  const { isSandbox } = place;
  const isLocal = isLoopbackAddress(baseUrl);
  const name = storeName ?? null;
  return { name, baseUrl, storeId, isSandbox, isLocal, busyWith, preparing };
}

/** A page of a stored login must not become the page of another one under open tabs. */
function assertFree({ place }: Workplace): void {
  if (place === undefined || place.isSandbox) return;
  throw new RequestError(409, "E_LOGIN_STORED", {
    tr: "Bu sayfa bir mağazaya bağlı; mağaza buradan değiştirilemez. Nasıl değişeceği Ayarlar'da yazıyor.",
    en: "This page is connected to a store, which cannot be changed here. The settings say how to change it.",
  });
}
