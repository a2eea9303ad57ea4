/** A panel that a button opens: below it in a wide window, from the lower edge of a narrow one. */

import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import {
  Dialog as AriaDialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
  Popover,
} from "react-aria-components";

import { useMedia, WIDE } from "../grid/grid-frame.tsx";
import { usePage } from "../lib/page.tsx";
import { isFocusLost } from "../lib/route.ts";
import { Button, Icon } from "./controls.tsx";

interface DropProps {
  /** What the button says. */
  readonly label: string;
  readonly title: string;
  /** What leads back to the page from the lower edge. @default the word for closing */
  readonly done?: string | undefined;
  /** `wide` has room for fields beside each other. */
  readonly size?: "wide" | undefined;
  readonly children: (close: () => void) => ReactNode;
}

/**
 * Keeps the focus in the panel where the control that had it is gone or disabled: a panel without
 * the focus hears no Escape, and what is behind it cannot be reached.
 */
const useFocusKept = (panel: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const { current } = panel;
    if (current === null) return undefined;
    const observer = new MutationObserver(() => {
      if (isFocusLost()) current.focus();
    });
    observer.observe(current, { attributes: true, childList: true, subtree: true });
    return () => observer.disconnect();
  }, [panel]);
};

const Panel = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const panel = useRef<HTMLElement>(null);
  useFocusKept(panel);
  return (
    <AriaDialog className="dialog drop-panel" ref={panel}>
      {children}
    </AriaDialog>
  );
};

export const Drop = ({ label, title, done, size, children }: DropProps): ReactNode => {
  const { texts } = usePage();
  const isWide = useMedia(WIDE);
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const body = (
    <Panel>
      <Heading slot="title" level={2}>
        {title}
      </Heading>
      {children(close)}
      {isWide ? null : (
        <Button kind="primary" onPress={close}>
          {done ?? texts.app.close}
        </Button>
      )}
    </Panel>
  );
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button>
        {label}
        <Icon name="down" />
      </Button>
      {isWide ? (
        <Popover
          className={size === undefined ? "popover" : `popover popover-${size}`}
          placement="bottom end"
        >
          {body}
        </Popover>
      ) : (
        <ModalOverlay className="overlay overlay-sheet" isDismissable>
          <Modal className="modal sheet">{body}</Modal>
        </ModalOverlay>
      )}
    </DialogTrigger>
  );
};
