/** The routes of drafts, and the names of the store that a cell may take. */

import type { Connection } from "@catalog/connection";
import { InputError, type Lang } from "@catalog/i18n";
import { findByName, type LiveDraft } from "@catalog/importer";
import type { DraftDetails, DraftEditResult, DraftRowView } from "@catalog/importer/draft-views";
import { findField } from "@catalog/mapping";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import {
  bulkBody,
  columnsBody,
  draftPeriodBody,
  type EditResult,
  type LookupView,
  MAX_CELLS_EDITED,
  planBody,
  readingBody,
  type SearchedNames,
} from "../../api/drafts.ts";
import { sendFile } from "../files.ts";
import { makerOf, needs } from "../needs.ts";
import { readNumbers, sendNumbers } from "../numbers.ts";
import { toShown } from "../plain-advice.ts";
import { readDraftPeriod } from "../runs/run-period.ts";
import { fileGone, parseInput, requestLang, type Site } from "../site.ts";
import { type Drafts, rowsOfFile, writeDraftFile } from "./drafts.ts";

const MAX_VALUES = 20;

const KINDS = {
  category: "categories",
  brand: "brands",
  brand_model: "models",
  shipping_template: "templates",
} as const;

/** A place in the table, or a field that has no column, and what was typed there. */
interface LookupQuery {
  readonly column?: number | undefined;
  readonly row?: number | undefined;
  readonly field?: string | undefined;
  readonly text: string;
}

type NameField = keyof typeof KINDS;

const isNameField = (field: string): field is NameField => Object.hasOwn(KINDS, field);

export async function findCategories(
  connection: Connection,
  text: string,
): Promise<readonly LookupView[]> {
  const sought = text.trim() === "" ? undefined : text;
  const query = { kind: "categories", text: sought, limit: MAX_VALUES } as const;
  return toValues((await findByName(connection, query)).results);
}

type LookupResults = Awaited<ReturnType<typeof findByName>>["results"];

/** A name that several entries have is told apart by the end of its id, which cells may have. */
function toValues(results: LookupResults): readonly LookupView[] {
  const twins = Map.groupBy(results, nameOf);
  return results.map((result) => {
    const name = nameOf(result);
    const isUnique = twins.get(name)?.length === 1;
    const value = isUnique ? name : `${result.name} [${result.id.slice(-4)}]`;
    return { value, label: isUnique ? name : `${name} [${result.id.slice(-4)}]` };
  });
}

const nameOf = ({ name, path }: LookupResults[number]): string => path ?? name;

const nameBrand = (
  found: readonly LookupView[],
  brand: string | undefined,
): readonly LookupView[] =>
  found.map(({ value, label }) => ({ value, label: `${brand ?? ""} › ${label}` }));

/** The words of a closed list; all of them where none has the text, so that one can be chosen. */
function findKeywords(
  words: readonly { readonly tr: string; readonly en: string; readonly also: readonly string[] }[],
  text: string,
  lang: Lang,
): readonly LookupView[] {
  const sought = foldText(text);
  const near = words.filter(({ tr, en, also }) =>
    [tr, en, ...also].some((word) => foldText(word).includes(sought)),
  );
  return (near.length === 0 ? words : near).map((word) => ({
    value: word[lang],
    label: word[lang],
  }));
}

const PROPERTY = "property:";

/**
 * Finds names by the text, or the first ones where it is empty; none where the column takes other
 * values, or where the row lacks the category or brand that the names belong to.
 */
async function findValues(
  connection: Connection,
  live: LiveDraft,
  { column, row, field: asked, text, lang }: LookupQuery & { readonly lang: Lang },
): Promise<readonly LookupView[]> {
  const { columns: view } = await live.details();
  const field = asked ?? view?.columns.find(({ index }) => index === column)?.field ?? "";
  const words = findField(field)?.keywords;
  if (words !== undefined) return findKeywords(words, text, lang);
  try {
    const scope = await readScope(live, view, row);
    return await findNames(connection, field, { ...scope, text });
  } catch (error) {
    // The category or brand of the row is missing or unknown, which the row says itself.
    if (error instanceof InputError) return [];
    throw error;
  }
}

async function findNames(
  connection: Connection,
  field: string,
  { text, ...scope }: Scope & { readonly text: string },
): Promise<readonly LookupView[]> {
  const asked = { ...scope, text: text.trim() === "" ? undefined : text, limit: MAX_VALUES };
  if (field.startsWith(PROPERTY)) {
    return await findOptions(connection, { ...asked, name: field.slice(PROPERTY.length) });
  }
  if (!isNameField(field)) return [];
  const { results } = await findByName(connection, {
    ...asked,
    kind: KINDS[field],
    areLeaves: true,
  });
  const found = toValues(results);
  return field === "brand_model" ? nameBrand(found, scope.brand) : found;
}

interface Scope {
  readonly category: string | undefined;
  readonly brand: string | undefined;
}

/** What the cells of a row are read as, by column; a remembered answer comes first. */
const readTexts = ({ cells, readAs }: DraftRowView): ReadonlyMap<number, string> =>
  new Map([
    ...cells.map((cell, column) => [column, cell.trim()] as const),
    ...readAs.map(({ column, text }) => [column, text] as const),
  ]);

async function readScope(
  live: LiveDraft,
  view: DraftDetails["columns"],
  row: number | undefined,
): Promise<Scope> {
  const [found] = row === undefined ? [] : await live.rows([row]);
  const texts = found === undefined ? new Map<number, string>() : readTexts(found);
  const read = (field: NameField): string | undefined => {
    const at = view?.columns.find((each) => each.field === field)?.index;
    return texts.get(at ?? -1) || view?.constants[field];
  };
  return { category: read("category"), brand: read("brand") };
}

async function findOptions(
  connection: Connection,
  {
    name,
    text = "",
    limit,
    ...scope
  }: Scope & {
    readonly name: string;
    readonly text: string | undefined;
    readonly limit: number;
  },
): Promise<readonly LookupView[]> {
  const query = { ...scope, kind: "properties" as const, text: name, limit: 1 };
  const { results } = await findByName(connection, query);
  const property = results.find(({ match }) => match === "exact");
  const sought = foldText(text);
  return (property?.options ?? [])
    .filter((option) => foldText(option.name).includes(sought))
    .slice(0, limit)
    .map((option) => ({ value: option.name, label: option.name }));
}

const LANG: Lang = "tr";
const foldText = (text: string): string => text.trim().toLocaleLowerCase(LANG);

/** Room for the cells that one request may change, which are short but for descriptions. */
const EDIT_BYTES = 32 * 1024 * 1024;

interface DraftPath {
  readonly Params: { readonly draft: string };
}

interface DraftFilePath {
  readonly Params: { readonly draft: string; readonly name: string };
}

/** Each change names the version of the draft that it was made of. */
const OF_VERSION = { version: z.number().int().nonnegative() };
const rowNumber = z.number().int().positive();
const columnIndex = z.number().int().nonnegative().max(16_383);

const editBody = z.object({
  ...OF_VERSION,
  edits: z
    .array(z.object({ row: rowNumber, column: columnIndex, value: z.string().max(40_000) }))
    .min(1)
    .max(MAX_CELLS_EDITED),
});

/** An empty column for a field that the file lacks. */
const addColumnBody = z.object({ ...OF_VERSION, field: z.string().max(200) });

const versionBody = z.object(OF_VERSION);

const excludeBody = z.object({
  ...OF_VERSION,
  rows: z.array(rowNumber).min(1).max(MAX_CELLS_EDITED),
  isExcluded: z.boolean(),
});

/** Answers that are given in one step. */
const namesBody = z.object({
  ...OF_VERSION,
  answers: z
    .array(
      z.object({
        field: z.string().max(200),
        value: z.string().max(10_000),
        target: z.string().min(1).max(2_000),
        /** Whether later files use the answer too; otherwise the cells of this draft are changed. */
        isRemembered: z.boolean(),
        /** Whether `target` is another category for the rows of the name; in this draft alone. */
        isCategory: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(MAX_CELLS_EDITED),
});

/** `quick`: without what the names may mean. */
const namesSchema = z.object({ quick: z.string().max(1).optional() });

/** A category of the file, and one of the store. */
const belowSchema = z.object({
  from: z.string().min(1).max(10_000),
  to: z.string().min(1).max(2_000),
});

const filterSchema = z.object({
  show: z.enum(["errors", "warnings", "edited", "excluded"]).optional(),
  code: z.string().max(100).optional(),
  text: z.string().max(1_000).optional(),
  sort: z.coerce.number().int().nonnegative().max(16_383).optional(),
  direction: z.enum(["up", "down"]).default("up"),
});

const lookupSchema = z.object({
  column: z.coerce.number().int().nonnegative().optional(),
  row: z.coerce.number().int().positive().optional(),
  field: z.string().max(200).optional(),
  text: z.string().max(1_000).default(""),
});

export function addDraftRoutes(app: FastifyInstance, site: Site, drafts: Drafts): void {
  addDraftListRoutes(app, drafts);
  addRowRoutes(app, site, drafts);
  addChangeRoutes(app, drafts);
  addNameRoutes(app, drafts);
}

type DraftStep = Parameters<LiveDraft["undo"]>[0];

const step = (request: FastifyRequest<DraftPath>, version: number): DraftStep => ({
  version,
  by: makerOf(request).name,
});

const openOf = (drafts: Drafts, request: FastifyRequest<DraftPath>): ReturnType<Drafts["open"]> =>
  drafts.open(request.params.draft, requestLang(request));

const liveOf = async (drafts: Drafts, request: FastifyRequest<DraftPath>): Promise<LiveDraft> =>
  (await openOf(drafts, request)).live;

function addDraftListRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get("/drafts", needs("viewer"), (request) => drafts.list(makerOf(request)));
  app.get<DraftPath>("/drafts/:draft", needs("viewer"), (request) =>
    drafts.view(request.params.draft, requestLang(request)),
  );
  app.delete<DraftPath>("/drafts/:draft", needs("editor"), async (request, reply) => {
    await drafts.remove(request.params.draft);
    await reply.status(204).send();
  });
  app.patch<DraftPath>("/drafts/:draft/reading", needs("editor"), (request) => {
    const { version, ...settings } = parseInput(readingBody, request.body);
    return drafts.set(request.params.draft, requestLang(request), (live) =>
      live.setReading(step(request, version), withoutMissing(settings)),
    );
  });
  app.put<DraftPath>("/drafts/:draft/columns", needs("editor"), (request) => {
    const { version, ...settings } = parseInput(columnsBody, request.body);
    return drafts.set(request.params.draft, requestLang(request), (live) =>
      live.setColumns(step(request, version), withoutMissing(settings)),
    );
  });
  app.post<DraftPath>("/drafts/:draft/plan", needs("editor"), async (request, reply) => {
    const body = parseInput(planBody, request.body);
    const view = await drafts.plan(request.params.draft, body, {
      lang: requestLang(request),
      by: makerOf(request),
    });
    await reply.status(202).send(view);
  });
}

type Given<Settings> = { readonly [Key in keyof Settings]: Exclude<Settings[Key], undefined> };

/** A setting that was not sent stays as it is, unlike one that is sent as `null`. */
const withoutMissing = <Settings extends object>(settings: Settings): Given<Settings> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined is left out
  Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as Given<Settings>;

function addRowRoutes(app: FastifyInstance, site: Site, drafts: Drafts): void {
  app.get<DraftFilePath>("/drafts/:draft/files/:name", needs("viewer"), async (request, reply) => {
    const rows = rowsOfFile(request.params.name);
    if (rows === undefined) throw fileGone();
    const live = await liveOf(drafts, request);
    const options = { rows, lang: requestLang(request) };
    return await sendFile(reply, await writeDraftFile(live, site.folder, options));
  });
  app.get<DraftPath>("/drafts/:draft/order", needs("viewer"), async (request, reply) => {
    const { sort: column, direction, ...filter } = parseInput(filterSchema, request.query);
    const sort = column === undefined ? undefined : { column, isDescending: direction === "down" };
    const live = await liveOf(drafts, request);
    return await sendNumbers(reply, await live.order({ ...filter, sort }));
  });
  app.get<DraftPath>("/drafts/:draft/rows", needs("viewer"), async (request) => {
    const numbers = readNumbers(request.query);
    const rows = await (await liveOf(drafts, request)).rows(numbers);
    return toShown(rows, requestLang(request));
  });
}

function addChangeRoutes(app: FastifyInstance, drafts: Drafts): void {
  /** Answers with every row whose cells or issues may be new. */
  const change =
    <Body extends { readonly version: number }>(
      schema: z.ZodType<Body>,
      make: (
        live: LiveDraft,
        at: DraftStep,
        given: Body & { lang: Lang },
      ) => Promise<DraftEditResult>,
    ) =>
    async (request: FastifyRequest<DraftPath>): Promise<EditResult> => {
      const body = parseInput(schema, request.body);
      const lang = requestLang(request);
      const live = await liveOf(drafts, request);
      return toShown(await make(live, step(request, body.version), { ...body, lang }), lang);
    };
  app.post<DraftPath>(
    "/drafts/:draft/edits",
    { ...needs("editor"), bodyLimit: EDIT_BYTES },
    change(editBody, (live, at, { edits }) => live.edit(at, edits)),
  );
  app.post<DraftPath>(
    "/drafts/:draft/names",
    { ...needs("editor"), bodyLimit: EDIT_BYTES },
    change(namesBody, (live, at, { answers }) => live.answerNames(at, answers)),
  );
  app.post<DraftPath>(
    "/drafts/:draft/columns",
    needs("editor"),
    change(addColumnBody, (live, at, { field, lang }) => live.addColumn(at, { field, lang })),
  );
  app.post<DraftPath>(
    "/drafts/:draft/undo",
    needs("editor"),
    change(versionBody, (live, at) => live.undo(at)),
  );
  app.post<DraftPath>(
    "/drafts/:draft/redo",
    needs("editor"),
    change(versionBody, (live, at) => live.redo(at)),
  );
  app.post<DraftPath>(
    "/drafts/:draft/exclude",
    needs("editor"),
    change(excludeBody, (live, at, { rows, isExcluded }) => live.exclude(at, { rows, isExcluded })),
  );
  app.post<DraftPath>("/drafts/:draft/period", needs("editor"), async (request) => {
    const { period } = parseInput(draftPeriodBody, request.body);
    const draft = await openOf(drafts, request);
    const { connection, live } = draft;
    const wish = readDraftPeriod(connection, period);
    await connection.memory.drafts.update(live.id, { period: wish });
    return await drafts.show(draft, requestLang(request));
  });
  app.post<DraftPath>(
    "/drafts/:draft/bulk",
    { ...needs("editor"), bodyLimit: EDIT_BYTES },
    async (request) => {
      const { version, isPreview, ...input } = parseInput(bulkBody, request.body);
      const lang = requestLang(request);
      const live = await liveOf(drafts, request);
      return isPreview
        ? toShown(await live.previewBulk(input, lang), lang)
        : toShown(await live.bulk(step(request, version), input, lang), lang);
    },
  );
}

function addNameRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get<DraftPath>("/drafts/:draft/names", needs("viewer"), async (request) => {
    const { quick } = parseInput(namesSchema, request.query);
    const names = await (await liveOf(drafts, request)).names({ isQuick: quick !== undefined });
    return toShown(names, requestLang(request));
  });
  app.post<DraftPath>("/drafts/:draft/names/search", needs("editor"), async (request) => {
    const { made, failure } = await (await liveOf(drafts, request)).searchNames();
    const searched: SearchedNames = { made, failure: failure?.[requestLang(request)] ?? null };
    return searched;
  });
  app.get<DraftPath>("/drafts/:draft/names/below", needs("viewer"), async (request) => {
    const below = parseInput(belowSchema, request.query);
    return await (await liveOf(drafts, request)).namesBelow(below);
  });
  app.get<DraftPath>("/drafts/:draft/lookup", needs("viewer"), async (request) => {
    const query = parseInput(lookupSchema, request.query);
    const { connection, live } = await openOf(drafts, request);
    return await findValues(connection, live, { ...query, lang: requestLang(request) });
  });
}
