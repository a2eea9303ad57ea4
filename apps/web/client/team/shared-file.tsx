/** One file for several stores: how it stands in each, its rows side by side, and one approval. */

import { type ReactNode, useState } from "react";

import type { SharedFileView, SharedStoreView } from "../../src/api/index.ts";
import { usePage } from "../lib/page.tsx";
import { readLastStore } from "../lib/place.ts";
import { explainError, useAction } from "../lib/requests.ts";
import {
  addressIn,
  canPlan,
  type StoreResult,
  useSharedFile,
  useStoreRequests,
} from "../lib/shared-files.ts";
import { Button } from "../ui/controls.tsx";
import { Failure, Loaded, Message, Waiting } from "../ui/messages.tsx";
import { ApproveShared } from "./approve-shared.tsx";
import { SharedRows } from "./shared-rows.tsx";
import { SharedStores } from "./shared-stores.tsx";

export const SharedFile = ({ id }: { readonly id: string }): ReactNode => (
  <Loaded query={useSharedFile(id)}>{(file) => <Shown id={id} file={file} />}</Loaded>
);

interface ShownProps {
  /** As the address names it. */
  readonly id: string;
  readonly file: SharedFileView;
}

const Head = ({ file }: Pick<ShownProps, "file">): ReactNode => {
  const { texts, format, account } = usePage();
  const words = texts.shared;
  const last = readLastStore();
  const store = account?.stores.find(({ name }) => name === last) ?? account?.stores[0];
  return (
    <div>
      {store === undefined ? null : (
        <a className="small" href={addressIn(store.name, { page: "upload" })}>
          {words.back}
        </a>
      )}
      <h1>{words.title}</h1>
      <p className="muted shared-lead">
        <strong>{file.name}</strong> · {words.by(file.by, format.ago(file.createdAt, Date.now()))}
      </p>
    </div>
  );
};

/** Why a store did not do what was asked of it, and which have done it. */
const Results = ({ results }: { readonly results: readonly StoreResult[] }): ReactNode => {
  const { texts } = usePage();
  const words = texts.shared;
  if (results.length === 0) return null;
  const isAll = results.every(({ isStarted }) => isStarted);
  return (
    <Message tone={isAll ? "success" : "warning"} title={words.results}>
      <ul className="shared-results">
        {results.map(({ store, error, isStarted }) => (
          <li key={store}>
            <strong>{store}</strong> <Result error={error} isStarted={isStarted} />
          </li>
        ))}
      </ul>
    </Message>
  );
};

const Result = ({ error, isStarted }: Omit<StoreResult, "store">): ReactNode => {
  const { texts } = usePage();
  if (error !== null) return explainError(error, texts);
  return isStarted ? texts.shared.sent : texts.shared.notSent;
};

const readSheets = (stores: readonly SharedStoreView[]): ReadonlySet<string> =>
  new Set(stores.flatMap(({ sheet }) => sheet ?? []));

const Rows = ({ id, file }: ShownProps): ReactNode => {
  const words = usePage().texts.shared;
  if (file.rows !== null) return <SharedRows id={id} file={file} counts={file.rows} />;
  if (file.isComparing) return <Waiting text={words.comparing} />;
  return <p className="empty">{words.notPlanned}</p>;
};

const Shown = ({ id, file }: ShownProps): ReactNode => {
  const { texts } = usePage();
  const words = texts.shared;
  const { plan, approve } = useStoreRequests(id);
  const [results, setResults] = useState<readonly StoreResult[]>([]);
  const planning = useAction(async (stores: readonly SharedStoreView[]) => {
    const failed = (await plan(stores)).filter(({ error }) => error !== null);
    setResults(failed);
  });
  const open = file.stores.filter(canPlan);
  return (
    <section className="stack shared">
      <Head file={file} />
      <div role="status">
        <Results results={results} />
      </div>
      <Failure error={planning.error} />
      {readSheets(file.stores).size > 1 ? <Message tone="warning">{words.sheets}</Message> : null}
      <SharedStores
        stores={file.stores}
        isPlanning={planning.isRunning}
        onPlan={(store) => planning.run([store])}
      />
      <div className="line">
        {open.length === 0 ? null : (
          <Button
            kind={file.stores.every(({ run }) => run === null) ? "primary" : "plain"}
            isBusy={planning.isRunning}
            onPress={() => planning.run(open)}
          >
            {words.planAll(open.length)}
          </Button>
        )}
        <ApproveShared file={file} approve={approve} onResults={setResults} />
        {file.calls === 0 ? null : (
          <span className="muted">{words.total(file.calls, file.duration)}</span>
        )}
      </div>
      <Rows id={id} file={file} />
    </section>
  );
};
