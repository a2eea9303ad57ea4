import type { ReactNode } from "react";
import { FileTrigger } from "react-aria-components";

import { usePage } from "../../lib/page.tsx";
import { useRulesChange } from "../../lib/work-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Failure, Message } from "../../ui/message.tsx";

/** All rules as a workbook, to edit elsewhere and bring back. */
export const RulesFile = (): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.rules;
  const change = useRulesChange();
  return (
    <section className="card stack-tight">
      <h2>{words.workbook}</h2>
      <p className="muted">{words.workbookIntro}</p>
      <Failure error={change.error} />
      {change.isSuccess ? <Message tone="success">{words.uploaded}</Message> : null}
      <div className="line">
        <a className="button button-plain" href={`/api/rules/file?lang=${lang}`} download>
          <Icon name="download" />
          {words.download}
        </a>
        <FileTrigger
          acceptedFileTypes={[".xlsx", ".csv"]}
          onSelect={(files) => {
            const file = files?.[0];
            if (file !== undefined) change.mutate({ path: "/file", file });
          }}
        >
          <Button icon="upload" isBusy={change.isPending}>
            {change.isPending ? words.uploading : words.upload}
          </Button>
        </FileTrigger>
      </div>
    </section>
  );
};
