import { type ReactNode, useId, useState } from "react";

import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Uploading } from "./use-upload.ts";

interface PasteDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly uploading: Uploading;
}

/** Takes cells in a text box, for those whose page cannot read the clipboard. */
export const PasteDialog = ({ isOpen, onClose, uploading }: PasteDialogProps): ReactNode => {
  const words = usePage().texts.upload;
  const [text, setText] = useState("");
  const id = useId();
  const begin = (): void => {
    onClose();
    uploading.cells.run(text);
  };
  return (
    <Dialog
      title={words.pasteTitle}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button kind="primary" isDisabled={text.trim() === ""} onPress={begin}>
          {words.pasteGo}
        </Button>
      }
    >
      <div className="field">
        <label htmlFor={id}>{words.pasteLabel}</label>
        <textarea
          id={id}
          className="input input-cells"
          rows={10}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </Dialog>
  );
};
