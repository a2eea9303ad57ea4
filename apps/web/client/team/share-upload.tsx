/** The stores that an uploaded file is for, and the files that were uploaded for several. */

import type { ReactNode } from "react";

import type { NewSharedFile, SharedFileSummary } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { useStoreName } from "../lib/route.ts";
import {
  sharedAddress,
  useSharedFileOf,
  useSharedFiles,
  useUploadStores,
} from "../lib/shared-files.ts";
import { Icon, Link, Tick } from "../ui/controls.tsx";
import { Message } from "../ui/messages.tsx";

interface StoreTicksProps {
  /** Other stores that the next file is for. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (stores: ReadonlySet<string>) => void;
  readonly isDisabled: boolean;
}

/** Asks for the stores of a file; nothing where the person may upload for one only. */
export const StoreTicks = ({ chosen, onChoose, isDisabled }: StoreTicksProps): ReactNode => {
  const words = usePage().texts.shared.upload;
  const current = useStoreName();
  const stores = useUploadStores();
  const others = stores.filter(({ name }) => name !== current);
  if (current === null || others.length === 0 || others.length === stores.length) return null;
  const tick = (name: string, isTicked: boolean): void => {
    const rest = [...chosen].filter((each) => each !== name);
    onChoose(new Set(isTicked ? [...rest, name] : rest));
  };
  return (
    <fieldset className="field shared-choice">
      <legend>{words.legend}</legend>
      <div className="shared-ticks">
        <Tick isTicked isDisabled onChange={() => undefined}>
          {current} <span className="muted small">{words.current}</span>
        </Tick>
        {others.map(({ name }) => (
          <Tick
            key={name}
            isTicked={chosen.has(name)}
            isDisabled={isDisabled}
            onChange={(isTicked) => tick(name, isTicked)}
          >
            {name}
          </Tick>
        ))}
      </div>
      <p className="hint" role="status">
        {chosen.size === 0 ? words.hint : words.chosen(chosen.size + 1)}
      </p>
    </fieldset>
  );
};

/** A file that some of the chosen stores have not taken, and where it can be gone on with. */
export interface PartlyShared {
  readonly answer: NewSharedFile;
  readonly draft: string;
}

export const NotTaken = ({ answer, draft }: PartlyShared): ReactNode => {
  const words = usePage().texts.shared.upload;
  const { id, refused } = answer;
  return (
    <Message
      tone="warning"
      title={words.refusedTitle}
      actions={
        id === null ? (
          <Link to={{ page: "draft", id: draft, step: "file" }}>{words.toDraft}</Link>
        ) : (
          <a href={sharedAddress(id)}>{words.toShared}</a>
        )
      }
    >
      <ul>
        {refused.map(({ store, problem }) => (
          <li key={store}>
            <strong>{store}</strong>: {problem.message}
          </li>
        ))}
      </ul>
      {id === null ? <p>{words.noneTaken}</p> : null}
    </Message>
  );
};

const SharedItem = ({ file }: { readonly file: SharedFileSummary }): ReactNode => {
  const { format } = usePage();
  return (
    <li className="draft">
      <Icon name="file" />
      <a className="draft-name" href={sharedAddress(file.id)}>
        {file.name}
      </a>
      <span className="draft-facts">
        <time dateTime={file.createdAt} title={format.date(file.createdAt)}>
          {format.ago(file.createdAt, Date.now())}
        </time>
      </span>
      <span className="next">
        {file.drafts.map(({ store }) => store).join(", ")}
        <Icon name="right" />
      </span>
    </li>
  );
};

const MAX_LISTED = 5;

/** The newest files of several stores of the person; nothing where there are none. */
export const SharedList = (): ReactNode => {
  const words = usePage().texts.shared;
  const files = useSharedFiles().data ?? [];
  if (files.length === 0) return null;
  return (
    <section className="drafts">
      <h2>{words.list}</h2>
      <ul>
        {files.slice(0, MAX_LISTED).map((file) => (
          <SharedItem key={file.id} file={file} />
        ))}
      </ul>
    </section>
  );
};

/** Leads from a draft, or from its run, back to all stores of its file. */
export const PartOfShared = ({ draft }: { readonly draft: string | null }): ReactNode => {
  const words = usePage().texts.shared;
  const file = useSharedFileOf(useStoreName(), draft);
  if (file === undefined) return null;
  return (
    <p className="shared-part small">
      <span className="muted">{words.partOf(file.drafts.length)}</span>{" "}
      <a href={sharedAddress(file.id)}>{words.allStores}</a>
    </p>
  );
};
