/** Opens a store of a server of several people: its schedules, and what its page needs. */

import { join } from "node:path";

import { FEED_LOGINS_VARIABLE } from "@catalog/console";
import type { Team, TeamStore } from "@catalog/team";

import { removeLeftovers } from "../../server/files.ts";
import { RunJobs } from "../../server/runs/run-jobs.ts";
import type { StorePremises } from "../../server/team/store-sites.ts";
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
}

/** A store brings its own credentials, and no command of it learns those of others. */
const NO_OTHER_STORE = {
  CATALOG_STORE: "",
  CATALOG_STORES: "",
  CATALOG_CLIENT_KEY_FILE: "",
  CATALOG_CLIENT_SECRET_FILE: "",
  CATALOG_SECRET_KEY: "",
  CATALOG_SECRET_KEY_FILE: "",
  CATALOG_FEED_LOGINS: "",
  CATALOG_OPENID_SECRET_FILE: "",
} as const;

/** Opens the premises of the store; its site may be opened and closed many times. */
export async function openStorePremises(
  context: WebContext,
  parts: WebParts,
  store: TeamStore,
  { team, folder: root, onBug }: StoreOptions,
): Promise<StorePremises> {
  const folder = join(root, "stores", String(store.id));
  const logins = join(folder, "feed-logins");
  const { clientKey, clientSecret } = await team.stores.credentials(store.id);
  const given = {
    ...NO_OTHER_STORE,
    CATALOG_BASE_URL: store.baseUrl,
    CATALOG_STORE_ID: store.storeId,
    CATALOG_CLIENT_KEY: clientKey,
    CATALOG_CLIENT_SECRET: clientSecret,
    [FEED_LOGINS_VARIABLE]: logins,
  };
  const home = await parts.readHome();
  const { site, workplace } = openPremises(context, parts, {
    home,
    place: { home, isSandbox: false, given },
    onBug,
    folder,
    besides: {
      feedLogins: parts.openFeedLogins(logins),
      fourEyes: () => team.stores.fourEyes(store.id),
      hasOwnFiles: false,
    },
  });
  const jobs = new RunJobs(site.startCommand);
  const describe = createDescribe(parts, onBug);
  return {
    connect: () => workplace.connection(),
    async openSite() {
      await removeLeftovers(site);
      const tools = { site, workplace, jobs, describe };
      const opened = openSiteParts({ ...tools, images: () => context.images });
      const preparation = (): ReturnType<RunJobs["preparation"]> => jobs.preparation();
      return {
        ...opened,
        site,
        readStore: () => readStore({ workplace, preparation }),
      };
    },
    [Symbol.asyncDispose]: () => workplace[Symbol.asyncDispose](),
  };
}
