/**
 * The columns of shipping: templates, companies, addresses, cities, and prices for packages. No
 * header is one of a product file.
 */

import type { StoreAddress } from "@catalog/connection";
import type { DataOf, ShippingTemplate } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";
import type { PriceUnit } from "@catalog/runs";

import { formatTimestamp, readTimestamp } from "../timestamps.ts";
import { amountUnitColumn, toAmountCell } from "./amount-columns.ts";
import { fieldOf, type OutColumn, toAmount, toCell } from "./out-column.ts";

const column = <Item>(
  key: string,
  [tr, en]: readonly [tr: string, en: string],
  cell: OutColumn<Item>["cell"],
): OutColumn<Item> => ({ key, header: { tr, en }, cell });

/** An id that a template names, and what it is called. */
interface Reference {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The form of an id in the specification, or the code of a city. */
const ID = /^(?:[0-9a-f]{24}|\d{1,10})$/iu;

/** An element of a list, or an address, whose form the specification does not show. */
export function toReference(value: unknown): Reference {
  if (typeof value === "string" || typeof value === "number") {
    const text = String(value).trim();
    return ID.test(text) ? { id: text, name: undefined } : { id: undefined, name: text };
  }
  const text = (...names: readonly string[]): string | undefined => {
    const texts = names.map((name) => fieldOf(value, name));
    const found = texts.find((each) => typeof each === "string" || typeof each === "number");
    return found === undefined ? undefined : String(found);
  };
  return { id: text("id", "_id"), name: text("name", "title", "address_title", "full_address") };
}

/** What ids of a template are called, by the marketplace's lists. */
export interface TemplateNames {
  readonly companies: ReadonlyMap<string, string>;
  readonly addresses: ReadonlyMap<string, string>;
  readonly cities: ReadonlyMap<string, string>;
}

type NameKind = keyof TemplateNames;

type ReferenceField =
  | "sender_address"
  | "return_address"
  | "shipping_companies"
  | "return_companies"
  | "suitable_cities";

/** The fields of a template that name something by id, and the list that it is in. */
export const REFERENCE_FIELDS: ReadonlyMap<ReferenceField, NameKind> = new Map([
  ["sender_address", "addresses"],
  ["return_address", "addresses"],
  ["shipping_companies", "companies"],
  ["return_companies", "companies"],
  ["suitable_cities", "cities"],
]);

/** What a field of a template names, one by one. */
export function listReferences(
  template: ShippingTemplate,
  field: ReferenceField,
): readonly Reference[] {
  const value: unknown = template[field];
  if (value === null || value === undefined || value === "") return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => toReference(each));
}

type TemplateColumn = OutColumn<ShippingTemplate>;

/** Stands between the entries of a cell. */
const SEPARATOR = "; ";

const NAMES_HELP: Localized = {
  tr: "Birkaç ad noktalı virgülle ayrılır. Kimlikleri yanındaki sütundadır.",
  en: "Several names are separated by semicolons. Their ids are in a column of their own.",
};

function join(texts: readonly (string | undefined)[]): string | null {
  const found = texts.filter((text) => text !== undefined && text !== "");
  return found.length === 0 ? null : found.join(SEPARATOR);
}

/** The columns of one field: names, then ids. */
const referenceColumns = (
  field: ReferenceField,
  idKey: string,
  {
    names,
    header,
    ids,
  }: {
    readonly names: TemplateNames;
    readonly header: readonly [tr: string, en: string];
    readonly ids: readonly [tr: string, en: string];
  },
): readonly TemplateColumn[] => {
  const known = names[REFERENCE_FIELDS.get(field) ?? "companies"];
  return [
    {
      ...column<ShippingTemplate>(field, header, (template) =>
        join(
          listReferences(template, field).map(({ id, name }) => name ?? known.get(id ?? "") ?? id),
        ),
      ),
      help: NAMES_HELP,
    },
    {
      ...column<ShippingTemplate>(idKey, ids, (template) =>
        join(listReferences(template, field).map(({ id }) => id)),
      ),
      place: "last",
    },
  ];
};

const field = (
  key: keyof ShippingTemplate | "conditional_shipping" | "min_price",
  header: readonly [tr: string, en: string],
): TemplateColumn => column(key, header, (template) => toCell(fieldOf(template, key)));

/** Every field that creates a template, under its own name, with the words that people know. */
export const createTemplateColumns = (names: TemplateNames): readonly TemplateColumn[] => [
  {
    ...column<ShippingTemplate>(
      "shipping_template_id",
      ["Şablon ID", "Template ID"],
      ({ id }) => id,
    ),
    place: "last",
    help: {
      tr: "Şablonu tanıtır; boş bırakılan satır yeni bir şablondur.",
      en: "Says which template it is; a row without it is a new template.",
    },
  },
  { ...field("template_name", ["Şablon Adı", "Template Name"]), place: "first" },
  field("free_shipping", ["Ücretsiz Kargo", "Free Shipping"]),
  field("shipping_note", ["Kargo Notu", "Shipping Note"]),
  {
    ...field("shipping_time", ["Kargoya Verme Süresi", "Shipping Time"]),
    kind: "integer",
    help: {
      tr: "Pazaryeri birimini belirtmiyor; gün olduğu varsayılır.",
      en: "The marketplace does not state its unit; days are assumed.",
    },
  },
  ...referenceColumns("sender_address", "sender_address_id", {
    names,
    header: ["Gönderim Adresi", "Sender Address"],
    ids: ["Gönderim Adresi ID", "Sender Address ID"],
  }),
  field("common_address", ["İade Adresi Aynı", "Same Return Address"]),
  ...referenceColumns("return_address", "return_address_id", {
    names,
    header: ["İade Adresi", "Return Address"],
    ids: ["İade Adresi ID", "Return Address ID"],
  }),
  field("all_country", ["Bütün Şehirlere", "All Cities"]),
  ...referenceColumns("suitable_cities", "suitable_city_ids", {
    names,
    header: ["Gönderilen Şehirler", "Suitable Cities"],
    ids: ["Gönderilen Şehir ID", "Suitable City IDs"],
  }),
  field("use_contractred_company", ["Anlaşmalı Firmayla", "Contracted Company"]),
  ...referenceColumns("shipping_companies", "shipping_company_ids", {
    names,
    header: ["Kargo Firmaları", "Shipping Companies"],
    ids: ["Kargo Firması ID", "Shipping Company IDs"],
  }),
  ...referenceColumns("return_companies", "return_company_ids", {
    names,
    header: ["İade Firmaları", "Return Companies"],
    ids: ["İade Firması ID", "Return Company IDs"],
  }),
  field("conditional_shipping", ["Koşullu Kargo", "Conditional Shipping"]),
  {
    ...column<ShippingTemplate>(
      "min_price",
      ["Koşullu Kargo Alt Tutarı", "Conditional Minimum"],
      (template) => toAmount(fieldOf(template, "min_price")),
    ),
    kind: "number",
    help: {
      tr: "Pazaryeri birimini belirtmiyor; geldiği gibi yazılır, yazıldığı gibi gönderilir.",
      en: "The marketplace does not state its unit: it is written as it came, and sent as it is written.",
    },
  },
  field("shipping_with_together", ["Birlikte Gönderim", "Shipping Together"]),
  {
    ...column<ShippingTemplate>(
      "created_at",
      ["Şablon Tarihi", "Template Created"],
      ({ created_at }, style) =>
        typeof created_at === "string" || typeof created_at === "number"
          ? formatTimestamp(created_at, style.moments)
          : null,
    ),
    kind: "moment",
    isReadOnly: true,
  },
];

/** Time at which a template was made. */
export const templateTime = ({ created_at: at }: ShippingTemplate): number | undefined =>
  typeof at === "string" || typeof at === "number" ? readTimestamp(at) : undefined;

type Company = DataOf<"shipping.companies">[number];

export const COMPANY_COLUMNS: readonly OutColumn<Company>[] = [
  {
    ...column<Company>("company", ["Kargo Firması", "Shipping Company"], ({ name }) => name),
    place: "first",
  },
  column("contracted", ["Pazaryeriyle Anlaşmalı", "Contracted"], (company) =>
    toCell(company.has_contract_with_platform),
  ),
  {
    ...column<Company>("company_id", ["Kargo Firması ID", "Shipping Company ID"], ({ id }) => id),
    place: "last",
  },
];

const ADDRESS_ID: OutColumn<StoreAddress> = {
  ...column<StoreAddress>("address_id", ["Adres ID", "Address ID"], ({ id }) => toCell(id)),
  place: "last",
};

const ADDRESS_NAME: OutColumn<StoreAddress> = {
  ...column<StoreAddress>("address_name", ["Adres Adı", "Address Name"], ({ name }) =>
    toCell(name),
  ),
  place: "first",
};

/** Columns of all that addresses may have; most of their names come from the marketplace. */
const MAX_ADDRESS_COLUMNS = 60;

/** A column for each field that an address has, in the order in which they come. */
export function createAddressColumns(
  addresses: readonly StoreAddress[],
): readonly OutColumn<StoreAddress>[] {
  const paths = new Set(addresses.flatMap(({ fields }) => fields.map(([path]) => path)));
  const shown = [...paths].filter((path) => !/^(?:_?id|title|value)$/iu.test(path));
  const columns = shown.slice(0, MAX_ADDRESS_COLUMNS).map((path): OutColumn<StoreAddress> => ({
    key: `address.${path}`,
    // A bare name, such as "title", would be that of a column of products.
    header: { tr: `Mağaza Adresi: ${path}`, en: `Store Address: ${path}` },
    cell: ({ fields }) => fields.find(([name]) => name === path)?.[1] ?? null,
  }));
  return [ADDRESS_NAME, ...columns, ADDRESS_ID];
}

/** A district of a city, or a city without districts. */
export interface ListedDistrict {
  readonly city: Reference;
  readonly district: Reference | undefined;
}

export const CITY_COLUMNS: readonly OutColumn<ListedDistrict>[] = [
  column("city", ["Şehir", "City"], ({ city }) => toCell(city.name)),
  column("district", ["İlçe", "District"], ({ district }) => toCell(district?.name)),
  {
    ...column<ListedDistrict>("city_id", ["Şehir ID", "City ID"], ({ city }) => toCell(city.id)),
    place: "last",
  },
  {
    ...column<ListedDistrict>("district_id", ["İlçe ID", "District ID"], ({ district }) =>
      toCell(district?.id),
    ),
    place: "last",
  },
];

/** What the contracted companies ask for one package. */
export interface ListedPrices {
  readonly packageId: string;
  readonly prices: DataOf<"shipping.prices">;
  /** What the marketplace said where it gave no prices. */
  readonly problem?: Localized | undefined;
}

type PriceEntry = ListedPrices["prices"][number];

/** The lowest price; `undefined` without prices. */
export const cheapestOf = (prices: readonly PriceEntry[]): PriceEntry | undefined =>
  prices.toSorted((a, b) => a.price - b.price)[0];

const MAX_NAME_CHARS = 60;

/** A name of the marketplace as a part of a header. */
const toHeaderName = (name: string): string =>
  name
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_CHARS)
    .toWellFormed();

/** Companies with columns of their own; those after them have none. */
const MAX_PRICED_COMPANIES = 100;

/** A row for each package, with a column for each company that gave a price. */
export function createPriceColumns(
  companies: readonly Pick<PriceEntry, "id" | "name">[],
  unit: PriceUnit,
): readonly OutColumn<ListedPrices>[] {
  const kind = unit === "unknown" ? "number" : "price";
  const price = (value: number | undefined): ReturnType<typeof toAmountCell> =>
    value === undefined ? null : toAmountCell(value, unit);
  return [
    {
      ...column<ListedPrices>(
        "package_id",
        ["Paket ID", "Package ID"],
        ({ packageId }) => packageId,
      ),
      place: "first",
    },
    column(
      "cheapest_company",
      ["En Ucuz Kargo Firması", "Cheapest Shipping Company"],
      ({ prices }) => toCell(cheapestOf(prices)?.name),
    ),
    {
      ...column<ListedPrices>(
        "cheapest_price",
        ["En Düşük Kargo Ücreti", "Cheapest Shipping Price"],
        ({ prices }) => price(cheapestOf(prices)?.price),
      ),
      kind,
    },
    ...companies.slice(0, MAX_PRICED_COMPANIES).map(({ id, name }): OutColumn<ListedPrices> => ({
      key: `price.${id}`,
      header: {
        tr: `Kargo Teklifi: ${toHeaderName(name)}`,
        en: `Shipping Offer: ${toHeaderName(name)}`,
      },
      kind,
      cell: ({ prices }) => price(prices.find((each) => each.id === id)?.price),
    })),
    amountUnitColumn<ListedPrices>(unit),
    column("problem", ["Kargo Sorunu", "Shipping Problem"], ({ problem }, { lang }) =>
      problem === undefined ? null : problem[lang],
    ),
  ];
}
