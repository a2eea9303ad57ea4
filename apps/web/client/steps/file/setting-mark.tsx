import type { ReactNode } from "react";

import type { Setting } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";

/** Says whether a setting of the file was guessed or chosen, or must be chosen. */
export const Mark = ({ setting }: { readonly setting: Setting<unknown> | null }): ReactNode => {
  const { file } = usePage().texts;
  if (setting === null) return <span className="badge badge-error">{file.open}</span>;
  return (
    <span className={setting.isGuessed ? "badge" : "badge badge-accent"}>
      {setting.isGuessed ? file.guessed : file.chosen}
    </span>
  );
};
