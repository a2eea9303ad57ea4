/** Who works on which store, and how another store is entered. */

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";

import { loginBody, type Me, type StoreView } from "../api/session.ts";
import { sessionKey } from "./access/session-routes.ts";
import { isLoopbackAddress } from "./loopback-address.ts";
import { parseInput } from "./parse-input.ts";
import { RequestError, type Site } from "./site.ts";
import type { Place, Workplace } from "./workplace.ts";

export interface AccountOptions {
  readonly workplace: Workplace;
  readonly version: string;
  /** The command that opens the page, as a person types it. */
  readonly command: string;
  /** What the page plans from an earlier run now; `null` for nothing. */
  readonly preparation: () => StoreView["preparing"];
  /** Tries the credentials with real calls and stores them; throws where they are refused. */
  readonly logIn: (login: z.infer<typeof loginBody>) => Promise<Place>;
  /** Starts a local marketplace. */
  readonly startSandbox: () => Promise<Place>;
}

/** Tries of a session in a quarter of an hour; requests without one are refused before. */
const LOGIN_TRIES = { max: 10, timeWindow: 15 * 60_000, keyGenerator: sessionKey } as const;

export function addAccountRoutes(app: FastifyInstance, site: Site, options: AccountOptions): void {
  const { workplace } = options;
  const readMe = async (): Promise<Me> => ({
    version: options.version,
    user: site.user,
    command: options.command,
    store: await readStore(options),
  });

  app.get("/me", readMe);

  const enter = async (open: () => Promise<Place>): Promise<Me> => {
    assertFree(workplace);
    await workplace.enter(await open());
    return await readMe();
  };
  const logIn = (request: FastifyRequest): Promise<Me> =>
    enter(() => options.logIn(parseInput(loginBody, request.body)));

  app.post("/login", { config: { rateLimit: LOGIN_TRIES } }, logIn);
  app.post("/sandbox", () =>
    workplace.place?.isSandbox === true ? readMe() : enter(options.startSandbox),
  );
}

async function readStore({ workplace, preparation }: AccountOptions): Promise<StoreView | null> {
  const { place } = workplace;
  if (place === undefined) return null;
  const { baseUrl, storeId, locks } = await workplace.connection();
  const busyWith = (await locks.storeHolder())?.command ?? null;
  const preparing = preparation();
  const { isSandbox } = place;
  const isLocal = isLoopbackAddress(baseUrl);
  return { baseUrl, storeId, isSandbox, isLocal, busyWith, preparing };
}

/** A page of a stored login must not become the page of another one under open tabs. */
function assertFree({ place }: Workplace): void {
  if (place === undefined || place.isSandbox) return;
  throw new RequestError(409, "E_LOGIN_STORED", {
    tr: "Bu sayfa bir mağazaya bağlı; mağaza buradan değiştirilemez. Nasıl değişeceği Ayarlar'da yazıyor.",
    en: "This page is connected to a store, which cannot be changed here. The settings say how to change it.",
  });
}
