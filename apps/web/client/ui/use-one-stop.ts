import { type RefObject, useEffect, useRef } from "react";

interface Controls {
  readonly selector: string;
  /** How far each key goes. */
  readonly steps: Readonly<Record<string, number>>;
}

const CONTROLS = {
  buttons: { selector: "button:not([disabled])", steps: { ArrowLeft: -1, ArrowRight: 1 } },
  boxes: { selector: "input:not([disabled]), summary", steps: { ArrowUp: -1, ArrowDown: 1 } },
} as const satisfies Readonly<Record<string, Controls>>;

/**
 * Makes the buttons of a group one stop of the Tab key, or the boxes and folded parts of a list; the
 * arrow keys go from one to the next. The stop is the one that had the focus last, or else that is pressed.
 */
export const useOneStop = <Group extends HTMLElement = HTMLDivElement>(
  kind: keyof typeof CONTROLS = "buttons",
): RefObject<Group | null> => {
  const { selector, steps }: Controls = CONTROLS[kind];
  const group = useRef<Group>(null);
  const buttonsOf = (element: HTMLElement): readonly HTMLElement[] => [
    ...element.querySelectorAll<HTMLElement>(selector),
  ];
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
      const step = steps[event.key];
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
