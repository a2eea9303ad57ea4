import { useEffect, useRef, useState } from "react";

/** A text that changes at most once in a while, so that a screen reader is not flooded. */
export const useThrottled = (text: string, everyMs: number): string => {
  const [shown, setShown] = useState(text);
  const changedAt = useRef(0);
  useEffect(() => {
    if (text === shown) return undefined;
    const passedMs = performance.now() - changedAt.current;
    const timer = setTimeout(
      () => {
        changedAt.current = performance.now();
        setShown(text);
      },
      Math.max(0, everyMs - passedMs),
    );
    return () => clearTimeout(timer);
  }, [text, shown, everyMs]);
  return shown;
};
