/** The client: one method per row of the endpoint table. */

import {
  type Endpoint,
  endpointNamed,
  type EndpointName,
  type Endpoints,
  endpoints,
  type InputOf,
  type Page,
  type PagedEndpoint,
  rawEndpoint,
  rawListing,
  type PageQuery,
} from "@catalog/contract";

import { type Caller, type CallOptions, createCaller } from "./call.ts";
import type { ConcurrencyLimits } from "./concurrency.ts";
import { SettingsError } from "./errors.ts";
import type { Target } from "./http/request.ts";
import { createTransport } from "./http/transport.ts";
import { type ListingEnd, type PagePosition, readItems, readPages } from "./paging.ts";
import { type ClientOptions, resolveOptions, type ResolvedClientOptions } from "./settings.ts";

/** Options of reading a listing. */
export interface PagesOptions extends Pick<CallOptions, "signal"> {
  /** Called at the end of the listing; not where the reading fails or the caller ends it. */
  readonly onEnd?: ((end: ListingEnd) => void) | undefined;
}

/** Calls one endpoint. Rejects with a `ClientError`, or with the reason of an aborted signal. */
export type Method<Input, Data> = (input: Input, options?: CallOptions) => Promise<Data>;

/**
 * A listing: one page when called directly; all pages from the one that `input` names, through
 * `pages` and `items`.
 */
export interface PagedMethod<Input, Item, OnePage = Page<Item>> extends Method<Input, OnePage> {
  /**
   * Reads page by page, as large as the specification allows unless `input` has a `limit`. Where it
   * states no maximum (section Limits: the comments on a product), pages have the default size.
   * Pages that the total of the first one promises are asked for side by side.
   */
  pages(input: Input, options?: PagesOptions): AsyncIterable<OnePage & PagePosition>;
  /** Reads element by element. */
  items(input: Input, options?: PagesOptions): AsyncIterable<Item>;
}

/** The method that belongs to a row of the endpoint table. */
export type MethodOf<Row> =
  Row extends PagedEndpoint<infer Input, infer Item>
    ? Row extends Endpoint<Input, infer OnePage>
      ? PagedMethod<Input, Item, OnePage>
      : never
    : Row extends Endpoint<infer Input, infer Data>
      ? Method<Input, Data>
      : never;

/** A method for each row of the endpoint table, by resource and name. */
export type Methods<Table> = {
  readonly [Resource in keyof Table]: {
    readonly [Name in keyof Table[Resource]]: MethodOf<Table[Resource][Name]>;
  };
};

/**
 * Calls the marketplace. Calls that only read are retried after transient failures. Calls that
 * change something are never retried, except that an update is sent again once after its token was
 * refused.
 */
export type Client = Methods<Omit<Endpoints, "token">> &
  AsyncDisposable & {
    /** Waits for the requests under way, then closes all connections. Later calls reject. */
    close(): Promise<void>;
    /** Makes sure that there is a token, so that wrong credentials fail early. */
    login(options?: CallOptions): Promise<void>;
    /** Forgets the token that is kept, for this process and for others. Makes no call. */
    logout(): Promise<void>;
    /** Maximum numbers of concurrent calls at present. */
    limits(): ConcurrencyLimits;
    /**
     * Makes the call of this name once, and returns the `data` of its answer as the marketplace sent
     * it, whether or not it fits the contract. The input is checked as that of the call's method.
     * `token.create` takes no input: it sends the client's own key and secret, and its token is kept
     * nowhere.
     */
    raw(name: EndpointName, input: unknown, options?: CallOptions): Promise<unknown>;
    /**
     * Reads a paged listing element by element, each as the marketplace sent it; pages as
     * {@link PagedMethod.pages}. Throws a `SettingsError` for a call that has no pages.
     */
    rawItems(name: EndpointName, input: PageQuery, options?: PagesOptions): AsyncIterable<unknown>;
  };

/** Makes a client with its own connections. Throws a `SettingsError`; sends nothing yet. */
export function createClient(options: ClientOptions): Client {
  const resolved = resolveOptions(options);
  const transport = createTransport(resolved);
  const closing = new AbortController();
  const caller = createCaller(resolved, transport, closing.signal);
  const { token: _token, ...table } = endpoints;
  const close = async (): Promise<void> => {
    closing.abort(new SettingsError("The client is closed."));
    await transport.close();
  };
  return {
    ...createMethods(table, caller),
    login: (callOptions) => caller.login(callOptions),
    logout: () => caller.logout(),
    limits: () => caller.limits(),
    raw: (name, input, callOptions) =>
      caller.call(toRawTarget(name), name === "token.create" ? secretsOf(resolved) : input, {
        retries: retriesOf(name),
        ...callOptions,
      }),
    rawItems: (name, input, pagesOptions) => readItems(rawPages(name, caller)(input, pagesOptions)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Makes the methods of any table of endpoints; the return type follows from the table. */
export function createMethods<Table extends object>(
  table: Table,
  caller: Pick<Caller, "call" | "limits" | "totalsOf">,
): Methods<Table> {
  const entries = Object.entries(table).map(([resource, rows]: [string, object]) => {
    const methods = Object.entries(rows).map(([method, endpoint]: [string, Target["endpoint"]]) => {
      const target: Target = { resource, name: `${resource}.${method}`, endpoint };
      return [method, createMethod(target, caller)];
    });
    return [resource, Object.fromEntries(methods)];
  });
  return Object.fromEntries(entries);
}

function createMethod(
  target: Target,
  caller: Pick<Caller, "call" | "limits" | "totalsOf">,
): Method<unknown, unknown> {
  const { resource, name, endpoint } = target;
  if (!isPaged(endpoint)) return (input, options) => caller.call(target, input, options);

  const row: PagedTarget = { resource, name, endpoint };
  const method = (input: unknown, options?: CallOptions): Promise<Page<unknown>> =>
    caller.call(row, input, options);
  const pages = createPages(row, caller);
  const items = (input: PageQuery, options?: PagesOptions): AsyncIterable<unknown> =>
    readItems(pages(input, options));
  return Object.assign(method, { pages, items });
}

interface PagedTarget extends Target<Page<unknown>> {
  readonly endpoint: PagedEndpoint<PageQuery, unknown>;
}

function createPages(
  row: PagedTarget,
  caller: Pick<Caller, "call" | "limits" | "totalsOf">,
): (input: PageQuery, options?: PagesOptions) => AsyncIterable<Page<unknown> & PagePosition> {
  const { name, endpoint } = row;
  const totals = caller.totalsOf(name);
  // Pages are passed in order: while one of them is awaited or stored, others must wait at the gate.
  const width = (): number => 2 * caller.limits().reads;
  return (input, { signal, onEnd } = {}) => {
    const { paging } = endpoint;
    const fetchPage = (query: PageQuery, closing: AbortSignal): Promise<Page<unknown>> =>
      caller.call(row, query, {
        signal: signal === undefined ? closing : AbortSignal.any([signal, closing]),
      });
    return readPages(fetchPage, { name, paging, input, totals, width, onEnd });
  };
}

const toRawTarget = (name: EndpointName): Target => ({
  resource: resourceOf(name),
  name,
  endpoint: rawEndpoint(name),
});

const resourceOf = (name: EndpointName): string => name.split(".")[0] ?? "";

function rawPages(name: EndpointName, caller: Caller): ReturnType<typeof createPages> {
  const endpoint = rawListing(name);
  if (endpoint === undefined) throw new SettingsError(`${name} has no pages.`);
  return createPages({ resource: resourceOf(name), name, endpoint }, caller);
}

/** A call that changes something is made once, even if it is a login. */
const retriesOf = (name: EndpointName): number | undefined =>
  endpointNamed(name).method === "POST" ? 0 : undefined;

const secretsOf = ({
  credentials: { clientKey, clientSecret },
}: ResolvedClientOptions): InputOf<"token.create"> => ({
  client_key: clientKey,
  client_secret: clientSecret,
});

function isPaged(
  endpoint: Endpoint<unknown, unknown>,
): endpoint is PagedEndpoint<PageQuery, unknown> {
  return endpoint.paging !== undefined;
}
