import { useCallback, useState } from "react";

export interface Action<Arguments extends readonly unknown[]> {
  readonly run: (...args: Arguments) => void;
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly clear: () => void;
}

/** A step that takes a while: whether it runs, and why it failed last. */
export const useAction = <Arguments extends readonly unknown[]>(
  act: (...args: Arguments) => Promise<void>,
): Action<Arguments> => {
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const run = (...args: Arguments): void => {
    setIsRunning(true);
    setError(null);
    act(...args)
      .catch((failure: unknown) => {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
      })
      .finally(() => setIsRunning(false));
  };
  const clear = useCallback(() => setError(null), []);
  return { run, isRunning, error, clear };
};
