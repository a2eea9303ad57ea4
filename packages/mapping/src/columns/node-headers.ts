/**
 * Headers of XML and JSON, which are paths below a record: `Resimler/Resim`, `@id`, `g:price`, `../Name`
 * for a value of the node around it, `/Products/@currency` for one that the document has once.
 */

import { ADDITION_RANK, type FieldKey, type HeaderMatch, RANK } from "../fields/fields.ts";
import { headerKey, withoutParents } from "../text-keys.ts";

/** Finds the meaning of a name that is no path. */
type FindName = (name: string) => HeaderMatch | undefined;

const AROUND = /^(?:\.\.\/)+(?<name>[^/\s][^/]*)$/u;
const ONCE = /^\/(?:\S*[/.])?@?(?<name>[^/.@\s]+)$/u;
const ATTRIBUTE = /^@(?<name>[^@/]+)$/u;
const GOOGLE = /^g:(?<name>[a-z_0-9]+)$/u;
const IN_LIST = /^(?<list>[^\s/.@:]+)[/.](?<name>[^\s/.@:]+)$/u;

/** Names that the feeds of Google give another meaning than the header of a sheet has. */
const GOOGLE_FIELDS: ReadonlyMap<string, FieldKey> = new Map<string, FieldKey>([
  ["id", "product_code"],
  ["image_link", "image_1"],
  ["additional_image_link", "images"],
]);

/**
 * The meaning of a header that is a path; `undefined` for any other. The value of a record comes
 * before that of the node around it. What a document has once belongs to no record, so that only
 * its currency may matter.
 */
export function matchNodeHeader(header: string, find: FindName): HeaderMatch | undefined {
  const own = withoutParents(header);
  const list = own === undefined ? undefined : matchList(own, find);
  if (list !== undefined) return lower(list, 2 * ADDITION_RANK);
  const around = nameIn(AROUND, header);
  if (around !== undefined) {
    return lower(matchNodeHeader(around, find) ?? find(around), 2 * ADDITION_RANK) ?? NOTHING;
  }
  const attribute = nameIn(ATTRIBUTE, header);
  if (attribute !== undefined) return lower(withoutId(find(attribute)), ADDITION_RANK) ?? NOTHING;
  const once = nameIn(ONCE, header);
  if (once !== undefined) {
    const found = find(once);
    return isField(found, "currency") ? lower(found, 3 * ADDITION_RANK) : NOTHING;
  }
  return matchGoogle(header, find) ?? matchList(header, find);
}

const nameIn = (pattern: RegExp, header: string): string | undefined =>
  pattern.exec(header)?.groups?.["name"];

/** The program that wrote the document numbers its nodes; the marketplace's ids are others. */
const withoutId = (match: HeaderMatch | undefined): HeaderMatch | undefined =>
  isField(match, "product_id") ? undefined : match;

const NOTHING: HeaderMatch = { target: { kind: "unknown" }, rank: RANK.alias };

const isField = (match: HeaderMatch | undefined, field: FieldKey): boolean =>
  match?.target.kind === "field" && match.target.field === field;

const lower = (match: HeaderMatch | undefined, by: number): HeaderMatch | undefined =>
  match && { ...match, rank: match.rank + by, isOwn: false };

function matchGoogle(header: string, find: FindName): HeaderMatch | undefined {
  const name = nameIn(GOOGLE, header);
  if (name === undefined) return undefined;
  const field = GOOGLE_FIELDS.get(name);
  if (field === undefined) return find(name);
  const target = { kind: "field", field } as const;
  if (field !== "product_code") return { target, rank: RANK.alias };
  // The shop's own id of the item: the stock code in most feeds, a number of the shop in others.
  const unknown = { kind: "unknown", suggestion: field } as const;
  return { target: unknown, rank: RANK.alias, doubt: { kind: "uncertain", target } };
}

/** A list of images is a node in a node, both of which are named so. */
function matchList(header: string, find: FindName): HeaderMatch | undefined {
  const { list = "", name = "" } = IN_LIST.exec(header)?.groups ?? {};
  if (name === "" || !IMAGE_NAMES.has(headerKey(list)) || !IMAGE_NAMES.has(headerKey(name))) {
    return undefined;
  }
  return lower(find("images"), ADDITION_RANK);
}

const IMAGE_NAMES: ReadonlySet<string> = new Set(
  (
    "resim resimler urunresimleri resimlinki gorsel gorseller foto fotograf fotograflar image images " +
    "img imgs picture pictures photo photos url imageurl imageurls imagelink src"
  ).split(" "),
);

/** Names of the nodes in a product that are its variants. */
const VARIANT =
  /var[iy]|secenek|option|subproduct|alt_?urun|combination|kombinasyon|sku|child|beden|stoklar?$|stocks?$/u;

/** Whether a path is that of variants, by the last names in it. */
export const isVariantPath = (path: readonly string[]): boolean =>
  path.slice(-2).some((name) => VARIANT.test(headerKey(name)));
