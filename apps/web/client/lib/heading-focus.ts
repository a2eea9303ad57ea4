/** Moves the focus to the heading of what is shown, so that the keyboard goes on from there. */

import { useEffect, useRef } from "react";

const focusHeading = (main: HTMLElement): void => {
  const heading = main.querySelector("h1");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus();
};

/** Whether no control has the focus, as the one that had it is gone. */
const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const findMain = (): HTMLElement | null => document.querySelector("main");

/**
 * After each change of the address the focus is on the heading of the new screen, also where it
 * takes a while and replaces a heading that was there first. A person who goes on ends the wait.
 */
export const useHeadingFocus = (path: string): void => {
  const shown = useRef(path);
  useEffect(() => {
    const main = findMain();
    if (shown.current === path || main === null) return undefined;
    shown.current = path;
    focusHeading(main);
    const observer = new MutationObserver(() => {
      if (isFocusLost()) focusHeading(main);
    });
    observer.observe(main, { childList: true, subtree: true });
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.matches("main h1")) return;
      end();
    };
    const end = (): void => {
      observer.disconnect();
      removeEventListener("focusin", onFocus);
      removeEventListener("pointerdown", end);
    };
    addEventListener("focusin", onFocus);
    addEventListener("pointerdown", end);
    return end;
  }, [path]);
};

/** As {@link useHeadingFocus} within a screen: where its state takes the focused control away. */
export const useFocusAfter = (state: string): void => {
  const shown = useRef(state);
  useEffect(() => {
    const main = findMain();
    if (shown.current === state || main === null) return;
    shown.current = state;
    if (isFocusLost()) focusHeading(main);
  }, [state]);
};
