import { type ReactNode, useEffect, useRef, useState } from "react";

import type { FolderEntry, FolderView } from "../../../src/api/index.ts";
import { useFolder } from "../../lib/feed-queries.ts";
import { usePage } from "../../lib/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failure } from "../../ui/message.tsx";

interface ChooserProps {
  /** Takes the path of a file, or of a folder whose newest file is taken. */
  readonly onChoose: (path: string) => void;
}

interface FolderProps extends ChooserProps {
  readonly view: FolderView;
  readonly onOpen: (folder: string) => void;
}

const Entry = ({
  entry,
  onChoose,
  onOpen,
}: Omit<FolderProps, "view"> & { readonly entry: FolderEntry }): ReactNode => {
  const { format } = usePage();
  const { name, path, isFolder, at } = entry;
  return (
    <li>
      <button
        type="button"
        className="folder-entry"
        onClick={() => (isFolder ? onOpen(path) : onChoose(path))}
      >
        <Icon name={isFolder ? "right" : "file"} />
        <span>{name}</span>
        {at === null ? null : <span className="muted small">{format.ago(at, Date.now())}</span>}
      </button>
    </li>
  );
};

const Folder = ({ view, onChoose, onOpen }: FolderProps): ReactNode => {
  const words = usePage().texts.work.feeds.chooser;
  const { folder, parent, entries, recent } = view;
  const list = useRef<HTMLUListElement>(null);
  const first = useRef(folder);
  useEffect(() => {
    // The button that opened the folder is gone with the list before.
    if (first.current !== folder) list.current?.focus();
    first.current = folder;
  }, [folder]);
  return (
    <>
      {recent.length === 0 ? null : (
        <div className="line">
          <span className="muted small">{words.recent}</span>
          {recent.map(({ name, path }) => (
            <button
              key={path}
              type="button"
              className="link"
              title={path}
              onClick={() => onChoose(path)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <p className="feed-place">
        <strong>{folder}</strong>
      </p>
      <div className="line">
        {parent === null ? null : (
          <Button kind="quiet" icon="up" onPress={() => onOpen(parent)}>
            {words.parent}
          </Button>
        )}
        <Button kind="quiet" onPress={() => onChoose(folder)}>
          {words.takeFolder}
        </Button>
      </div>
      {entries.length === 0 ? <p className="muted">{words.empty}</p> : null}
      <ul ref={list} tabIndex={-1} className="folder-entries" aria-label={words.list(folder)}>
        {entries.map((entry) => (
          <Entry key={entry.path} entry={entry} onChoose={onChoose} onOpen={onOpen} />
        ))}
      </ul>
    </>
  );
};

/** Lists the folders of this computer, as a browser tells no page the path of a chosen file. */
export const FileChooser = ({ onChoose }: ChooserProps): ReactNode => {
  const words = usePage().texts.work.feeds.chooser;
  const [isOpen, setIsOpen] = useState(false);
  const choose = (path: string): void => {
    setIsOpen(false);
    onChoose(path);
  };
  return (
    <>
      <div>
        <Button onPress={() => setIsOpen(!isOpen)}>{isOpen ? words.close : words.open}</Button>
      </div>
      {isOpen ? <OpenChooser onChoose={choose} /> : null}
    </>
  );
};

const OpenChooser = ({ onChoose }: ChooserProps): ReactNode => {
  const [folder, setFolder] = useState("");
  const { data, error } = useFolder(folder);
  return (
    <div className="card stack-tight">
      <Failure error={error} />
      {data === undefined ? null : <Folder view={data} onChoose={onChoose} onOpen={setFolder} />}
    </div>
  );
};
