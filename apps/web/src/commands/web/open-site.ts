/** Puts the parts of a site together: its store, its commands and its routes. */

import { join } from "node:path";

import { ORIGIN_VARIABLE, UsageError } from "@catalog/console";
import { createStartCommand, type StartCommand } from "@catalog/jobs";

import { addAccountRoutes } from "../../server/account-routes.ts";
import { BUG } from "../../server/describe-failure.ts";
import {
  createDrafts,
  createDraftTopic,
  type DraftsOptions,
} from "../../server/drafts/create-drafts.ts";
import { addDraftRoutes } from "../../server/drafts/draft-routes.ts";
import type { Drafts } from "../../server/drafts/drafts.ts";
import { addFeedRoutes } from "../../server/feeds/feed-routes.ts";
import { serveSchedules } from "../../server/feeds/serve-schedules.ts";
import { createRunJobs } from "../../server/runs/run-jobs.ts";
import { createRunTopic } from "../../server/runs/run-progress.ts";
import { createRunRoutes } from "../../server/runs/run-routes.ts";
import { type AddRoutes, RequestError, type Site, type Topic } from "../../server/site.ts";
import { addUploadRoutes } from "../../server/uploads/upload-routes.ts";
import { addWorkRoutes } from "../../server/work/work-routes.ts";
import { createWorkplace, type Place, type Workplace } from "../../server/workplace.ts";
import { addSample } from "./sample-draft.ts";
import { openSandboxPlace, type SandboxPlace } from "./sandbox-place.ts";
import type { WebContext, WebParts } from "./web-parts.ts";

/** A site with everything that its server needs. */
export interface OpenedSite extends AsyncDisposable {
  readonly site: Site;
  readonly routes: readonly AddRoutes[];
  readonly topics: readonly Topic[];
}

export interface SiteOptions {
  /** Whether it works on a local marketplace from the start. */
  readonly isDemo: boolean;
  /** The command that opens the page, as a person types it. */
  readonly command: string;
  /** Takes an error that nobody expected. */
  readonly onBug: (error: unknown) => void;
}

export async function openSite(
  context: WebContext,
  parts: WebParts,
  { isDemo, command, onBug }: SiteOptions,
): Promise<OpenedSite> {
  const home = await parts.readHome();
  const sandboxes: SandboxPlace[] = [];
  const startSandbox = async (): Promise<Place> => {
    const nowMs = context.clock.now();
    const sandbox = await openSandboxPlace(home, parts, { command, nowMs });
    sandboxes.push(sandbox);
    return sandbox.place;
  };
  const own: Place = { home, isSandbox: false };
  const stored = (await parts.hasLogin()) ? own : undefined;
  const place = isDemo ? await startSandbox() : stored;
  const { site, workplace } = openPremises(context, parts, { home, place, onBug });
  const jobs = createRunJobs(site.startCommand);
  const progress = createRunTopic(site, jobs);
  const describe = createDescribe(parts, onBug);
  const drafts = createDrafts({ site, describe });
  if (isDemo) await addSample(site, drafts, parts.sampleFile);
  connectEarly(workplace);
  const account = {
    workplace,
    version: parts.version,
    command,
    preparation: () => jobs.preparation(),
    startSandbox: () => startSandbox().catch(refuseSandbox),
    logIn: async (login: Parameters<WebParts["logIn"]>[1]) => {
      await parts.logIn(context, login);
      return own;
    },
  };
  return {
    site,
    routes: [
      (app) => addAccountRoutes(app, site, account),
      createUploadRoutes(drafts),
      (app) => addDraftRoutes(app, drafts),
      createRunRoutes(jobs, progress),
      addFeedRoutes,
      addWorkRoutes,
    ],
    topics: [createDraftTopic(drafts), progress],
    async [Symbol.asyncDispose]() {
      for (const part of [drafts, workplace, ...sandboxes]) await part[Symbol.asyncDispose]();
    },
  };
}

/** The page shows the whole message, as its next step is a command. */
function refuseSandbox(error: unknown): never {
  if (!(error instanceof UsageError)) throw error;
  throw new RequestError(423, "E_SANDBOX_BUSY", error.localized, { cause: error });
}

const createUploadRoutes =
  (drafts: Pick<Drafts, "create" | "sentFiles">): AddRoutes =>
  (app, site) =>
    addUploadRoutes(app, site, {
      createDraft: (file, lang) => drafts.create(file, lang),
      readSentFiles: () => drafts.sentFiles(),
    });

/** Schedules run from the start on, and not only once the page is used. */
function connectEarly(workplace: Workplace): void {
  if (workplace.place === undefined) return;
  // A failure is told to the first request, which tries again.
  workplace.connection().catch(() => undefined);
}

/** Describes errors of work in the background in both languages. */
const createDescribe =
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
}

const folderOf = ({ workplace, home }: Premises): string =>
  join(workplace.place?.home ?? home, "web");

/** Commands of the page and of schedules are told apart by what their runs store. */
const createStarters =
  ({ program, cwd, env }: WebParts, premises: Premises) =>
  (origin: "page" | "schedule"): StartCommand =>
    createStartCommand({
      program,
      cwd,
      env: () => ({ ...env, ...premises.workplace.place?.given, [ORIGIN_VARIABLE]: origin }),
      folder: () => join(folderOf(premises), "commands"),
    });

interface PremisesOptions extends Pick<SiteOptions, "onBug"> {
  readonly home: string;
  readonly place: Place | undefined;
}

/** Opens the store that the page works on, whose schedules run while it is open. */
function openPremises(
  context: WebContext,
  parts: WebParts,
  { home, place, onBug }: PremisesOptions,
): { readonly site: Site; readonly workplace: Workplace } {
  const { clock, user, lang } = context;
  const workplace = createWorkplace({
    place,
    openConnection: (overrides) => context.openConnection(overrides),
    beside: (connection, stop) =>
      serveSchedules(connection, { startCommand: startAs("schedule"), lang, onBug }, stop),
  });
  const startAs = createStarters(parts, { workplace, home });
  const site: Site = {
    clock,
    store: workplace,
    startCommand: startAs("page"),
    get folder() {
      return folderOf({ workplace, home });
    },
    user: user ?? "?",
  };
  return { site, workplace };
}
