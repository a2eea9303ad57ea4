/** Puts the parts of a site together: its store, its commands and its routes. */

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";

import {
  type Connection,
  type ConnectionOverrides,
  DatabaseError,
  type FoundStore,
  lockFile,
  readLockHolder,
} from "@catalog/connection";
import {
  type CommandContext as ConsoleContext,
  ORIGIN_VARIABLE,
  PERSON_ID_VARIABLE,
  PERSON_VARIABLE,
  UsageError,
} from "@catalog/console";
import { type Lang, makeFolder } from "@catalog/i18n";
import type { ImageOptions } from "@catalog/images";
import {
  type Alerts,
  createPlanTurns,
  createStartCommand,
  type StartCommand,
  startPlansInTurn,
  type Webhooks,
} from "@catalog/jobs";
import type { NamedPerson } from "@catalog/runs";
import type { Team } from "@catalog/team";

import type { DraftView } from "../../api/drafts.ts";
import { addDraftRoutes } from "../../server/drafts/draft-routes.ts";
import { createDrafts, type Drafts, type DraftsOptions } from "../../server/drafts/drafts.ts";
import { BUG } from "../../server/failures.ts";
import { addFeedRoutes, serveSchedules } from "../../server/feeds/feed-routes.ts";
import { resaveFile } from "../../server/files.ts";
import { createPictures } from "../../server/pictures.ts";
import { createProductRoutes } from "../../server/products/product-details.ts";
import { addProductDraftRoute } from "../../server/products/product-draft.ts";
import { createProducts } from "../../server/products/product-routes.ts";
import { createQuestions } from "../../server/questions/question-routes.ts";
import { createRunTopic, RunJobs } from "../../server/runs/run-jobs.ts";
import { createRunRoutes } from "../../server/runs/run-routes.ts";
import {
  type AddRoutes,
  type FeedLogins,
  RequestError,
  type Site,
  type Topic,
} from "../../server/site.ts";
import type { OpenIdSettings } from "../../server/team/open-id.ts";
import { addUpdateRoute, type InstalledProgram } from "../../server/updates.ts";
import { addUploadRoutes, takeCopy } from "../../server/uploads.ts";
import { addExports, createExports, type Exports } from "../../server/work/exports.ts";
import { addWorkRoutes } from "../../server/work/work-routes.ts";
import {
  addAccountRoutes,
  createWorkplace,
  type Place,
  type StoreLogin,
  type Workplace,
} from "../../server/workplace.ts";
import type { IconSystem } from "./start-icon.ts";
import { sandboxInUse } from "./texts.ts";

export interface WebContext extends ConsoleContext {
  /** Image settings of the configuration file; known once a connection is open. */
  readonly images?: ImageOptions | undefined;
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: (() => Promise<Alerts>) | undefined;
  /** Opens the webhooks; `allowHosts` are servers in a private network. @default none are told */
  readonly openWebhooks?: ((allowHosts: readonly string[]) => Promise<Webhooks>) | undefined;
  /** Finds the store of the settings, and the variables that open it and no other one. */
  findStores(scope: "one"): Promise<readonly FoundStore[]>;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openConnection(overrides?: ConnectionOverrides): Promise<Connection>;
}

/** A local marketplace in this process. */
export interface WebSandbox extends AsyncDisposable {
  readonly port: number;
  /** Settings by the names of their environment variables. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface WebSandboxOptions {
  /** Port of the last time, which is part of the store's identity; 0 for any. */
  readonly port: number;
  /** File of its state, which is read where it exists and written at the end. */
  readonly statePath: string;
}

/** What an icon needs to know of the program and of the system. */
interface IconParts {
  readonly system: IconSystem;
  /** The words that start the program, from any folder and without this terminal's settings. */
  readonly program: readonly string[];
  /** Folder of the configuration file that is used, or else of the person. */
  readonly folder: string;
  /** Whether the program is in a folder that npx clears. */
  readonly isTemporary: boolean;
}

/** What the program gives to the command `catalog web`. */
export interface WebParts {
  /** The words that start the program, before those of a command. */
  readonly program: readonly string[];
  /** The program as a person types it, such as `npx catalog-toolkit`. */
  readonly programName: string;
  readonly version: string;
  readonly cwd: string;
  /** Environment of the commands that the page starts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A table for the demo. */
  readonly sampleFile: string;
  /** Folder of the store's data. */
  readonly readHome: () => Promise<string>;
  /** Tries the credentials with real calls and stores them; throws where they are refused. */
  readonly logIn: (context: WebContext, login: StoreLogin) => Promise<void>;
  /** The logins of addresses of feeds. */
  readonly feedLogins: FeedLogins;
  /** Those of one store of several, which are in a folder of their own. */
  readonly openFeedLogins: (folder: string) => FeedLogins;
  /** Opens the people of the home's database. */
  readonly openTeam: (context: Pick<WebContext, "clock" | "stop">) => Promise<Team>;
  /** Reads whether the server of the home's database holds stores apart; a file does not. */
  readonly readSeparation: () => Promise<"enforced" | "bypassed" | "none">;
  /** The identity provider of the settings; `undefined` for none. */
  readonly readOpenId: () => OpenIdSettings | undefined;
  /** Tries the credentials with real calls; throws where they are refused. */
  readonly tryCredentials: (context: WebContext, login: StoreLogin) => Promise<void>;
  /** Starts a local marketplace with products. */
  readonly startSandbox: (options: WebSandboxOptions) => Promise<WebSandbox>;
  /** Bytes of uploaded files that each store keeps. @default 500 MB */
  readonly readUploadsBytes?: (() => number | undefined) | undefined;
  /** For how many days a server keeps files of a store. @default 365 */
  readonly readKeepFilesDays?: (() => (store: string) => number) | undefined;
  /** Asks the registry for newer versions. */
  readonly fetch: typeof fetch;
  /** The program as it was installed; `undefined` where nobody asks for newer versions. */
  readonly readInstalled: () => Promise<InstalledProgram | undefined>;
  /** What an icon on the desktop would start. */
  readonly readIcon: () => Promise<IconParts>;
  /** Describes known errors; `undefined` for a bug. */
  readonly describeError: (
    error: unknown,
    lang: Lang,
  ) => { readonly code: string; readonly text: string; readonly isLogin: boolean } | undefined;
}

interface SandboxPlace extends AsyncDisposable {
  readonly place: Place;
}

interface SandboxPlaceOptions {
  readonly command: string;
  readonly nowMs: number;
}

/**
 * Starts the marketplace where it was the last time. Throws {@link UsageError} where another process
 * has it open: two of them would write over each other's state.
 */
async function openSandboxPlace(
  home: string,
  { startSandbox }: Pick<WebParts, "startSandbox">,
  { command, nowMs }: SandboxPlaceOptions,
): Promise<SandboxPlace> {
  const demo = join(home, "demo");
  makeFolder(demo);
  const lock = lockSandbox(join(demo, "marketplace.lock"), { command, nowMs });
  try {
    const { sandbox, place } = await startIn(demo, startSandbox);
    return {
      place,
      async [Symbol.asyncDispose]() {
        await sandbox[Symbol.asyncDispose]();
        lock[Symbol.dispose]();
      },
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function lockSandbox(path: string, { command, nowMs }: SandboxPlaceOptions): Disposable {
  try {
    return lockFile({ path, holder: { command, pid: process.pid, sinceMs: nowMs } });
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === "E_STORE_BUSY")) throw error;
    throw new UsageError(sandboxInUse(readLockHolder(path)?.command), { cause: error });
  }
}

async function startIn(
  demo: string,
  startSandbox: WebParts["startSandbox"],
): Promise<{ readonly sandbox: WebSandbox; readonly place: Place }> {
  const portPath = join(demo, "marketplace-port");
  const sandbox = await startSandbox({
    port: readPort(portPath),
    statePath: join(demo, "marketplace.json"),
  });
  writeFileSync(portPath, String(sandbox.port), { mode: 0o600 });
  const given = {
    ...sandbox.settings,
    ...NO_OTHER_STORE,
    CATALOG_HOME: demo,
    CATALOG_DATABASE_URL: "",
  };
  return { sandbox, place: { home: demo, isSandbox: true, given } };
}

/** A local marketplace is no stored store, and its secret is in no file. */
export const NO_OTHER_STORE = {
  CATALOG_STORE: "",
  CATALOG_CLIENT_KEY_FILE: "",
  CATALOG_CLIENT_SECRET_FILE: "",
  CATALOG_DATABASE_URL_FILE: "",
} as const;

const sandboxUrlOf = (place: Place | undefined): string | undefined =>
  place?.isSandbox === true ? place.given?.["CATALOG_BASE_URL"] : undefined;

function readPort(path: string): number {
  try {
    const port = Number(readFileSync(path, "utf8"));
    return Number.isInteger(port) && port > 0 ? port : 0;
  } catch {
    return 0;
  }
}

/** Uploads the sample, unless a draft of an earlier start is there. */
async function addSample(
  site: Site,
  drafts: Drafts,
  { path, by }: { readonly path: string; readonly by: NamedPerson },
): Promise<void> {
  if ((await drafts.list(by)).length > 0) return;
  const file = await resaveFile(path, join(site.folder, "uploads"));
  await drafts.create({ ...file, name: basename(path), by }, "tr");
}

interface OpenedSite extends AsyncDisposable {
  readonly site: Site;
  readonly routes: readonly AddRoutes[];
  readonly topics: readonly Topic[];
}

interface SiteOptions {
  /** Whether it works on a local marketplace from the start. */
  readonly isDemo: boolean;
  /** The command that opens the page, as a person types it. */
  readonly command: string;
  /** Takes an error that nobody expected. */
  readonly onBug: (error: unknown) => void;
}

/** The routes of a store and what they share, beside its account. */
export interface SiteParts extends Pick<OpenedSite, "routes" | "topics">, AsyncDisposable {
  readonly drafts: Drafts;
  readonly exports: Exports;
  readonly progress: Topic;
  /** Makes a draft of a file that another store has got. */
  readonly takeCopy: (file: Parameters<typeof takeCopy>[0]) => Promise<DraftView>;
  /** Whether something is at work that was started here. */
  isBusy(): boolean;
}

interface PartsOptions {
  readonly site: Site;
  readonly workplace: Workplace;
  readonly jobs: RunJobs;
  readonly images: () => ImageOptions | undefined;
  readonly describe: DraftsOptions["describe"];
}

export function openSiteParts({
  site,
  workplace,
  jobs,
  images,
  describe,
}: PartsOptions): SiteParts {
  const progress = createRunTopic(site, jobs);
  const drafts = createDrafts({ site, describe });
  const exports = createExports(site);
  const products = createProducts(site, { describe, exports });
  const questions = createQuestions(site, { jobs, describe });
  const pictures = createPictures({
    images,
    drafts,
    sandboxUrl: () => sandboxUrlOf(workplace.place),
  });
  return {
    drafts,
    exports,
    progress,
    takeCopy: (file) => takeCopy(file, site, { ...drafts, jobs }),
    routes: [
      (app) => addUploadRoutes(app, site, { ...drafts, jobs }),
      (app) => addDraftRoutes(app, site, drafts),
      createRunRoutes(jobs, progress),
      addFeedRoutes,
      addWorkRoutes,
      (app) => addExports(app, exports),
      pictures.addRoutes,
      (app) => products.addRoutes(app),
      (app) => questions.addRoutes(app),
      createProductRoutes(jobs, products),
      (app) => addProductDraftRoute(app, site, { drafts, products }),
    ],
    topics: [{ name: "draft", read: (id, lang) => drafts.view(id, lang) }, progress],
    isBusy: () => jobs.isBusy() || drafts.isBusy() || exports.isBusy(),
    async [Symbol.asyncDispose]() {
      for (const part of [pictures, questions, products, drafts]) await part[Symbol.asyncDispose]();
    },
  };
}

export async function openSite(
  context: WebContext,
  parts: WebParts,
  { isDemo, command, onBug }: SiteOptions,
): Promise<OpenedSite> {
  const { user = "?" } = context;
  const home = await parts.readHome();
  const sandboxes: SandboxPlace[] = [];
  const startSandbox = async (): Promise<Place> => {
    const nowMs = context.clock.now();
    const sandbox = await openSandboxPlace(home, parts, { command, nowMs });
    sandboxes.push(sandbox);
    return sandbox.place;
  };
  const own = (given: Place["given"]): Place => ({ home, isSandbox: false, given });
  const [stored] = isDemo ? [] : await context.findStores("one");
  const place = isDemo ? await startSandbox() : stored && own(stored.environment);
  const turns = createPlanTurns(availableParallelism());
  const { site, workplace } = openPremises(context, parts, {
    home,
    place,
    onBug,
    startInTurn: (start) => startPlansInTurn(start, turns, ONLY_STORE),
  });
  const jobs = new RunJobs(site.startCommand);
  const describe = createDescribe(parts, onBug);
  const opened = openSiteParts({ site, workplace, jobs, images: () => context.images, describe });
  const installed = await parts.readInstalled();
  const update = { clock: context.clock, fetch: parts.fetch, installed };
  if (isDemo) await addSample(site, opened.drafts, { path: parts.sampleFile, by: { name: user } });
  connectEarly(workplace);
  const account = {
    workplace,
    version: parts.version,
    command,
    preparation: () => jobs.preparation(),
    startSandbox: () => startSandbox().catch(refuseSandbox),
    logIn: async (login: Parameters<WebParts["logIn"]>[1]) => {
      await parts.logIn(context, login);
      // The page stays with this store, whichever is the default later.
      return own({ CATALOG_BASE_URL: login.baseUrl, CATALOG_STORE_ID: login.storeId });
    },
  };
  return {
    site,
    routes: [
      (app) => addAccountRoutes(app, account),
      ...opened.routes,
      (app) => addUpdateRoute(app, { ...update, path: join(home, "web", "update.json") }),
    ],
    topics: opened.topics,
    async [Symbol.asyncDispose]() {
      for (const part of [opened, workplace, ...sandboxes]) await part[Symbol.asyncDispose]();
    },
  };
}

/** Number of the store of a page for one person, which shares its places with no other one. */
const ONLY_STORE = 0;

/** The page shows the whole message, as its next step is a command. */
function refuseSandbox(error: unknown): never {
  if (!(error instanceof UsageError)) throw error;
  throw new RequestError(423, "E_SANDBOX_BUSY", error.localized, { cause: error });
}

/** Schedules run from the start on, and not only once the page is used. */
function connectEarly(workplace: Workplace): void {
  if (workplace.place === undefined) return;
  // A failure is reported to the first request, which tries again.
  workplace.connection().catch(() => undefined);
}

/** Describes errors of work in the background in both languages. */
export const createDescribe =
  ({ describeError }: WebParts, onBug: SiteOptions["onBug"]): DraftsOptions["describe"] =>
  (error) => {
    if (error instanceof RequestError) return { code: error.code, message: error.localized };
    const [tr, en] = [describeError(error, "tr"), describeError(error, "en")];
    if (tr !== undefined && en !== undefined) {
      return { code: tr.code, message: { tr: tr.text, en: en.text } };
    }
    onBug(error);
    return { code: "E_BUG", message: BUG };
  };

interface Premises {
  readonly workplace: Workplace;
  readonly home: string;
  readonly folder: string | undefined;
}

const folderOf = ({ workplace, home, folder }: Premises): string =>
  folder ?? join(workplace.place?.home ?? home, "web");

/** Commands of the page and of schedules are told apart by what their runs store. */
const createStarters =
  ({ program, cwd, env }: WebParts, premises: Premises) =>
  (origin: "page" | "schedule"): StartCommand =>
    createStartCommand({
      program,
      cwd,
      env: (by) => ({
        ...env,
        ...premises.workplace.place?.given,
        [ORIGIN_VARIABLE]: origin,
        ...(by !== undefined && {
          [PERSON_VARIABLE]: by.name,
          [PERSON_ID_VARIABLE]: String(by.id ?? ""),
        }),
      }),
      folder: () => join(folderOf(premises), "commands"),
    });

interface PremisesOptions extends Pick<SiteOptions, "onBug"> {
  readonly home: string;
  readonly place: Place | undefined;
  /** Work besides the schedules, until it is disposed of. @default none */
  readonly watch?: (site: Site, connection: Connection) => Promise<AsyncDisposable>;
  /** What the site has beside its store. @default the logins of this computer */
  readonly besides?: Pick<Site, "feedLogins" | "fourEyes" | "hasOwnFiles" | "enterUpload">;
  /** Has commands wait that keep a core busy. */
  readonly startInTurn: (start: StartCommand) => StartCommand;
  /** Folder of the page. @default in the home of the place */
  readonly folder?: string | undefined;
}

/** Opens the store that the page works on, whose schedules run while it is open. */
export function openPremises(
  context: WebContext,
  parts: WebParts,
  { home, place, onBug, besides, folder, watch, startInTurn }: PremisesOptions,
): { readonly site: Site; readonly workplace: Workplace } {
  const { clock, lang } = context;
  const workplace = createWorkplace({
    place,
    openConnection: (overrides) => context.openConnection(overrides),
    async beside(connection, stop) {
      await using besideIt = new AsyncDisposableStack();
      besideIt.use(await watch?.(site, connection));
      await serveSchedules(
        connection,
        { startCommand: startAs("schedule"), lang, onBug, openAlerts: context.openAlerts },
        stop,
      );
    },
  });
  const premises = { workplace, home, folder };
  const startAs = createStarters(parts, premises);
  const site: Site = {
    clock,
    store: workplace,
    startCommand: startInTurn(startAs("page")),
    feedLogins: parts.feedLogins,
    maxUploadsBytes: parts.readUploadsBytes?.(),
    ...besides,
    openAlerts: context.openAlerts,
    get folder() {
      return folderOf(premises);
    },
  };
  return { site, workplace };
}
