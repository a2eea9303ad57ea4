import { useEffect, useState } from "react";

/** A value that follows once it has not changed for a while. */
export const useDebounced = <Value>(value: Value, delayMs: number): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
};
