/**
 * Work that may have to wait for a list, once, and then never again: it is written as steps, and a
 * row that finds all its lists at hand is done in one go.
 */

/** A value that is there, or is on its way. */
export type Soon<T> = T | Promise<T>;

/** Work that stops at each promise that it has to wait for. */
export type Steps<T> = Generator<Promise<void>, T, void>;

/** The value, waited for where it is not there yet. */
export function* waitFor<T>(soon: Soon<T>): Steps<T> {
  if (!(soon instanceof Promise)) return soon;
  const arrived: T[] = [];
  yield soon.then((value) => void arrived.push(value));
  const [value] = arrived;
  if (value === undefined) throw new Error("steps go on before what they wait for has arrived");
  return value;
}

/** Does all the steps, at once unless one of them has to wait. Rejects when what it waits for does. */
export function finishSteps<T>(steps: Steps<T>): Soon<T> {
  const step = steps.next();
  return step.done === true ? step.value : finishLater(steps, step.value);
}

async function finishLater<T>(steps: Steps<T>, first: Promise<void>): Promise<T> {
  let waiting = first;
  for (;;) {
    await waiting;
    const step = steps.next();
    if (step.done === true) return step.value;
    waiting = step.value;
  }
}
