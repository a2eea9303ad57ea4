import { fieldWord, type Toolkit } from "@catalog/connection";
import { type Lang, type Localized } from "@catalog/i18n";
import { type ColumnMapping, findField } from "@catalog/mapping";
import { refusedInUpdates } from "@catalog/runs";

/** Fields that updates leave out; none where they are to be tried again. */
export async function readRefused(
  { readBack }: Pick<Toolkit, "readBack">,
  isTriedAgain: boolean = false,
): Promise<ReadonlySet<string>> {
  return isTriedAgain ? new Set() : refusedInUpdates(await readBack.readCapabilities());
}

/** One line where the file has columns of fields that the store does not take in updates. */
export function noteRefused(
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
  const say = (lang: Lang): string =>
    left.map((field) => `${fieldWord(field, lang)} (${field})`).join(", ");
  return [
    {
      tr: `Mağaza güncellemede uygulamadığı ya da reddettiği için gönderilmeyecek: ${say("tr")}; yeniden denemek için --try-refused.`,
      en: `Not sent in updates, because the store did not apply or refused it: ${say("en")}; --try-refused tries again.`,
    },
  ];
}
