/** Sorted lists of places, which are kept up by binary search. */

/** First index from `from` up to `to` at which the test holds; it must hold for all after that. */
export function findFirst(to: number, holds: (index: number) => boolean, from: number = 0): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Order of two places: negative where the first one comes first. */
export type ComparePlaces = (a: number, b: number) => number;

/** The order of addition. */
export const byAddition: ComparePlaces = (a, b) => a - b;

/** Inserts a place that the sorted list does not have. */
export function insertPlace(sorted: number[], place: number, compare: ComparePlaces): void {
  const last = sorted.at(-1);
  if (last === undefined || compare(last, place) < 0) sorted.push(place);
  else sorted.splice(indexOfPlace(sorted, place, compare), 0, place);
}

/** Removes a place from the sorted list that has it. */
export function removePlace(sorted: number[], place: number, compare: ComparePlaces): void {
  sorted.splice(indexOfPlace(sorted, place, compare), 1);
}

function indexOfPlace(sorted: readonly number[], place: number, compare: ComparePlaces): number {
  return findFirst(sorted.length, (index) => {
    const other = sorted[index];
    return other === undefined || compare(other, place) >= 0;
  });
}
