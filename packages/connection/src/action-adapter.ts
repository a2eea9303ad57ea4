/**
 * Adapts the client's calls about questions, packages and shipping templates to the action port of
 * the runs package.
 */

import { ApiError, type CallOptions, type Client } from "@catalog/client";
import { type Clock, systemClock } from "@catalog/clock";
import {
  endpoints,
  type OrderPackage,
  type Question,
  readAnswer,
  type ShippingTemplate,
} from "@catalog/contract";
import {
  type ActionName,
  type ActionPort,
  ACTIONS,
  type Answer,
  type SubjectView,
} from "@catalog/runs";

import { listOrders } from "./list-orders.ts";
import { toAnswered, toFailure } from "./marketplace-adapter.ts";

/** The calls of the client that actions need. */
export interface ActionClient {
  readonly order: Pick<
    Client["order"],
    "list" | "accept" | "postpone" | "acceptReturn" | "rejectReturn"
  >;
  readonly question: Pick<Client["question"], "list" | "reply">;
  readonly shipping: Pick<Client["shipping"], "generateCode">;
  readonly shippingTemplate: Pick<Client["shippingTemplate"], "list" | "create" | "update">;
}

export interface ActionAdapterOptions {
  /** Whether the caller of a write has taken its slot of the rate limit. */
  readonly hasSlots: boolean;
  /** What earlier actions have made of fields. @default nothing is known, or remembered */
  readonly learned?: Pick<ActionPort, "learn" | "readLearned">;
  /** Remembers the marketplace's words for order statuses. @default nobody does */
  readonly onStatusWords?: (words: ReadonlyMap<string, string>) => Promise<void>;
  /** @default the system's */
  readonly clock?: Pick<Clock, "now">;
}

/** Makes one call; rejects as the client does. */
type Send = (call: unknown, options: CallOptions) => Promise<unknown>;

/** Adapts a client to the action port. */
export function createActionAdapter(
  client: ActionClient,
  { hasSlots, learned, onStatusWords, clock = systemClock }: ActionAdapterOptions,
): ActionPort {
  const sends = createSends(client);
  const readers = createReaders(client, clock);
  return {
    ...learned,
    send(action, call, { signal, beforeSend }) {
      const { name, send } = sends[action];
      const mayLeaveTwice = ACTIONS[action].isSetting === true;
      const options = {
        ...toOptions(signal),
        hasSlot: hasSlots,
        beforeSend: mayLeaveTwice ? beforeSend : createOnce(beforeSend),
      };
      return send(call, options).then(toAnswered, (error: unknown) =>
        error instanceof LeftBefore ? TOKEN_REFUSED : toFailure(name)(error),
      );
    },
    async readSubjects(kind, ids, signal) {
      if (ids.length === 0) return { views: new Map(), calls: 0 };
      const read = await readers[kind](new Set(ids), signal);
      if (kind === "package") await onStatusWords?.(listStatusWords(read.views));
      return read;
    },
  };
}

/** Thrown to keep an action from leaving again after its token was refused. */
class LeftBefore extends Error {
  override readonly name = "LeftBefore";
}

/** A refused token need not mean that nothing was carried out, so a look comes before another try. */
const TOKEN_REFUSED: Answer = {
  kind: "refused",
  status: 401,
  phase: "body",
  message: "the access token was refused",
};

function createOnce(beforeSend: () => void): () => void {
  let hasLeft = false;
  return () => {
    if (hasLeft) throw new LeftBefore("an action leaves once");
    beforeSend();
    hasLeft = true;
  };
}

/** The words of the packages' statuses; a status that is worded in two ways has the later one. */
const listStatusWords = (views: ReadonlyMap<string, SubjectView>): ReadonlyMap<string, string> =>
  new Map(
    [...views.values()].flatMap(({ fields, words }) => {
      const word = words?.["status"];
      return word === undefined ? [] : [[String(fields["status"]), word.tr] as const];
    }),
  );

function createSends(
  client: ActionClient,
): Readonly<Record<ActionName, { readonly name: string; readonly send: Send }>> {
  const { order, question, shipping, shippingTemplate } = client;
  const {
    order: orders,
    question: questions,
    shipping: codes,
    shippingTemplate: templates,
  } = endpoints;
  return {
    reply: {
      name: "question.reply",
      send: (call, how) => question.reply(questions.reply.input.parse(call), how),
    },
    accept: {
      name: "order.accept",
      send: (call, how) => order.accept(orders.accept.input.parse(call), how),
    },
    postpone: {
      name: "order.postpone",
      send: (call, how) => order.postpone(orders.postpone.input.parse(call), how),
    },
    "accept-return": {
      name: "order.acceptReturn",
      send: (call, how) => order.acceptReturn(orders.acceptReturn.input.parse(call), how),
    },
    "reject-return": {
      name: "order.rejectReturn",
      send: (call, how) => order.rejectReturn(orders.rejectReturn.input.parse(call), how),
    },
    "shipping-code": {
      name: "shipping.generateCode",
      send: (call, how) => shipping.generateCode(codes.generateCode.input.parse(call), how),
    },
    "create-template": {
      name: "shippingTemplate.create",
      send: (call, how) => shippingTemplate.create(templates.create.input.parse(call), how),
    },
    "update-template": {
      name: "shippingTemplate.update",
      send: (call, how) => shippingTemplate.update(templates.update.input.parse(call), how),
    },
  };
}

type Reader = (
  ids: ReadonlySet<string>,
  signal: AbortSignal | undefined,
) => ReturnType<ActionPort["readSubjects"]>;

function createReaders(
  client: ActionClient,
  clock: Pick<Clock, "now">,
): Readonly<Record<Parameters<ActionPort["readSubjects"]>[0], Reader>> {
  /** The days that held all packages of the last reading. */
  let days = FIRST_DAYS;
  return {
    question: (ids, signal) => readQuestions(client, ids, signal),
    template: (_, signal) => readTemplates(client, signal),
    async package(ids, signal) {
      const read = await readPackages(client, { ids, signal, days, clock });
      days = read.days;
      return read;
    },
  };
}

/** Answered questions that are read for one that is not among the unanswered; 50 to a page. */
const MAX_ANSWERED_PAGES = 100;

/** An answer that was not read, or cannot be; it is equal to no text of ours. */
const UNREAD: SubjectView = {
  fields: { answer: { isUnread: true } },
  words: { answer: { tr: "okunamayan bir yanıt", en: "an answer that cannot be read" } },
};

/**
 * The listing takes no ids (section Questions), so questions are looked for among the unanswered, then
 * among the answered, newest first. A question can pass from the one to the other meanwhile.
 */
async function readQuestions(
  { question }: ActionClient,
  ids: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): ReturnType<Reader> {
  const views = new Map<string, SubjectView>();
  let calls = 0;
  const isMissing = (): boolean => [...ids].some((id) => !views.has(id));
  const read = async (
    filter: { readonly answered: 1 } | { readonly unanswered: 1 },
    maxPages: number,
  ): Promise<boolean> => {
    let pages = 0;
    for await (const { result } of question.list.pages(filter, toOptions(signal))) {
      for (const one of result) {
        const view = toQuestionView(one);
        const isUnread = "answered" in filter && view.fields["answer"] === null;
        // A listing that ignores its filter shows open questions, too: those it has shown before.
        if (!isUnread) views.set(one.id, view);
        else if (!views.has(one.id)) views.set(one.id, UNREAD);
      }
      pages += 1;
      calls += 1;
      if (!isMissing()) return true;
      if (pages >= maxPages) return false;
    }
    return true;
  };
  await read({ unanswered: 1 }, Infinity);
  // Pages move up while our own answers leave, so that some questions are passed over, and others the
  // next time.
  if (isMissing() && calls > 1) await read({ unanswered: 1 }, Infinity);
  if (!isMissing()) return { views, calls };
  const isWhole = await read({ answered: 1 }, MAX_ANSWERED_PAGES);
  // One may have become unanswered again, or have been passed over twice.
  if (isMissing()) await read({ unanswered: 1 }, Infinity);
  if (!isWhole) {
    for (const id of ids) {
      if (!views.has(id)) views.set(id, UNREAD);
    }
  }
  return { views, calls };
}

const toQuestionView = ({ answer }: Question): SubjectView => ({
  fields: { answer: readAnswer(answer)?.message ?? null },
});

/** Periods in days, each read where the one before lacks a package. */
const PERIODS: readonly number[] = [7, 30, 90, 365];
const FIRST_DAYS = 7;

interface ReadPackages {
  readonly ids: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
  /** The shortest period to read. */
  readonly days: number;
  readonly clock: Pick<Clock, "now">;
}

/** The listing takes no ids of packages (section Orders), so longer and longer periods are read. */
async function readPackages(
  { order }: ActionClient,
  { ids, signal, days: shortest, clock }: ReadPackages,
): Promise<Awaited<ReturnType<Reader>> & { readonly days: number }> {
  const views = new Map<string, SubjectView>();
  let calls = 0;
  let read = shortest;
  const isComplete = (): boolean => [...ids].every((id) => views.has(id));
  const list = async (days: number): Promise<void> => {
    const asked = { query: { days }, options: toOptions(signal), clock };
    const counted = { ...asked, onCall: () => (calls += 1) };
    for await (const orders of listOrders(order, counted)) {
      for (const one of orders.flatMap(({ packages }) => packages)) {
        views.set(one.package_id, toPackageView(one));
      }
      if (isComplete()) break;
    }
  };
  for (const days of PERIODS.filter((each) => each >= shortest)) {
    const before = calls;
    const mayEnd = (): boolean => days > shortest && calls === before + 1;
    const failed = await list(days).catch((error: unknown) => returnTooLong(error, mayEnd()));
    if (failed instanceof ApiError) break;
    read = days;
    if (isComplete()) break;
  }
  return { views, calls, days: read };
}

/**
 * A store may refuse a period as too long (the specification states no limit). Its packages are not
 * shown then, as those of a time before the longest period.
 */
function returnTooLong(error: unknown, mayEnd: boolean): ApiError {
  const isRefused = error instanceof ApiError && !error.isLimit && error.status < 500;
  if (mayEnd && isRefused) return error;
  throw error;
}

/**
 * Which field shows the code that was made for a package is not stated; `shipping_discount_code` is
 * assumed.
 */
function toPackageView({ status, status_explained: word, shipping }: OrderPackage): SubjectView {
  const { shipping_discount_code: code, shipping_company: company } = shipping ?? {};
  return {
    fields: {
      ...(status != null && { status }),
      ...(shipping != null && { shipping_code: code ?? null, shipping_company: company ?? null }),
    },
    words: word == null || word === "" ? undefined : { status: { tr: word, en: word } },
  };
}

/** Templates are found by their id and by their name; of several with a name the newest counts. */
async function readTemplates(
  { shippingTemplate }: ActionClient,
  signal: AbortSignal | undefined,
): ReturnType<Reader> {
  const found: ShippingTemplate[] = [];
  let calls = 0;
  for await (const { result } of shippingTemplate.list.pages({}, toOptions(signal))) {
    calls += 1;
    found.push(...result);
  }
  const sorted = found.toSorted((a, b) => madeAtMs(a) - madeAtMs(b));
  const views = sorted.flatMap((template) => {
    const view = toTemplateView(template);
    return [[template.template_name, view] as const, [template.id, view] as const];
  });
  return { views: new Map(views), calls };
}

/** When a template was made, as far as the listing says so in a form that is known. */
function madeAtMs({ created_at: at }: ShippingTemplate): number {
  const ms = typeof at === "string" ? Date.parse(at) : Number(at);
  return Number.isFinite(ms) ? ms : 0;
}

/**
 * The fields that the create call takes, as far as the listing shows them. Lists are sorted, because
 * their order means nothing.
 */
export function toTemplateView(template: ShippingTemplate): SubjectView {
  const { id: _, created_at: __, ...fields } = template;
  const { sender_address, return_address } = fields;
  return {
    fields: Object.fromEntries(
      Object.entries({
        ...fields,
        sender_address: toId(sender_address),
        return_address: toId(return_address),
        shipping_companies: toIds(fields.shipping_companies),
        return_companies: toIds(fields.return_companies),
        suitable_cities: toIds(fields.suitable_cities),
      }).filter(([, value]) => value !== undefined),
    ),
  };
}

const toIds = (values: readonly unknown[] | null | undefined): unknown =>
  values?.map((value) => String(toId(value))).toSorted();

/** Addresses, companies and cities have no documented shape: an id, a name, or an object with them. */
function toId(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const fields = new Map<string, unknown>(Object.entries(value));
  const names = ["id", "_id", "name", "title"];
  return (
    names.map((name) => fields.get(name)).find((found) => found != null) ?? JSON.stringify(value)
  );
}

const toOptions = (signal: AbortSignal | undefined): CallOptions =>
  signal === undefined ? {} : { signal };
