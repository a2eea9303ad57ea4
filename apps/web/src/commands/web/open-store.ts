/** Opens a store of a server of several people: its schedules, and what its page needs. */

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { FEED_LOGINS_VARIABLE, STORE_NAMES_VARIABLE } from "@catalog/console";
import { createPlanTurns, type PlanTurns, startPlansInTurn, type Webhooks } from "@catalog/jobs";
import type { Team, TeamStore } from "@catalog/team";

import { removeFinishedFiles, removeLeftovers } from "../../server/files.ts";
import { RunJobs } from "../../server/runs/run-jobs.ts";
import type { Site } from "../../server/site.ts";
import type { StorePremises } from "../../server/team/store-sites.ts";
import { createUploadGate } from "../../server/uploads.ts";
import { createReadFacts } from "../../server/v1/hook-facts.ts";
import { openProgramStore } from "../../server/v1/program-store.ts";
import { createExports } from "../../server/work/exports.ts";
import { readStore } from "../../server/workplace.ts";
import {
  createDescribe,
  openPremises,
  openSiteParts,
  type WebContext,
  type WebParts,
} from "./open-site.ts";

interface StoreOptions {
  readonly team: Team;
  /** Folder of the server in the home. */
  readonly folder: string;
  readonly onBug: (error: unknown) => void;
  /** What all stores of the server share. */
  readonly turns: ServerTurns;
}

/** Places of the server's processor, of which no store takes all. */
export interface ServerTurns extends PlanTurns {
  /** Uploads of people, who may work on several stores. */
  readonly enterUpload: NonNullable<Site["enterUpload"]>;
}

export const createServerTurns = (cores: number): ServerTurns => ({
  ...createPlanTurns(cores),
  enterUpload: createUploadGate(),
});

/** A store brings its own credentials, and no command of it learns those of others. */
const NO_OTHER_STORE = {
  CATALOG_STORE: "",
  CATALOG_STORES: "",
  CATALOG_CLIENT_KEY_FILE: "",
  CATALOG_CLIENT_SECRET_FILE: "",
  CATALOG_SECRET_KEY: "",
  CATALOG_SECRET_KEY_FILE: "",
  CATALOG_FEED_LOGINS: "",
  CATALOG_OPENID_SECRET: "",
  CATALOG_OPENID_SECRET_FILE: "",
} as const;

/** Opens the premises of the store; its site may be opened and closed many times. */
export async function openStorePremises(
  context: WebContext,
  parts: WebParts,
  store: TeamStore,
  { team, folder: root, onBug, turns }: StoreOptions,
): Promise<StorePremises> {
  const folder = join(root, "stores", String(store.id));
  const logins = join(folder, "feed-logins");
  const credentials = await team.stores.credentials(store.id);
  const { clientKey, clientSecret } = credentials;
  let stores = await team.stores.list();
  const given = {
    ...NO_OTHER_STORE,
    CATALOG_BASE_URL: store.baseUrl,
    CATALOG_STORE_ID: store.storeId,
    CATALOG_CLIENT_KEY: clientKey,
    CATALOG_CLIENT_SECRET: clientSecret,
    [FEED_LOGINS_VARIABLE]: logins,
    // Headers of a sheet name stores, and stores are added while this one is open.
    get [STORE_NAMES_VARIABLE]() {
      return JSON.stringify(
        stores.map(({ name, baseUrl, storeId }) => ({ name, baseUrl, storeId })),
      );
    },
  };
  const home = await parts.readHome();
  const keepFilesDays = parts.readKeepFilesDays?.();
  // The settings of images, which name hosts of a private network, are known once a store is open.
  const openWebhooks = async (): Promise<Webhooks | undefined> =>
    await context.openWebhooks?.(context.images?.allowHosts ?? []);
  const { site, workplace } = openPremises(context, parts, {
    home,
    place: { home, isSandbox: false, given },
    onBug,
    folder,
    async watch(own, connection) {
      const webhooks = await openWebhooks();
      const readFacts = createReadFacts({ site: own, exports: createExports(own) }, store.name);
      const watching = new AsyncDisposableStack();
      watching.use(webhooks?.watch(connection, readFacts));
      return watching;
    },
    besides: {
      feedLogins: parts.openFeedLogins(logins),
      fourEyes: () => team.stores.fourEyes(store.id),
      hasOwnFiles: false,
      enterUpload: turns.enterUpload,
    },
    startInTurn: (start) => startPlansInTurn(start, turns, store.id),
  });
  const jobs = new RunJobs(site.startCommand);
  const describe = createDescribe(parts, onBug);
  let isTold = false;
  return {
    connect: () => workplace.connection(),
    async isCurrent() {
      stores = await team.stores.list();
      try {
        const stored = await team.stores.credentials(store.id);
        isTold = false;
        return isDeepStrictEqual(stored, credentials);
      } catch (error) {
        // Encrypted with a key that this process has not: it goes on with those that it has.
        if (!isTold) onBug(error);
        isTold = true;
        return true;
      }
    },
    removeOldFiles: createDailyRemoval(site, keepFilesDays?.(store.name)),
    async openSite() {
      await removeLeftovers(site);
      const tools = { site, workplace, jobs, describe };
      const opened = openSiteParts({ ...tools, images: () => context.images });
      const preparation = (): ReturnType<RunJobs["preparation"]> => jobs.preparation();
      const { exports, progress } = opened;
      const programs = openProgramStore({ site, jobs, exports, progress, openWebhooks });
      return {
        ...opened,
        site,
        programs,
        isBusy: () => opened.isBusy() || programs.plans.isBusy(),
        readStore: () => readStore({ workplace, preparation }),
      };
    },
    [Symbol.asyncDispose]: () => workplace[Symbol.asyncDispose](),
  };
}

const DAY_MS = 24 * 60 * 60_000;

/** Removes, once a day however often it is called, what was kept for so many days. */
function createDailyRemoval(site: Site, days: number | undefined): () => Promise<void> {
  let removedAtMs = -Infinity;
  return async () => {
    const nowMs = site.clock.now();
    if (days === undefined || nowMs - removedAtMs < DAY_MS) return;
    removedAtMs = nowMs;
    await removeFinishedFiles(site, days);
  };
}
