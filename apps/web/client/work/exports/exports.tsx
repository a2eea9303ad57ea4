import type { ReactNode } from "react";

import { usePage } from "../../lib/page.tsx";
import { useExportKinds } from "../../lib/work-queries.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { ExportForm } from "./export-form.tsx";
import { ExportList } from "./export-list.tsx";

/** What the store holds, as files. */
export const Exports = (): ReactNode => {
  const { lang, texts } = usePage();
  const words = texts.work.exports;
  return (
    <section className="stack">
      <h1>{words.title}</h1>
      <p className="lead">{words.intro}</p>
      <Loaded query={useExportKinds()}>{(kinds) => <ExportForm key={lang} kinds={kinds} />}</Loaded>
      <ExportList />
    </section>
  );
};
