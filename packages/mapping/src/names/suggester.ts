import { distance } from "fastest-levenshtein";
import MiniSearch from "minisearch";

import { fold } from "../fold.ts";

/** Returns the positions of at most `limit` names that a text may mean, best first. */
export type Suggester = (text: string, limit?: number) => readonly number[];

/** Maximum number of suggestions that an issue shows. */
export const MAX_SUGGESTIONS = 3;

/** Longer texts are only searched by words; distance over long names is slow and says little. */
const MAX_LENGTH_FOR_DISTANCE = 12;

/** The search takes quadratic time in the length of a word; real names are shorter. */
const MAX_SEARCHED_CHARS = 200;

const toSearched = (text: string): string => fold(text.slice(0, MAX_SEARCHED_CHARS));

/**
 * Finds names that are close to a text: first by typing errors, then by their words in any order. A
 * person chooses among the results; they are never used without asking. The search index is built
 * at the first search, since most lists are never searched.
 */
export function createSuggester(names: readonly string[]): Suggester {
  let folded: readonly string[] | undefined;
  let search: MiniSearch<{ id: number; name: string }> | undefined;

  return (text, limit = MAX_SUGGESTIONS) => {
    const wanted = toSearched(text);
    if (wanted === "") return [];
    folded ??= names.map(toSearched);
    search ??= buildSearch(folded);
    const byWords = search.search(wanted, { prefix: true, fuzzy: 0.2 });
    const ids = byWords.slice(0, limit).map((hit) => Number(hit["id"]));
    return [...new Set([...bySlips(wanted, folded).slice(0, limit), ...ids])].slice(0, limit);
  };
}

function buildSearch(names: readonly string[]): MiniSearch<{ id: number; name: string }> {
  const search = new MiniSearch<{ id: number; name: string }>({ fields: ["name"] });
  search.addAll(names.map((name, id) => ({ id, name })));
  return search;
}

function bySlips(wanted: string, names: readonly string[]): readonly number[] {
  if (wanted.length > MAX_LENGTH_FOR_DISTANCE) return [];
  const allowed = wanted.length < 4 ? 1 : 2;
  const close: { readonly id: number; readonly slips: number }[] = [];
  for (const [id, name] of names.entries()) {
    if (Math.abs(name.length - wanted.length) > allowed) continue;
    const slips = distance(wanted, name);
    if (slips <= allowed) close.push({ id, slips });
  }
  close.sort((a, b) => a.slips - b.slips || a.id - b.id);
  return close.map(({ id }) => id);
}
