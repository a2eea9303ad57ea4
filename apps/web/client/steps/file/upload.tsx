/** Where a file begins its way: dropped, chosen, pasted or taken from a link. */

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { DropZone, FileTrigger, isFileDropItem } from "react-aria-components";

import type { UploadedView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { draftQuery } from "../../lib/queries.ts";
import { requestJson, uploadFile, useAction } from "../../lib/requests.ts";
import { goTo, useStoreName } from "../../lib/route.ts";
import { shareFile, sharedAddress } from "../../lib/shared-files.ts";
import { useMay } from "../../lib/team.ts";
import { OnlyFor } from "../../team/may.tsx";
import { NotTaken, type PartlyShared, SharedList, StoreTicks } from "../../team/share-upload.tsx";
import { Button, Icon, TextField } from "../../ui/controls.tsx";
import { Dialog, Failure, Progress } from "../../ui/messages.tsx";
import { DraftList } from "./draft-list.tsx";

interface Sending {
  readonly name: string;
  /** From 0 to 1; 1 while the server reads the file. */
  readonly part: number;
}

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Makes drafts of files, links and pasted cells, and opens them. */
const useUpload = () => {
  const { lang, texts } = usePage();
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const stopper = useRef<AbortController | null>(null);
  const store = useStoreName();
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  const [partly, setPartly] = useState<PartlyShared | null>(null);
  /** Takes the file to the other stores that are chosen. */
  const share = async (draft: string, of: string): Promise<void> => {
    const answer = await shareFile({ store: of, draft, stores: [...others] }, lang);
    void client.invalidateQueries({ queryKey: ["shared-files"] });
    if (answer.refused.length > 0) setPartly({ answer, draft });
    else if (answer.id !== null) location.assign(sharedAddress(answer.id));
  };
  const open = async (draft: UploadedView): Promise<void> => {
    setPartly(null);
    if (!("id" in draft)) {
      goTo({ page: "run", id: draft.run, step: "preview" });
      return;
    }
    client.setQueryData(draftQuery(draft.id, lang).queryKey, draft);
    void client.invalidateQueries({ queryKey: ["drafts"] });
    if (others.size === 0 || store === null) {
      goTo({ page: "draft", id: draft.id, step: "file" });
    } else await share(draft.id, store);
  };
  const file = useAction(async (chosen: File) => {
    const { name } = chosen;
    stopper.current = new AbortController();
    setSending({ name, part: 0 });
    const onProgress = (part: number): void => setSending({ name, part });
    try {
      await open(await uploadFile(chosen, { lang, onProgress, signal: stopper.current.signal }));
    } catch (error) {
      if (!isStop(error)) throw error;
    } finally {
      setSending(null);
    }
  });
  const post = (path: string, body: object): Promise<UploadedView> =>
    requestJson<UploadedView>(path, { lang, method: "POST", body });
  const cells = useAction(async (text: string) => {
    await open(await post("/api/uploads/cells", { text, name: texts.upload.pasteName }));
  });
  const link = useAction(async (url: string) => {
    await open(await post("/api/uploads/link", { url }));
  });
  const stop = (): void => stopper.current?.abort();
  return { sending, file, cells, link, stop, others, setOthers, partly };
};

type Uploading = ReturnType<typeof useUpload>;

const isUploading = ({ file, cells, link }: Uploading): boolean =>
  file.isRunning || cells.isRunning || link.isRunning;

interface TextDialogProps {
  readonly title: string;
  readonly go: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onText: (text: string) => void;
  readonly children: (text: string, setText: (text: string) => void) => ReactNode;
}

/** Asks for the text that a draft is made of. */
const TextDialog = ({ go, onText, children, ...props }: TextDialogProps): ReactNode => {
  const [text, setText] = useState("");
  const begin = (): void => {
    props.onClose();
    onText(text);
  };
  return (
    <Dialog {...props} confirm={{ isDisabled: text.trim() === "", onPress: begin, children: go }}>
      {children(text, setText)}
    </Dialog>
  );
};

const ACCEPTED = ".xlsx .xls .xlsm .csv .tsv .txt .ods .xml .json .jsonl .ndjson .zip .gz".split(
  " ",
);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, [role=dialog]") !== null;

/** Takes cells or a file that are pasted anywhere on the page. */
const usePastedCells = (uploading: Uploading): void => {
  const mayUpload = useMay("editor");
  useEffect(() => {
    if (!mayUpload) return undefined;
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
  const id = useId();
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
      <TextDialog
        title={words.pasteTitle}
        go={words.pasteGo}
        isOpen={dialog === "paste"}
        onClose={close}
        onText={uploading.cells.run}
      >
        {(text, setText) => (
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
        )}
      </TextDialog>
      <TextDialog
        title={words.linkTitle}
        go={words.linkGo}
        isOpen={dialog === "link"}
        onClose={close}
        onText={(url) => uploading.link.run(url.trim())}
      >
        {(text, setText) => (
          <TextField
            label={words.linkLabel}
            hint={words.linkHint}
            type="url"
            value={text}
            onChange={setText}
          />
        )}
      </TextDialog>
    </>
  );
};

const Drop = ({ uploading }: { readonly uploading: Uploading }): ReactNode => {
  const { texts } = usePage();
  const words = texts.upload;
  const isBusy = isUploading(uploading);
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
              <div className="drop-words">
                <p className="drop-title">{isDropTarget ? words.dropNow : words.drop}</p>
                <p className="muted small">{words.kinds}</p>
              </div>
              <Choices uploading={uploading} />
            </>
          )}
        </div>
      )}
    </DropZone>
  );
};

export const Upload = (): ReactNode => {
  const { texts } = usePage();
  const uploading = useUpload();
  const { partly } = uploading;
  usePastedCells(uploading);
  return (
    <div className="upload">
      <h1>{texts.upload.title}</h1>
      <p className="lead">{texts.upload.intro}</p>
      <Failure error={uploading.file.error ?? uploading.cells.error ?? uploading.link.error} />
      <div role="status">{partly === null ? null : <NotTaken {...partly} />}</div>
      <OnlyFor role="editor">
        <StoreTicks
          chosen={uploading.others}
          onChoose={uploading.setOthers}
          isDisabled={isUploading(uploading)}
        />
        <Drop uploading={uploading} />
      </OnlyFor>
      <SharedList />
      <DraftList />
    </div>
  );
};
