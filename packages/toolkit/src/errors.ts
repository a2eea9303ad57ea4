/** What stops a whole file or run, in the words that people read. */

import { type Localized, type RowIssue } from "@catalog/runs";

const TEXTS = {
  E_FILE_COLUMNS: (file: string) => ({
    tr: `"${file}" dosyasının sütunları kullanılamıyor; hiçbir şey gönderilmedi.`,
    en: `The columns of "${file}" cannot be used; nothing was sent.`,
  }),
  E_APPROVAL_FILE: (file: string) => ({
    tr: `"${file}" bekleyen satırların dosyası değil: "Bekleyen Satır" ve "Onay" sütunları yok. Sonuç klasöründeki held.xlsx dosyasını verin.`,
    en: `"${file}" is no file of held rows: it has no columns "Held Row" and "Approve". Give the held.xlsx of the result folder.`,
  }),
  E_NO_ROWS: (file: string) => ({
    tr: `"${file}" dosyasında başlık satırının altında ürün satırı yok. Satırları ekleyip yeniden deneyin.`,
    en: `"${file}" has no product rows below its header row. Add rows and try again.`,
  }),
  E_RUN_UNKNOWN: (run: string) => ({
    tr: `"${run}" adlı bir çalıştırma bu mağazada yok. "catalog runs" komutu çalıştırmaları listeler.`,
    en: `This store has no run "${run}". "catalog runs" lists the runs.`,
  }),
  E_RUN_UNPLANNED: (run: string) => ({
    tr: `"${run}" çalıştırmasının planı yarım kalmış ve hiçbir şey gönderilmemiş. Dosyayı yeniden içe aktarın.`,
    en: `The plan of run "${run}" was cut off, and nothing was sent. Import the file again.`,
  }),
  E_PLAN_OLD: (run: string) => ({
    tr: `"${run}" planı 15 dakikadan eski; mağaza bu arada değişmiş olabilir. Hiçbir şey gönderilmedi. Yeniden bakıp uygulamak için: catalog apply ${run} --recheck`,
    en: `The plan "${run}" is older than 15 minutes, and the store may have changed since. Nothing was sent. To look again and apply it: catalog apply ${run} --recheck`,
  }),
  E_PLAN_FILE: (run: string) => ({
    tr: `"${run}" planının dosyası değişmiş ya da yerinde yok; plan artık dosyayı anlatmıyor. Hiçbir şey gönderilmedi. Dosyayı yeniden planlayın (catalog plan) ya da planı olduğu gibi uygulayın: catalog apply ${run} --recheck`,
    en: `The file of the plan "${run}" has changed or is gone, so the plan no longer tells of it. Nothing was sent. Plan the file again (catalog plan), or apply the plan as it is: catalog apply ${run} --recheck`,
  }),
  E_RUN_BEGUN: (run: string) => ({
    tr: `"${run}" çalıştırmasının gönderimi başlamış; "apply" yalnızca uygulanmamış planlar içindir. Sürdürmek için: catalog resume ${run}`,
    en: `Run "${run}" has begun to be sent, and "apply" is for plans that have not. To go on with it: catalog resume ${run}`,
  }),
} as const;

/** `E_PLAN_…`: the plan no longer holds. `E_FILE_…` and `E_NO_ROWS` speak of the file, `E_RUN_…` of the run that was named. */
export type ToolkitErrorCode = keyof typeof TEXTS;

/** A file or a run that cannot be worked with. Nothing was sent. */
export class ToolkitError extends Error {
  override readonly name = "ToolkitError";
  /** Stable; safe to branch on. */
  readonly code: ToolkitErrorCode;
  readonly localized: Localized;
  /** What is wrong with the file as a whole, cell by cell. */
  readonly issues: readonly RowIssue[];

  constructor(code: ToolkitErrorCode, detail: string, issues: readonly RowIssue[] = []) {
    const localized = TEXTS[code](detail);
    super(localized.en);
    this.code = code;
    this.localized = localized;
    this.issues = issues;
  }
}
