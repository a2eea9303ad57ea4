import { fieldLabel, type Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { type ColumnMapping, findField } from "@catalog/mapping";
import { refusedInUpdates } from "@catalog/runs";

/** Fields that updates leave out; none where they are to be tried again. */
export async function readRefusedFields(
  { verificationLog }: Pick<Connection, "verificationLog">,
  isTriedAgain: boolean = false,
): Promise<ReadonlySet<string>> {
  return isTriedAgain ? new Set() : refusedInUpdates(await verificationLog.readCapabilities());
}

/** One line where the file has columns of fields that the store does not take in updates. */
export function toRefusedFieldNotes(
  { columns }: Pick<ColumnMapping, "columns">,
  refused: ReadonlySet<string>,
): readonly Localized[] {
  const fields = new Set(
    columns.flatMap(({ target }) =>
      target.kind === "field" ? (findField(target.field)?.apiFields ?? []) : [],
    ),
  );
  const left = [...refused].filter((field) => [...fields].some((one) => one === field));
  if (left.length === 0) return [];
  const describe = (lang: Lang): string =>
    left.map((field) => `${fieldLabel(field, lang)} (${field})`).join(", ");
  return [
    {
      tr: `Mağaza güncellemede uygulamadığı ya da reddettiği için gönderilmeyecek: ${describe("tr")}; yeniden denemek için --try-refused.`,
      en: `Not sent in updates, because the store did not apply or refused it: ${describe("en")}; --try-refused tries again.`,
    },
  ];
}
