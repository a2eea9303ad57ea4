import type { ReactNode } from "react";

import type { Setting } from "../../../src/api/index.ts";
import { usePage } from "../../lib/page.tsx";

interface MarkProps {
  readonly setting: Setting<unknown> | null;
  /** Whether the file waits for it. */
  readonly isOpen: boolean;
}

/** Says whether a setting of the file was guessed or chosen, or must be chosen. */
export const Mark = ({ setting, isOpen }: MarkProps): ReactNode => {
  const { file } = usePage().texts;
  if (isOpen) return <span className="badge badge-error">{file.open}</span>;
  if (setting === null) return null;
  return (
    <span className={setting.isGuessed ? "badge" : "badge badge-accent"}>
      {setting.isGuessed ? file.guessed : file.chosen}
    </span>
  );
};
