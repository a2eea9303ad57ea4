import { type RefObject, useEffect, useRef } from "react";

interface Controls {
  /** Each kind of control is a stop of its own. */
  readonly selectors: readonly string[];
  /** How far each key goes. */
  readonly steps: Readonly<Record<string, number>>;
}

const CONTROLS = {
  buttons: { selectors: ["button:not([disabled])"], steps: { ArrowLeft: -1, ArrowRight: 1 } },
  boxes: { selectors: ["input:not([disabled])", "summary"], steps: { ArrowUp: -1, ArrowDown: 1 } },
} as const satisfies Readonly<Record<string, Controls>>;

/**
 * Makes the buttons of a group one stop of the Tab key, or the boxes and folded parts of a list, each
 * kind apart; the arrow keys go from one to the next. The stop is the one that had the focus last, or
 * else that is pressed.
 */
export const useOneStop = <Group extends HTMLElement = HTMLDivElement>(
  kind: keyof typeof CONTROLS = "buttons",
): RefObject<Group | null> => {
  const { selectors, steps }: Controls = CONTROLS[kind];
  const group = useRef<Group>(null);
  const kindsOf = (element: HTMLElement): readonly (readonly HTMLElement[])[] =>
    selectors.map((selector) => Array.from(element.querySelectorAll<HTMLElement>(selector)));
  const last = useRef(new Set<EventTarget>());
  const mark = (): void => {
    if (group.current === null) return;
    for (const buttons of kindsOf(group.current)) {
      const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true");
      const stop = buttons.find((button) => last.current.has(button)) ?? pressed ?? buttons[0];
      for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
    }
  };
  // Any change may add a button or disable the stop.
  useEffect(mark);
  useEffect(() => {
    const { current } = group;
    if (current === null) return undefined;
    const onFocus = ({ target }: FocusEvent): void => {
      const others = kindsOf(current).find((buttons) => buttons.some((one) => one === target));
      for (const other of others ?? []) last.current.delete(other);
      if (target !== null) last.current.add(target);
      mark();
    };
    const onKey = (event: KeyboardEvent): void => {
      const step = steps[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const buttons = kindsOf(current).find((each) => each.some((one) => one === event.target));
      if (buttons === undefined) return;
      const at = buttons.findIndex((button) => button === event.target);
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
