/** Every kind of entry that has an id, in the order of the help. */
export const LOOKUP_KINDS = [
  "categories",
  "brands",
  "models",
  "properties",
  "templates",
  "cities",
  "companies",
  "addresses",
  "order-statuses",
] as const;

/** A kind of entry that has an id. */
export type LookupKind = (typeof LOOKUP_KINDS)[number];

/** Whether a text names a kind. */
export function isLookupKind(text: string): text is LookupKind {
  return LOOKUP_KINDS.some((kind) => kind === text);
}
