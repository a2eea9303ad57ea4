import { type ReactNode, useState } from "react";

import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Uploading } from "./use-upload.ts";

interface LinkDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly uploading: Uploading;
}

/** Takes the link of a file. */
export const LinkDialog = ({ isOpen, onClose, uploading }: LinkDialogProps): ReactNode => {
  const words = usePage().texts.upload;
  const [url, setUrl] = useState("");
  const begin = (): void => {
    onClose();
    uploading.link.run(url.trim());
  };
  return (
    <Dialog
      title={words.linkTitle}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button kind="primary" isDisabled={url.trim() === ""} onPress={begin}>
          {words.linkGo}
        </Button>
      }
    >
      <TextField
        label={words.linkLabel}
        hint={words.linkHint}
        type="url"
        value={url}
        onChange={setUrl}
      />
    </Dialog>
  );
};
