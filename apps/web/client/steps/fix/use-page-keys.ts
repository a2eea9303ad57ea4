import { useEffect } from "react";

export interface PageKeys {
  readonly jump: (step: 1 | -1) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly find: () => void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, [role=dialog]") !== null;

const actionOf = (event: KeyboardEvent, keys: PageKeys): (() => void) | null => {
  if (event.key === "F8") return () => keys.jump(event.shiftKey ? -1 : 1);
  if (!event.ctrlKey && !event.metaKey) return null;
  const key = event.key.toLowerCase();
  if (key === "f") return keys.find;
  // What is being typed has an undo of its own.
  if (isTyping(event.target)) return null;
  if (key === "z") return event.shiftKey ? keys.redo : keys.undo;
  return key === "y" ? keys.redo : null;
};

/** Keys that work anywhere in the step of correcting. */
export const usePageKeys = (keys: PageKeys): void => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = actionOf(event, keys);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
};
