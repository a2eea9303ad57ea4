import { type RefObject, useEffect, useRef } from "react";

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const buttonsOf = (group: HTMLElement): readonly HTMLElement[] => [
  ...group.querySelectorAll<HTMLElement>("button:not([disabled])"),
];

/**
 * Makes the buttons of a group one stop of the Tab key; the arrow keys go from one to the next.
 * The stop is the button that had the focus last, or else the one that is pressed.
 */
export const useOneStop = (): RefObject<HTMLDivElement | null> => {
  const group = useRef<HTMLDivElement>(null);
  const last = useRef<HTMLElement | null>(null);
  const mark = (): void => {
    if (group.current === null) return;
    const buttons = buttonsOf(group.current);
    const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true");
    const stop = buttons.find((button) => button === last.current) ?? pressed ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  // Any change may add a button or disable the stop.
  useEffect(mark);
  useEffect(() => {
    const { current } = group;
    if (current === null) return undefined;
    const onFocus = ({ target }: FocusEvent): void => {
      last.current = target instanceof HTMLElement ? target : null;
      mark();
    };
    const onKey = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const buttons = buttonsOf(current);
      const at = buttons.findIndex((button) => button === event.target);
      if (at < 0) return;
      event.preventDefault();
      buttons.at((at + step) % buttons.length)?.focus();
    };
    current.addEventListener("focusin", onFocus);
    current.addEventListener("keydown", onKey);
    return () => {
      current.removeEventListener("focusin", onFocus);
      current.removeEventListener("keydown", onKey);
    };
  });
  return group;
};
