import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";

import { usePage } from "../lib/page.tsx";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons beside that which closes. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  /**
   * Whether the question is about giving up or taking back, so that the word for leaving a dialog
   * could be read as the answer. @default false
   */
  readonly isAboutGivingUp?: boolean;
}

/** A window over the page; Escape closes it and the focus returns. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  children,
  actions,
  isWide = false,
  isAboutGivingUp = false,
}: DialogProps): ReactNode => {
  const { texts } = usePage();
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={isWide ? "modal modal-wide" : "modal"}>
        <AriaDialog className="dialog">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <div className="dialog-body">{children}</div>
          <div className="dialog-actions">
            <Button onPress={onClose}>
              {actions === undefined || isAboutGivingUp ? texts.app.close : texts.app.cancel}
            </Button>
            {actions}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
};
