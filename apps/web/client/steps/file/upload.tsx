import { type ReactNode, useEffect, useState } from "react";
import { DropZone, FileTrigger, isFileDropItem } from "react-aria-components";

import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failure } from "../../ui/message.tsx";
import { Progress } from "../../ui/progress.tsx";
import { DraftList } from "./draft-list.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { PasteDialog } from "./paste-dialog.tsx";
import { type Uploading, useUpload } from "./use-upload.ts";

const ACCEPTED = [".xlsx", ".xls", ".xlsm", ".csv", ".tsv", ".txt", ".ods"];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, [role=dialog]") !== null;

/** Takes cells or a file that are pasted anywhere on the page. */
const usePastedCells = (uploading: Uploading): void => {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      if (isTyping(event.target)) return;
      const file = event.clipboardData?.files[0];
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (file !== undefined) uploading.file.run(file);
      else if (text.trim() !== "") uploading.cells.run(text);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  });
};

const Under = ({ uploading }: { readonly uploading: Uploading }): ReactNode => {
  const { texts, format } = usePage();
  const { sending } = uploading;
  if (sending === null) return <Progress label={texts.upload.reading} part={null} />;
  const isSent = sending.part >= 1;
  return (
    <div className="stack">
      <Progress
        label={isSent ? texts.upload.reading : texts.upload.sending(sending.name)}
        part={isSent ? null : sending.part}
        text={isSent ? undefined : format.percent(sending.part * 100).replace("+", "")}
      />
      {isSent ? null : <Button onPress={uploading.stop}>{texts.upload.stop}</Button>}
    </div>
  );
};

const Choices = ({ uploading }: { readonly uploading: Uploading }): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const [dialog, setDialog] = useState<"paste" | "link" | null>(null);
  const close = (): void => setDialog(null);
  return (
    <>
      <div className="drop-buttons">
        <FileTrigger
          acceptedFileTypes={ACCEPTED}
          onSelect={(files) => {
            const file = files?.[0];
            if (file !== undefined) uploading.file.run(file);
          }}
        >
          <Button kind="primary">{words.choose}</Button>
        </FileTrigger>
        <Button onPress={() => setDialog("paste")}>{words.paste}</Button>
        <Button onPress={() => setDialog("link")}>{words.link}</Button>
      </div>
      <PasteDialog isOpen={dialog === "paste"} onClose={close} uploading={uploading} />
      <LinkDialog isOpen={dialog === "link"} onClose={close} uploading={uploading} />
    </>
  );
};

const Drop = ({ uploading }: { readonly uploading: Uploading }): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const isBusy = uploading.file.isRunning || uploading.cells.isRunning || uploading.link.isRunning;
  return (
    <DropZone
      className="drop"
      aria-label={words.drop}
      onDrop={(event) => {
        const item = event.items.find(isFileDropItem);
        if (item !== undefined) void item.getFile().then(uploading.file.run);
      }}
    >
      {({ isDropTarget }) => (
        <div className="drop-inside">
          {isBusy ? (
            <Under uploading={uploading} />
          ) : (
            <>
              <span className="drop-icon">
                <Icon name="upload" />
              </span>
              <p className="drop-title">{isDropTarget ? words.dropNow : words.drop}</p>
              <p className="muted">{words.kinds}</p>
              <Choices uploading={uploading} />
              <p className="muted small">{words.pasteHint}</p>
            </>
          )}
        </div>
      )}
    </DropZone>
  );
};

/** Where a file begins its way, and the files that are on it. */
export const Upload = (): ReactNode => {
  const { texts } = usePage();
  const uploading = useUpload();
  usePastedCells(uploading);
  return (
    <div className="upload">
      <h1>{texts.upload.title}</h1>
      <p className="lead">{texts.upload.intro}</p>
      <Failure error={uploading.file.error ?? uploading.cells.error ?? uploading.link.error} />
      <Drop uploading={uploading} />
      <DraftList />
    </div>
  );
};
