/**
 * Files that were uploaded once for several stores. All that these routes do is to take a file to other
 * stores and to show their plans beside each other: a draft is corrected and planned, and a plan is
 * approved, by the routes of its own store.
 */

import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";

import type { Lang } from "@catalog/i18n";
import { allows, type Role, type SharedFile, type Team, type TeamStore } from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Problem } from "../../api/session.ts";
import {
  type NewSharedFile,
  sharedFileBody,
  type SharedFileSummary,
  type SharedFileView,
  sharedOrderQuery,
  type SharedRowView,
  type SharedStoreView,
} from "../../api/shared-files.ts";
import { type DescribeError, describeFailure } from "../failures.ts";
import { askerOf, makerOf, needs, toMaker, toUploader } from "../needs.ts";
import { readNumbers, sendNumbers } from "../numbers.ts";
import {
  parseInput,
  RequestError,
  requestLang,
  unknownId,
  unknownSharedFile,
  unknownStore,
} from "../site.ts";
import { createCompare } from "./compare-plans.ts";
import {
  describeLongest,
  type OwnDraft,
  type PlannedStore,
  readPlan,
  type ReadStore,
  readStore,
} from "./shared-view.ts";
import { signedInOf } from "./sign-in.ts";
import type { EnteredStore, StoreSites } from "./store-sites.ts";

interface SharedFileOptions {
  readonly team: Team;
  readonly sites: StoreSites;
  readonly describeError: DescribeError;
  readonly onBug: (error: unknown) => void;
}

interface SharedPath {
  readonly Params: { readonly shared: string };
}

/** Who asks for a file waits so long for its plans to be compared. */
const WAIT_MS = 1_500;

/** Shared files that a list has at most. */
const MAX_LISTED = 50;

export function addSharedFileRoutes(inside: FastifyInstance, options: SharedFileOptions): void {
  const { team } = options;
  const compare = createCompare();
  inside.post("/shared-files", needs("person"), async (request, reply) => {
    const body = parseInput(sharedFileBody, request.body);
    const [source, ...others] = await Promise.all(
      [...new Set([body.store, ...body.stores])].map((name) => findOwnStore(team, name, request)),
    );
    if (source === undefined || others.length === 0) throw noOtherStore();
    const answer = await shareFile({ request, source, draft: body.draft, others }, options);
    return await reply.status(answer.id === null ? 200 : 201).send(answer);
  });
  inside.get("/shared-files", needs("person"), async (request) => listFiles(team, request));
  inside.get<SharedPath>("/shared-files/:shared", needs("person"), async (request) => {
    const opened = await openFile(request, options, { read: readStore, toAway });
    const { file, stores } = opened;
    const comparing = compareStores(opened);
    // The stores stay open until their plans are compared, also where nobody waits for that.
    const close = (): Promise<void> => Promise.resolve(opened[Symbol.asyncDispose]());
    void comparing.then(close, close);
    const rows = await Promise.race([comparing, setTimeout(WAIT_MS, undefined, { ref: false })]);
    const planned = stores.filter(
      ({ view: { step, run } }) => step === "planned" && run?.isCurrent === true,
    );
    const view: SharedFileView = {
      ...(await toSummary(team, file)),
      stores: stores.map((store) => store.view),
      version: toKey(stores),
      isComparing: rows === undefined,
      rows:
        rows == null
          ? null
          : {
              all: rows.all.length,
              differs: rows.differs.length,
              held: rows.held.length,
              failed: rows.failed.length,
            },
      calls: planned.reduce((sum, store) => sum + (store.view.run?.calls ?? 0), 0),
      duration: describeLongest(
        planned.map(({ seconds }) => seconds),
        requestLang(request),
      ),
    };
    return view;
  });
  inside.get<SharedPath>("/shared-files/:shared/order", needs("person"), async (request, reply) => {
    const { show } = parseInput(sharedOrderQuery, request.query);
    await using opened = await openFile(request, options, PLANS);
    const rows = await compareStores(opened);
    return await sendNumbers(reply, rows?.[show] ?? new Uint32Array());
  });
  inside.get<SharedPath>("/shared-files/:shared/rows", needs("person"), async (request) => {
    const numbers = readNumbers(request.query);
    await using opened = await openFile(request, options, PLANS);
    return await readRows(opened.stores, numbers);
  });

  async function compareStores({ file, stores }: OpenedFile<PlannedStore>) {
    const plans = stores.flatMap(({ plan }) => plan ?? []);
    if (plans.length === 0) return null;
    return await compare(
      file.id,
      toKey(stores),
      plans.map(({ read }) => read),
    );
  }
}

/** Finds a store in which the person has a role; any other is answered as one that is not there. */
async function findOwnStore(
  { stores, people, audit }: Team,
  name: string,
  request: FastifyRequest,
): Promise<TeamStore> {
  const store = await stores.find(name);
  const role = store && (await people.roleIn(signedInOf(request).person.id, store.id));
  if (store === undefined || role === undefined) {
    const entry = { subject: name, before: null, after: null, store: store?.id ?? null };
    await audit.write({ action: "store.refused", ...entry }, askerOf(request).actor);
    throw unknownStore();
  }
  if (!allows(role, "editor")) throw notAnEditor(name);
  return store;
}

interface Sharing {
  readonly request: FastifyRequest;
  readonly source: TeamStore;
  readonly draft: string;
  readonly others: readonly TeamStore[];
}

/** Has each store make a draft of a copy of its own; one that cannot does not keep the others from it. */
async function shareFile(
  { request, source, draft, others }: Sharing,
  { team, sites, ...failures }: SharedFileOptions,
): Promise<NewSharedFile> {
  const lang = requestLang(request);
  const asker = askerOf(request);
  using from = (await sites.open(source)).enter();
  const { path, name, basis } = await readSource(from, draft);
  const given = { store: source.id, draft };
  // A draft belongs to one shared file at most.
  const isShared = (await team.sharedFiles.find(given)) !== undefined;
  if (basis !== null || isShared) throw notShareable();
  using _lock = from.site.enterUpload?.(toUploader(asker));
  const made = [given];
  const refused: { readonly store: string; readonly problem: Problem }[] = [];
  for (const store of others) {
    try {
      using entered = (await sites.open(store)).enter();
      const copy = await entered.takeCopy({ path, name, by: toMaker(asker), lang });
      made.push({ store: store.id, draft: copy.id });
    } catch (error) {
      refused.push({ store: store.name, problem: describe(error, lang, failures) });
    }
  }
  if (made.length === 1) return { id: null, refused };
  const { id } = await team.sharedFiles.add({ name, drafts: made }, asker.actor);
  return { id, refused };
}

async function readSource({ site }: EnteredStore, id: string) {
  const { memory } = await site.store.connection();
  const found = await memory.drafts.read(id);
  if (found === undefined) throw unknownId("E_DRAFT_UNKNOWN");
  return found;
}

function describe(
  error: unknown,
  lang: Lang,
  { describeError, onBug }: Pick<SharedFileOptions, "describeError" | "onBug">,
): Problem {
  const { isBug, problem } = describeFailure(error, lang, describeError);
  if (isBug) onBug(error);
  return problem;
}

/** The stores of a file in which the person has a role, with it. */
interface OwnFile {
  readonly file: SharedFile;
  readonly stores: readonly {
    readonly store: TeamStore;
    readonly role: Role;
    readonly draft: string;
  }[];
}

const byName = (stores: OwnFile["stores"]): OwnFile["stores"] =>
  stores.toSorted((a, b) => a.store.name.localeCompare(b.store.name));

async function toOwnFiles(
  { stores, people }: Team,
  files: readonly SharedFile[],
  request: FastifyRequest,
): Promise<readonly OwnFile[]> {
  const { person } = signedInOf(request);
  const own = new Map<number, { readonly store: TeamStore; readonly role: Role }>();
  for (const store of await stores.list()) {
    const role = await people.roleIn(person.id, store.id);
    if (role !== undefined) own.set(store.id, { store, role });
  }
  return files.map((file) => ({
    file,
    stores: file.drafts.flatMap(({ store, draft }) => {
      const found = own.get(store);
      return found === undefined ? [] : [{ ...found, draft }];
    }),
  }));
}

async function listFiles(
  team: Team,
  request: FastifyRequest,
): Promise<readonly SharedFileSummary[]> {
  const { person } = signedInOf(request);
  const ids: number[] = [];
  for (const { id } of await team.stores.list()) {
    if ((await team.people.roleIn(person.id, id)) !== undefined) ids.push(id);
  }
  const files = await team.sharedFiles.list(ids, MAX_LISTED);
  const own = await toOwnFiles(team, files, request);
  const summaries = await Promise.all(own.map(({ file }) => toSummary(team, file)));
  return summaries.map((summary, at) =>
    Object.assign(summary, {
      drafts: byName(own[at]?.stores ?? []).map(({ store, draft }) => ({
        store: store.name,
        draft,
      })),
    }),
  );
}

const toSummary = async (
  { people }: Team,
  { id, name, person, createdAtMs }: SharedFile,
): Promise<Omit<SharedFileSummary, "drafts">> => ({
  id,
  name,
  by: (await people.read(person))?.name ?? "?",
  createdAt: new Date(createdAtMs).toISOString(),
});

interface OpenedFile<Store> {
  readonly file: SharedFile;
  /** By name. */
  readonly stores: readonly Store[];
}

/** How a store of a file is read, and what stands for one that cannot be asked now. */
interface Reader<Store> {
  readonly read: (entered: EnteredStore, own: OwnDraft, lang: Lang) => Promise<Store>;
  readonly toAway: (own: OwnDraft, problem: Problem) => Store;
}

const PLANS: Reader<PlannedStore> = {
  read: readPlan,
  toAway: ({ store }) => ({ store, plan: null }),
};

/** Reads the file in each store of the person; the stores stay open until it is disposed of. */
async function openFile<Store>(
  request: FastifyRequest<SharedPath>,
  { team, sites, ...failures }: SharedFileOptions,
  reader: Reader<Store>,
): Promise<OpenedFile<Store> & AsyncDisposable> {
  const lang = requestLang(request);
  const found = await team.sharedFiles.read(Number(request.params.shared));
  const [own] = found === undefined ? [] : await toOwnFiles(team, [found], request);
  if (own === undefined || own.stores.length === 0) throw unknownSharedFile();
  const entered = new AsyncDisposableStack();
  const by = makerOf(request);
  const read = async ({ store, role, draft }: OwnFile["stores"][number]): Promise<Store> => {
    const asked: OwnDraft = { store: store.name, role, draft, by };
    try {
      return await reader.read(entered.use((await sites.open(store)).enter()), asked, lang);
    } catch (error) {
      return reader.toAway(asked, describe(error, lang, failures));
    }
  };
  const stores = await Promise.all(byName(own.stores).map(read));
  return {
    file: own.file,
    stores,
    [Symbol.asyncDispose]: () => entered[Symbol.asyncDispose](),
  };
}

function toAway({ store, role, draft }: OwnDraft, problem: Problem): ReadStore {
  const view: SharedStoreView = {
    store,
    role,
    draft,
    version: 0,
    step: "away",
    stepText: null,
    errors: null,
    openNames: 0,
    sheet: null,
    problem,
    run: null,
  };
  return { store, view, seconds: null, plan: null };
}

/** Names the plans that are compared, so that it changes with any of them. */
const toKey = (stores: readonly PlannedStore[]): string =>
  createHash("sha256")
    .update(JSON.stringify(stores.map(({ store, plan }) => [store, plan?.key ?? null])))
    .digest("hex")
    .slice(0, 32);

async function readRows(
  stores: readonly PlannedStore[],
  numbers: readonly number[],
): Promise<readonly SharedRowView[]> {
  const plans = await Promise.all(
    stores.flatMap(({ plan }) => (plan === null ? [] : plan.readRows(numbers))),
  );
  return numbers.flatMap((row): readonly SharedRowView[] => {
    const found = plans.flatMap((rows) => rows.get(row) ?? []);
    const [first] = found;
    if (first === undefined) return [];
    return [
      {
        row,
        name: first.name,
        code: found.find(({ code }) => code !== null)?.code ?? null,
        title: found.find(({ title }) => title !== null)?.title ?? null,
        stores: found.map(({ cell }) => cell),
      },
    ];
  });
}

const notAnEditor = (store: string): RequestError =>
  new RequestError(403, "E_ROLE", {
    tr: `${store} mağazasında dosya yüklemeye yetkiniz yok. Gerekiyorsa yöneticinizden isteyin.`,
    en: `Your role in the store ${store} does not allow uploads. Ask your administrator if you need it.`,
  });

const noOtherStore = (): RequestError =>
  new RequestError(400, "E_SHARED_FILE_STORES", {
    tr: "Başka bir mağaza seçin.",
    en: "Choose another store.",
  });

const notShareable = (): RequestError =>
  new RequestError(409, "E_NOT_SHAREABLE", {
    tr: "Bu taslak başka mağazalara konamaz; dosyayı yeniden yükleyip mağazaları seçin.",
    en: "This draft cannot be taken to other stores; upload the file again and choose the stores.",
  });
