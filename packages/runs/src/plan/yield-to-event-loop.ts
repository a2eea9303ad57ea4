/** Gives way to what waits for this process: answers, signals, the clock of a progress line. */

/** Resolves when the others have had their turn. */
export type Turn = () => Promise<void>;

/** All that has come in by now is handled before the loop comes round. */
export const nextLoop: Turn = () => new Promise((resolve) => setImmediate(resolve));
