/** Shipping templates, companies, addresses, cities, and prices for packages. */

import { ApiError } from "@catalog/client/errors";
import {
  type Connection,
  describeClientError,
  readAddresses,
  readCities,
  readCompanies,
  type StoreAddress,
} from "@catalog/connection";
import {
  type City,
  type DataOf,
  endpoints,
  idSchemas,
  MAX_PAGE_SIZE,
  type ShippingTemplate,
} from "@catalog/contract";
import type { PriceUnit } from "@catalog/runs";

import type { OutColumn } from "../columns/out-column.ts";
import {
  CITY_COLUMNS,
  COMPANY_COLUMNS,
  createAddressColumns,
  createPriceColumns,
  createTemplateColumns,
  type ListedDistrict,
  type ListedPrices,
  listReferences,
  REFERENCE_FIELDS,
  type TemplateNames,
  templateTime,
  toReference,
} from "../columns/shipping-columns.ts";
import { type ListingsEnd, readListings, type StagedItem } from "../read-listings.ts";
import {
  createListing,
  parseFilters,
  readIfGranted,
  type Source,
  type SourceContext,
} from "./source.ts";

const ALL_READ: ListingsEnd = { isStopped: false, missing: 0, isChecked: true, isConsistent: true };

/** A list that comes in one answer. */
function createListSource<Item>(
  { job }: Pick<SourceContext, "job">,
  read: () => Promise<readonly Item[]>,
  toColumns: (items: readonly Item[]) => readonly OutColumn<Item>[],
): Source<Item> {
  let items: Promise<readonly Item[]> | undefined;
  const readOnce = (): Promise<readonly Item[]> => (items ??= read());
  return {
    async read() {
      const staged = (await readOnce()).map((item, rank) => ({ id: String(rank), rank, item }));
      await job.save(staged, () => ({ lanes: {}, parts: 1 }));
      return ALL_READ;
    },
    columns: async () => toColumns(await readOnce()),
  };
}

/** A row for each shipping company. */
export const createCompanySource = (
  context: SourceContext,
): Source<DataOf<"shipping.companies">[number]> =>
  createListSource(
    context,
    () =>
      readCompanies(context.client, {
        contracted: context.filters["contracted"] === 1,
        signal: context.signal,
      }),
    () => COMPANY_COLUMNS,
  );

/** A row for each address that the store's templates use, with the fields that it has. */
export const createAddressSource = (context: SourceContext): Source<StoreAddress> =>
  createListSource(
    context,
    () => readAddresses(context.client, context.signal),
    createAddressColumns,
  );

/** A row for each district. */
export const createCitySource = (context: SourceContext): Source<ListedDistrict> =>
  createListSource(
    context,
    async () => {
      const { client, signal } = context;
      const cities = await client.city.list({}, signal === undefined ? {} : { signal });
      return cities.flatMap(toDistricts);
    },
    () => CITY_COLUMNS,
  );

function toDistricts({ districts, ...own }: City): readonly ListedDistrict[] {
  const city = toReference(own);
  if (!districts || districts.length === 0) return [{ city, district: undefined }];
  return districts.map((district) => ({ city, district: toReference(district) }));
}

/** A row for each shipping template, with what its ids are called. */
export function createTemplateSource(
  context: SourceContext,
  { memory, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
): Source<ShippingTemplate> {
  const { client, filters, job, signal } = context;
  const listing = createListing({
    name: "templates",
    pageSize: MAX_PAGE_SIZE,
    query: parseFilters(endpoints.shippingTemplate.list, filters),
    list: client.shippingTemplate.list,
    toItem: (template: ShippingTemplate): StagedItem => ({
      id: template.id,
      rank: 0,
      item: template,
    }),
    signal,
  });
  const maps = {
    companies: new Map<string, string>(),
    addresses: new Map<string, string>(),
    cities: new Map<string, string>(),
  } as const;
  const note = (kind: keyof TemplateNames, id: unknown, name: unknown): void => {
    if (typeof name === "string" && name !== "") maps[kind].set(String(id), name);
  };
  const readers: Readonly<Record<keyof TemplateNames, () => Promise<void>>> = {
    async companies() {
      const list = await readIfGranted(() => readCompanies(client, { contracted: false, signal }));
      for (const { id, name } of list ?? []) note("companies", id, name);
    },
    async addresses() {
      const list = await readIfGranted(() => readAddresses(client, signal));
      for (const { id, name } of list ?? []) note("addresses", id, name);
    },
    async cities() {
      const source = { client, cache: memory.names, baseUrl, signal };
      const list = await readIfGranted(() => readCities(source));
      for (const { id, name } of list ?? []) note("cities", id, name);
    },
  };
  return {
    async read() {
      const end = await readListings({ listings: [listing], ...context });
      if (end.isStopped) return end;
      for (const kind of await findUnnamed(job)) await readers[kind]();
      return end;
    },
    columns: async () => createTemplateColumns(maps),
    timestampOf: templateTime,
  };
}

/** The lists that are needed, as a template names something by its id alone. */
async function findUnnamed(job: SourceContext["job"]): Promise<ReadonlySet<keyof TemplateNames>> {
  const needed = new Set<keyof TemplateNames>();
  for await (const template of job.items<ShippingTemplate>({ isNotYetWritten: false })) {
    for (const [field, kind] of REFERENCE_FIELDS) {
      const isBare = listReferences(template, field).some(({ name }) => name === undefined);
      if (isBare) needed.add(kind);
    }
  }
  return needed;
}

/** Whether the marketplace refused the package, and not every call. */
const isOfOnePackage = ({ status, isLimit, isMissingRecord }: ApiError): boolean =>
  isMissingRecord || (!isLimit && [400, 409, 410, 422].includes(status));

/** Calls at a time; the client may allow fewer. */
const BATCH_PACKAGES = 8;

/** A row for each package, in the order given; each takes a call. */
export function createPriceSource(context: SourceContext, unit: PriceUnit): Source<ListedPrices> {
  const { client, filters, job, stop, signal } = context;
  const given = Array.isArray(filters["package_id"]) ? filters["package_id"].map(String) : [];
  const packages = [...new Set(given)];
  let refused = 0;
  const readOne = async (packageId: string): Promise<ListedPrices> => {
    const query = { package_id: idSchemas.package.parse(packageId) };
    try {
      const prices = await client.shipping.prices(query, signal === undefined ? {} : { signal });
      return { packageId, prices };
    } catch (error) {
      if (!(error instanceof ApiError && isOfOnePackage(error))) throw error;
      return { packageId, prices: [], problem: describeClientError(error) };
    }
  };
  return {
    needsReading: true,
    async read() {
      let done = (await job.readCheckpoint())?.parts ?? 0;
      context.onPlan(packages.length - done);
      while (done < packages.length) {
        if (stop?.aborted === true) return { ...ALL_READ, isStopped: true };
        const batch = packages.slice(done, done + BATCH_PACKAGES);
        const found = await Promise.all(batch.map((id) => readOne(id)));
        const from = done;
        done += batch.length;
        const staged = found.map((item, at) => ({ id: item.packageId, rank: from + at, item }));
        await job.save(staged, () => ({ lanes: {}, parts: done }));
        const callsLeft = packages.length - done;
        context.onPage({ items: done, expected: packages.length, callsLeft });
      }
      return ALL_READ;
    },
    async columns() {
      const companies = new Map<string, ListedPrices["prices"][number]>();
      refused = 0;
      for await (const { prices, problem } of job.items<ListedPrices>({ isNotYetWritten: false })) {
        if (problem !== undefined) refused += 1;
        for (const entry of prices) if (!companies.has(entry.id)) companies.set(entry.id, entry);
      }
      return createPriceColumns([...companies.values()], unit);
    },
    refused: () => refused,
  };
}
