import type { ReactNode } from "react";

import type { RulesView } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";
import { useRulesChange } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/message.tsx";

type Remembered = RulesView["files"][number];

interface FileProps {
  readonly file: Remembered;
  readonly isBusy: boolean;
  readonly onForget: () => void;
}

const RememberedFile = ({ file, isBusy, onForget }: FileProps): ReactNode => {
  const words = usePage().texts.work.rules;
  const name = file.file ?? words.someFile;
  return (
    <li className="remembered">
      <div className="remembered-head">
        <strong>{name}</strong>
        <span className="badge">{words.kinds[file.kind]}</span>
        <Button kind="quiet" label={words.forgetName(name)} isBusy={isBusy} onPress={onForget}>
          {words.forget}
        </Button>
      </div>
      <ul className="entries">
        {file.entries.map(({ header, text }) => (
          <li key={header}>
            {header} <span className="muted">→ {text}</span>
          </li>
        ))}
      </ul>
    </li>
  );
};

/** What accepted files have taught. */
export const RememberedFiles = ({ rules }: { readonly rules: RulesView }): ReactNode => {
  const words = usePage().texts.work.rules;
  const change = useRulesChange();
  return (
    <section className="card stack-tight">
      <h2>{words.files}</h2>
      <p className="muted">{words.filesIntro}</p>
      <Failure error={change.error} />
      {rules.files.length === 0 ? (
        <p className="empty">{words.noFiles}</p>
      ) : (
        <ul className="lined">
          {rules.files.map((file) => (
            <RememberedFile
              key={file.id}
              file={file}
              isBusy={change.isPending}
              onForget={() => change.mutate({ path: "/forget", body: { id: file.id } })}
            />
          ))}
        </ul>
      )}
    </section>
  );
};

/** Values that are sent where a row has none. */
export const Defaults = ({ rules }: { readonly rules: RulesView }): ReactNode => {
  const words = usePage().texts.work.rules;
  const change = useRulesChange();
  return (
    <section className="card stack-tight">
      <h2>{words.defaults}</h2>
      <p className="muted">{words.defaultsIntro}</p>
      <Failure error={change.error} />
      {rules.defaults.length === 0 ? (
        <p className="empty">{words.noDefaults}</p>
      ) : (
        <ul className="lined">
          {rules.defaults.map(({ field, label, value }) => (
            <li key={field} className="remembered-head">
              <strong>{label}</strong>
              <span>{value}</span>
              <Button
                kind="quiet"
                label={words.removeDefault(label)}
                isBusy={change.isPending}
                onPress={() => change.mutate({ path: "/default/remove", body: { id: field } })}
              >
                {words.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
