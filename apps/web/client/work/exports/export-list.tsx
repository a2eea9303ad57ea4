import type { ReactNode } from "react";

import type { ExportView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useExports, useRemoveExport } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Failure } from "../../ui/message.tsx";

const STATE_BADGES = {
  running: "badge badge-accent",
  done: "badge badge-success",
  failed: "badge badge-error",
} as const;

const Facts = ({ file }: { readonly file: ExportView }): ReactNode => {
  const { texts, format } = usePage();
  const words = texts.work.exports;
  return (
    <span className="file-facts">
      <span className={STATE_BADGES[file.state]}>
        {file.state === "running" ? <span className="spinner" aria-hidden="true" /> : null}
        {words.states[file.state]}
      </span>
      {file.rows === null ? null : <span className="number">{words.rows(file.rows)}</span>}
      {file.bytes === null ? null : <span className="number">{format.bytes(file.bytes)}</span>}
      <time dateTime={file.createdAt} title={format.date(file.createdAt)}>
        {format.ago(file.createdAt, Date.now())}
      </time>
    </span>
  );
};

interface FileItemProps {
  readonly file: ExportView;
  readonly isRemoving: boolean;
  readonly onRemove: () => void;
}

const FileItem = ({ file, isRemoving, onRemove }: FileItemProps): ReactNode => {
  const words = usePage().texts.work.exports;
  const isRunning = file.state === "running";
  return (
    <li className="made-file">
      <div className="made-file-text">
        <strong>{file.name}</strong>
        <span className="muted">{file.text}</span>
        <Facts file={file} />
        {file.notes.map((note) => (
          <p key={note} className="small">
            {note}
          </p>
        ))}
        {file.problem === null ? null : (
          <p className="error-text">{file.problem.message || words.lost}</p>
        )}
      </div>
      <div className="line">
        {file.state === "done" ? (
          <a
            className="button button-plain"
            href={`/api/exports/${encodeURIComponent(file.id)}/file`}
            aria-label={words.downloadName(file.name)}
            download
          >
            <Icon name="download" />
            {words.download}
          </a>
        ) : null}
        <Button
          kind="quiet"
          icon="close"
          isBusy={isRemoving}
          label={isRunning ? words.stopName(file.name) : words.removeName(file.name)}
          onPress={onRemove}
        >
          {words.remove}
        </Button>
      </div>
    </li>
  );
};

/** Files that were made before, the newest first. */
export const ExportList = (): ReactNode => {
  const words = usePage().texts.work.exports;
  const remove = useRemoveExport();
  return (
    <section className="stack-tight" aria-live="polite">
      <h2>{words.listTitle}</h2>
      <Failure error={remove.error} />
      <Loaded query={useExports()}>
        {(files) =>
          files.length === 0 ? (
            <p className="empty">{words.empty}</p>
          ) : (
            <ul className="made-files">
              {files.map((file) => (
                <FileItem
                  key={file.id}
                  file={file}
                  isRemoving={remove.isPending && remove.variables === file.id}
                  onRemove={() => remove.mutate(file.id)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
};
