/** Errors that stop a whole file or run, and failed calls, described in both languages. The `message` of an
 * error is English and meant for logs and developers. */

import {
  ApiError,
  AuthError,
  ClientError,
  InputError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { describeNetworkCode } from "@catalog/client/network-reason";
import { type Localized, LocalizedError } from "@catalog/i18n";
import type { RowIssue } from "@catalog/runs";

const TEXTS = {
  E_FILE_COLUMNS: (file: string) => ({
    tr: `“${file}” dosyasının sütunları kullanılamıyor; hiçbir şey gönderilmedi.`,
    en: `The columns of “${file}” cannot be used; nothing was sent.`,
  }),
  E_APPROVAL_FILE: (file: string) => ({
    tr: `“${file}” bekleyen satırların dosyası değil: “Bekleyen Satır” ve “Onay” sütunları yok. Sonuç klasöründeki held.xlsx dosyasını verin.`,
    en: `“${file}” is no file of held rows: it has no columns “Held Row” and “Approve”. Give the held.xlsx of the result folder.`,
  }),
  E_FILE_CHANGED: (file: string) => ({
    tr: `“${file}” okunurken değişti; hiçbir şey gönderilmedi. Dosyayı kaydedip kapatın ve yeniden deneyin.`,
    en: `“${file}” changed while it was read; nothing was sent. Save and close it, then try again.`,
  }),
  E_TABLE_DOWNLOAD: (link: string) => ({
    tr: `Tablo indirilemedi: ${link} Hiçbir şey gönderilmedi.`,
    en: `The table could not be downloaded: ${link} Nothing was sent.`,
  }),
  E_DOWNLOAD_LOGIN: (address: string) => ({
    tr: `Giriş yapılamadığı için indirilemedi: ${address} Hiçbir şey gönderilmedi.`,
    en: `It could not be downloaded for want of a login: ${address} Nothing was sent.`,
  }),
  E_IMAGES_SOURCE: (source: string) => ({
    tr: `“${source}” adlı görsel klasörü ya da zip dosyası yok. --images-dir ile var olan birini verin.`,
    en: `There is no folder or zip file of images “${source}”. Name one that exists with --images-dir.`,
  }),
  E_IMAGES_ZIP: (file: string) => ({
    tr: `“${file}” görsel arşivi açılamadı ya da güvenli değil. Görselleri yeniden zip yapın ya da --images-dir ile bir klasör verin.`,
    en: `The zip file of images “${file}” cannot be opened or is not safe. Zip the images again, or give a folder with --images-dir.`,
  }),
  E_IMAGES_ZIP_ENTRIES: (file: string) => ({
    tr: `Görsel arşivinde izin verilenden çok dosya var: ${file}. Daha küçük bir arşiv yapın, --images-dir ile bir klasör verin ya da catalog.config.json içinde limits.imageZipEntries değerini yükseltin.`,
    en: `The zip file of images has more files than are allowed: ${file}. Make a smaller one, give a folder with --images-dir, or raise limits.imageZipEntries in catalog.config.json.`,
  }),
  E_NO_ROWS: (file: string) => ({
    tr: `“${file}” dosyasında başlık satırının altında ürün satırı yok. Satırları ekleyip yeniden deneyin.`,
    en: `“${file}” has no product rows below its header row. Add rows and try again.`,
  }),
  E_LIST_EMPTY: (file: string) => ({
    tr: `“${file}” dosyasında başlık satırının altında satır yok.`,
    en: `“${file}” has no rows below its header row.`,
  }),
  E_LIST_NO_ACTION: (file: string) => ({
    tr: `“${file}” dosyasında “İşlem” sütunu boş: hiçbir paket seçilmemiş, hiçbir şey gönderilmedi. İstediğiniz satırlara işlemi yazın (Onayla, Ertele, İadeyi onayla, İadeyi reddet); listenin tümü içinse sütunu silin.`,
    en: `The column “Action” of “${file}” is empty: no package is chosen, and nothing was sent. Write the action into the rows (Accept, Postpone, Accept return, Reject return), or delete the column to take the whole list.`,
  }),
  E_LIST_UNFILLED: (file: string) => ({
    tr: `“${file}” dosyasında “İşlem” sütunu boş: hiçbir paket seçilmemiş, hiçbir şey gönderilmedi. İstediğiniz satırlara işlemi yazın: Onayla, Ertele, İadeyi onayla ya da İadeyi reddet.`,
    en: `The column “Action” of “${file}” is empty: no package is chosen, and nothing was sent. Write the action into the rows: Accept, Postpone, Accept return or Reject return.`,
  }),
  E_RUN_UNKNOWN: (run: string) => ({
    tr: `“${run}” adlı bir çalıştırma bu mağazada yok. “catalog runs” komutu çalıştırmaları listeler.`,
    en: `This store has no run “${run}”. “catalog runs” lists the runs.`,
  }),
  E_RUN_STORE: (told: string) => ({ tr: `${told}.`, en: `${told}.` }),
  E_RUN_UNPLANNED: (run: string) => ({
    tr: `“${run}” çalıştırmasının planı yarım kalmış ve hiçbir şey gönderilmemiş. Dosyayı yeniden içe aktarın.`,
    en: `The plan of run “${run}” was cut off, and nothing was sent. Import the file again.`,
  }),
  E_PLAN_OLD: (run: string) => ({
    tr: `“${run}” planı 15 dakikadan eski; mağaza bu arada değişmiş olabilir. Hiçbir şey gönderilmedi. Yeniden bakıp uygulamak için: catalog apply ${run} --recheck`,
    en: `The plan “${run}” is older than 15 minutes, and the store may have changed since. Nothing was sent. To look again and apply it: catalog apply ${run} --recheck`,
  }),
  E_PLAN_RULES: (run: string) => ({
    tr: `“${run}” planından sonra fiyat kuralları, maliyetler ya da taban fiyatlar değişmiş. Hiçbir şey gönderilmedi. Dosyayı yeniden planlayın: catalog plan`,
    en: `The price rules, costs or base prices have changed since the plan “${run}” was made. Nothing was sent. Plan the file again: catalog plan`,
  }),
  E_PLAN_FILE: (run: string) => ({
    tr: `“${run}” planının dosyası değişmiş ya da yerinde yok; plan artık dosyayı anlatmıyor. Hiçbir şey gönderilmedi. Dosyayı yeniden planlayın (catalog plan) ya da planı olduğu gibi uygulayın: catalog apply ${run} --recheck`,
    en: `The file of the plan “${run}” has changed or is gone, so the plan no longer tells of it. Nothing was sent. Plan the file again (catalog plan), or apply the plan as it is: catalog apply ${run} --recheck`,
  }),
  E_PLAN_DRAFT: (run: string) => ({
    tr: `“${run}” planından sonra taslağında değişiklik yapıldı; plan artık taslağı anlatmıyor. Hiçbir şey gönderilmedi. Taslağı yeniden planlayın.`,
    en: `The draft of the plan “${run}” was changed afterwards, so the plan no longer tells of it. Nothing was sent. Plan the draft again.`,
  }),
  E_PLAN_SETTINGS: (run: string) => ({
    tr: `“${run}” planından sonra kurallar, sınırlar ya da fiyat birimi değişti; plan artık onlara göre değil. Hiçbir şey gönderilmedi. Taslağı yeniden planlayın.`,
    en: `Rules, limits or the unit of prices were changed after the plan “${run}” was made, so it no longer follows them. Nothing was sent. Plan the draft again.`,
  }),
  E_DRAFT_UNKNOWN: (draft: string) => ({
    tr: `Bu mağazada “${draft}” adlı bir taslak yok; silinmiş olabilir. Dosyayı yeniden yükleyin.`,
    en: `This store has no draft “${draft}”; it may have been deleted. Upload the file again.`,
  }),
  E_DRAFT_CHANGED: (file: string) => ({
    tr: `“${file}” bu arada başka bir yerde değiştirildi; yaptığınız değişiklik yazılmadı. Güncel halini açıp yeniden deneyin.`,
    en: `“${file}” was changed elsewhere meanwhile, and your change was not written. Load its present state and try again.`,
  }),
  E_DRAFT_UNREADY: (file: string) => ({
    tr: `“${file}” henüz planlanamaz: önce dosyanın okunuşu ve sütunları tamamlanmalı, satırlar denetlenmelidir. Taslağı yükleme sayfasında açın.`,
    en: `“${file}” cannot be planned yet: first its reading and columns must be settled and its rows checked. Open the draft on the upload page.`,
  }),
  E_DRAFT_CELLS: (count: string) => ({
    tr: `Bir adımda en çok ${count} hücre değiştirilebilir. Seçimi küçültüp yeniden deneyin.`,
    en: `One step may change at most ${count} cells. Select fewer and try again.`,
  }),
  E_SENT_BEFORE: (holder: string) => ({
    tr: `Aynı şey bu mağazaya daha önce gönderilmiş (${holder}); ikinci kez gönderilmedi.`,
    en: `The same was sent to this store before (${holder}), so it was not sent a second time.`,
  }),
  E_LIMIT_STRICT: (rows: string) => ({
    tr: `--strict verildiği ve ${rows} satır hatalı olduğu için hiçbir şey gönderilmedi.`,
    en: `Nothing was sent: ${rows}, and --strict was given.`,
  }),
  E_LIMIT_ERRORS: (detail: string) => ({
    tr: `${detail}. Hiçbir şey gönderilmedi.`,
    en: `Nothing was sent: ${detail}.`,
  }),
  E_RUN_BEGUN: (state: string) => ({
    tr: `“apply” yalnızca hiç uygulanmamış planlar içindir: ${state}`,
    en: `“apply” is for plans that were not applied yet: ${state}`,
  }),
  E_RUN_SYNC: (run: string) => ({
    tr: `“${run}” bir eşitlemenin çalıştırmasıdır ve sonradan sürdürülemez: besleme o zamandan beri değişmiş olabilir. Eşitlemeyi yeniden çalıştırın (catalog sync); bekletilen bir değer doğruysa önce onaylayın (catalog release ${run}), sıradaki eşitleme gönderir.`,
    en: `“${run}” is a run of a sync and cannot be gone on with: its feed may have changed since. Run the sync again (catalog sync); if a value that was held is right, release it first (catalog release ${run}), and the next sync sends it.`,
  }),
  E_RUN_DRY: (run: string) => ({
    tr: `“${run}” bir denemedir: bir eşitlemenin ne göndereceğini gösterir, hiçbir satırı gönderilmez ve onaylanmaz. Göndermek için eşitlemeyi --dry-run olmadan çalıştırın (catalog sync).`,
    en: `“${run}” is a dry run: it shows what a sync would send, and no row of it is sent or released. To send, run the sync without --dry-run (catalog sync).`,
  }),
  E_PERIOD_OVER: (run: string) => ({
    tr: `“${run}” çalıştırmasının süresi doldu; artık hiçbir satırı gönderilmez. Yine de göndermek için yeniden planlayın.`,
    en: `The period of “${run}” is over; no row of it is sent any more. To send it all the same, plan it again.`,
  }),
  E_PERIOD_UNAPPROVED: (run: string) => ({
    tr: `“${run}” planı henüz onaylanmadı. Gönderme ve geri alma zamanıyla onaylamak için: catalog apply ${run} (--start-at, --undo-at)`,
    en: `Nobody has approved the plan of “${run}”. To approve it with the times at which it is sent and undone: catalog apply ${run} (--start-at, --undo-at)`,
  }),
  E_PERIOD_CHANGED: (run: string) => ({
    tr: `“${run}” çalıştırmasının zamanları bu arada değişti. Yenisine bakın (catalog runs ${run}) ve yeniden deneyin.`,
    en: `The times of “${run}” have changed meanwhile. Look at them (catalog runs ${run}) and try again.`,
  }),
  E_RUN_SCHEDULED: (run: string) => ({
    tr: `“${run}” zamanı gelince gönderilecek. Şimdi göndermek için: catalog apply ${run} --start-at now. Vazgeçmek için: catalog apply ${run} --unqueue`,
    en: `“${run}” is sent when its time comes. To send it now: catalog apply ${run} --start-at now. To give it up: catalog apply ${run} --unqueue`,
  }),
  E_SCHEDULE_UNKNOWN: (word: string) => ({
    tr: `“${word}” adlı ya da kimlikli bir zamanlama yok; silinmiş olabilir. “catalog schedule list” komutu hepsini listeler.`,
    en: `There is no schedule with the id or feed “${word}”; it may have been removed. “catalog schedule list” lists them all.`,
  }),
  E_SCHEDULE_SEVERAL: (detail: string) => ({
    tr: `Birden çok zamanlama uyuyor: ${detail}. Kimliğin daha uzununu yazın.`,
    en: `Several schedules match: ${detail}. Give more of the id.`,
  }),
  E_SCHEDULE_KNOWN: (id: string) => ({
    tr: `Bu beslemenin zaten bir zamanlaması var: ${id}. Zamanını değiştirmek için onu kaldırıp yeniden ekleyin (catalog schedule remove ${id}) ya da sayfada değiştirin. Gölgedeyse ve artık göndersin istiyorsanız: catalog schedule live ${id}`,
    en: `This feed has a schedule already: ${id}. To change its times, remove and add it again (catalog schedule remove ${id}), or change it on the page. If it is in shadow and is to send now: catalog schedule live ${id}`,
  }),
  E_SCHEDULE_COMMAND: (id: string) => ({
    tr: `Zamanlamayı (${id}) kendi komutu çalıştırıyor (catalog sync … --every). Zamanı o komutta değişir, komut kapanınca kaldırılabilir; buradan duraklatılabilir.`,
    en: `The schedule (${id}) is run by its own command (catalog sync … --every). Its times are changed there, and it can be removed once the command has ended; it can be paused here.`,
  }),
  E_SCHEDULE_LIVE: (id: string) => ({
    tr: `Bu zamanlama (${id}) gölgede değil, zaten gönderiyor.`,
    en: `This schedule (${id}) is not in shadow; it sends already.`,
  }),
  E_SCHEDULE_UNTRIED: (id: string) => ({
    tr: `Bu zamanlama (${id}) gölgede henüz bir plan yapmadı ya da fiyat kuralları, maliyetler ya da taban fiyatlar son planından sonra değişti; bakılacak bir şey yok. Önce bir kez çalıştırın (catalog schedule run ${id}) ya da bakmadan başlatmak için --yes verin.`,
    en: `This schedule (${id}) has not made a plan in shadow yet, or the price rules, costs or base prices have changed since its last one, so there is nothing to look at. Run it once first (catalog schedule run ${id}), or give --yes to go live unseen.`,
  }),
  E_SCHEDULE_CHANGED: (id: string) => ({
    tr: `Zamanlamanın (${id}) ayarları bu arada başka bir yerde değiştirildi; zamanlama gölgede kaldı. Önce bir kez çalıştırıp planına yeniden bakın: catalog schedule run ${id}`,
    en: `The options of the schedule (${id}) were changed elsewhere meanwhile, so it stays in shadow. Run it once and look at its plan again: catalog schedule run ${id}`,
  }),
  E_FEED_MISSING: (feed: string) => ({
    tr: `Besleme bulunamadı: ${feed}. Yolu kontrol edin; bir klasörde .csv, .tsv, .txt, .xlsx, .xls, .ods, .xml, .json, .jsonl ya da .ndjson uzantılı, ya da bunların .gz veya .zip ile sıkıştırılmışı olan bir dosya olmalı.`,
    en: `There is no such feed: ${feed}. Check the path; a folder must hold a file that ends in .csv, .tsv, .txt, .xlsx, .xls, .ods, .xml, .json, .jsonl or .ndjson, or one of them compressed as .gz or .zip.`,
  }),
  E_FEED_ADDRESS: (feed: string) => ({
    tr: `Besleme indirilemedi: ${feed} Hiçbir şey gönderilmedi.`,
    en: `The feed could not be downloaded: ${feed} Nothing was sent.`,
  }),
  E_FEED_CHANGING: (feed: string) => ({
    tr: `Besleme okunurken değişti: ${feed}. Hiçbir şey gönderilmedi. Dosya başka adla yazılıp en son yeniden adlandırılmalı; sonra yeniden deneyin.`,
    en: `The feed changed while it was being read: ${feed}. Nothing was sent. It should be written under another name and renamed at the end; then try again.`,
  }),
  E_FEED_FIELDS: (file: string) => ({
    tr: `“${file}” beslemesinde ne stok ne fiyat sütunu var; hiçbir şey gönderilmedi. Eşitleme stok, fiyat ve indirim sütunlarını okur; başlıkları --map "Başlık=alan" ile gösterebilirsiniz.`,
    en: `The feed “${file}” has neither a stock nor a price column; nothing was sent. A sync reads stock, price and discount; point out their headers with --map "Header=field".`,
  }),
  E_FEED_EMPTY: (file: string) => ({
    tr: `“${file}” beslemesi boş; hiçbir şey gönderilmedi. Beslemeyi üreten sistemi kontrol edin.`,
    en: `The feed “${file}” is empty; nothing was sent. Check the system that makes it.`,
  }),
  E_FEED_CUT_OFF: (file: string) => ({
    tr: `“${file}” beslemesi bir satırın ortasında bitiyor, yarım kalmış; hiçbir şey gönderilmedi. Beslemeyi yeniden oluşturun.`,
    en: `The feed “${file}” ends in the middle of a row, so it was cut off; nothing was sent. Generate the feed again.`,
  }),
  E_FEED_STALE: (detail: string) => ({
    tr: `Besleme çok eski (${detail}); hiçbir şey gönderilmedi. Beslemeyi üreten sistemi kontrol edin ya da sınırı --max-age ile değiştirin.`,
    en: `The feed is too old (${detail}); nothing was sent. Check the system that makes it, or change the limit with --max-age.`,
  }),
  E_FEED_NEW_COLUMN: (detail: string) => ({
    tr: `Beslemeye, alıcının ödediğini değiştiren yeni bir sütun gelmiş: ${detail}. Hiçbir şey gönderilmedi. Kullanılacaksa bir kez --allow moved-values ile çalıştırın; kullanılmayacaksa --map "Başlık=-" verin.`,
    en: `The feed has a new column that changes what buyers pay: ${detail}. Nothing was sent. If it is to be used, run it once with --allow moved-values; if not, give --map "Header=-".`,
  }),
  E_FEED_CHANGED: (detail: string) => ({
    tr: `Beslemenin biçimi son alınan sürümünden farklı: ${detail}. Hiçbir şey gönderilmedi. Yeni biçim doğruysa bir kez --accept-change ile çalıştırın; sonraki eşitlemeler onu bekler. Yanlışsa beslemeyi düzeltin. Farklar, önce ve şimdi:`,
    en: `The form of the feed differs from its last accepted version: ${detail}. Nothing was sent. If the new form is right, run it once with --accept-change; later syncs expect it. If it is wrong, correct the feed. The differences, before and now:`,
  }),
  E_FEED_OLDER: (detail: string) => ({
    tr: `Besleme, son alınan sürümünden daha eski (${detail}); hiçbir şey gönderilmedi. Yerine eski bir kopya konmuş olabilir. Doğruysa dosyayı yeniden kaydedin ya da bir kez --max-age 0 ile çalıştırın.`,
    en: `The feed is older than the version that was taken last (${detail}); nothing was sent. An old copy may have taken its place. If it is right, save the file again, or run it once with --max-age 0.`,
  }),
  E_FEED_FEW_ROWS: (detail: string) => ({
    tr: `Besleme, son alınanın yarısı kadar ya da daha az satır ya da dolu hücre içeriyor (${detail}); hiçbir şey gönderilmedi. Doğruysa bir kez --allow few-rows ile çalıştırın.`,
    en: `The feed has half of the rows or filled cells of the last one, or fewer (${detail}); nothing was sent. If that is right, run it once with --allow few-rows.`,
  }),
  E_FEED_FEWER_COLUMNS: (detail: string) => ({
    tr: `Beslemenin son alınan sürümündeki sütunlar bu sürümde yok ya da bomboş: ${detail}. Alınsaydı bu değerler bir daha güncellenmezdi; hiçbir şey gönderilmedi. Sütunun adı değiştiyse --map "Yeni Başlık=alan" verin; bilerek kaldırıldıysa bir kez --allow fewer-columns ile çalıştırın.`,
    en: `The feed lacks columns that its last accepted version had, or they are empty: ${detail}. Taken like this, these values would never be updated again; nothing was sent. If a column was renamed, give --map "New Header=field"; if it was removed on purpose, run it once with --allow fewer-columns.`,
  }),
  E_FEED_ZERO_STOCK: (detail: string) => ({
    tr: `Besleme çok fazla ürünün stoğunu sıfırlıyor (${detail}); hiçbir şey gönderilmedi. Doğruysa bir kez --allow zero-stock ile çalıştırın.`,
    en: `The feed sets the stock of too many products to 0 (${detail}); nothing was sent. If that is right, run it once with --allow zero-stock.`,
  }),
  E_FEED_NO_RULES: (detail: string) => ({
    tr: `Mağazanın fiyat kuralları var, ama hiçbiri bu beslemenin hiçbir satırına uymuyor (${detail}); tedarikçinin fiyatları olduğu gibi gidecekti, hiçbir şey gönderilmedi. Kuralın Tedarikçi hücresine bu adlardan birini yazın (catalog rules price). Fiyatlar olduğu gibi gidecekse --allow no-rules verin.`,
    en: `The store has price rules, but none of them fits any row of this feed (${detail}); the supplier's prices would have been sent as they are, so nothing was sent. Write one of these names as the supplier of a rule (catalog rules price). If the prices are right as they are, give --allow no-rules.`,
  }),
  E_FEED_SHIFTED: (detail: string) => ({
    tr: `Beslemenin hücreleri yan sütunlara kaymış olabilir: ${detail}. Hiçbir şey gönderilmedi. Dosyayı açıp bakın; doğruysa bir kez --allow moved-values ile çalıştırın ya da sütunu --map "Başlık=-" ile dışarıda bırakın.`,
    en: `The cells of the feed may have been shifted to other columns: ${detail}. Nothing was sent. Open the file and look; if it is right, run it once with --allow moved-values, or leave the column out with --map "Header=-".`,
  }),
  E_FEED_MOVED_VALUES: (detail: string) => ({
    tr: `Besleme, ürünlere kendilerinin olmayan stok ya da fiyatlar veriyor gibi (${detail}): satırlar kaymış, bir sütun ayrı sıralanmış ya da sayı dizisiyle doldurulmuş, sütunlar yer değiştirmiş, hepsi aynı fiyatı almış, fiyatlar KDV'siz ya da stoklar 10, 100 katı yazılmış olabilir. Hiçbir şey gönderilmedi. Doğruysa bir kez --allow moved-values ile çalıştırın.`,
    en: `The feed seems to give products stocks or prices that are not their own (${detail}): rows may have slipped, one column been sorted alone or filled with a series, columns been swapped, all been given one price, prices written without tax, or stocks 10 or 100 times too high. Nothing was sent. If that is right, run it once with --allow moved-values.`,
  }),
} as const;

/**
 * Stable error codes: `E_PLAN_…`, the plan no longer holds; `E_LIMIT_…`, too many of its rows are
 * bad; `E_SENT_BEFORE`, a single call; `E_FILE_…`, `E_TABLE_…`, `E_IMAGES_…` and `E_NO_ROWS`, the file; `E_FEED_…`, the feed;
 * `E_DOWNLOAD_LOGIN`, the login of its address;
 * `E_RUN_…`, the run that was named.
 */
export type CatalogErrorCode = keyof typeof TEXTS;

/** A file or a run cannot be processed; nothing was sent. */
export class CatalogError extends LocalizedError<CatalogErrorCode> {
  override readonly name = "ToolkitError";
  /** Issues of the file as a whole, each with its cell. */
  readonly issues: readonly RowIssue[];

  /** `detail` is inserted into the text: a name, or words for people. */
  constructor(
    code: CatalogErrorCode,
    detail: string | Localized,
    issues: readonly RowIssue[] = [],
  ) {
    const { tr, en } = typeof detail === "string" ? { tr: detail, en: detail } : detail;
    super(code, { tr: TEXTS[code](tr).tr, en: TEXTS[code](en).en });
    this.issues = issues;
  }
}

/** Describes a failed call for people. */
export function describeClientError(error: ClientError): Localized {
  if (error instanceof SettingsError) return error.localized;
  const tr = toTurkish(error);
  const text = isRefusalError(error) ? error.localized : undefined;
  return text === undefined ? { tr, en: error.message } : quote(text);
}

/** The code and the words of a failed call; `undefined` for any other error. */
export function toCallFailure(
  error: unknown,
): { readonly code: string; readonly message: Localized } | undefined {
  if (!(error instanceof ClientError)) return undefined;
  return { code: error.code, message: describeClientError(error) };
}

function isRefusalError(error: ClientError): error is ApiError | AuthError | PermissionError {
  return (
    error instanceof ApiError || error instanceof AuthError || error instanceof PermissionError
  );
}

/** Text that exists in one language only is shown in the other as a quotation. */
function quote({ tr, en }: Partial<Localized>): Localized {
  const words = toOneLine(tr ?? en ?? "");
  return {
    tr: tr === undefined ? `“${words}”` : toOneLine(tr),
    en: en === undefined ? `“${words}”` : toOneLine(en),
  };
}

/** Line breaks are removed, so that a quoted line cannot pass for one of ours. */
const toOneLine = (text: string): string =>
  text
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .join(" ")
    .trim();

function toTurkish(error: ClientError): string {
  const call = error.endpoint ?? "istek";
  if (error instanceof NetworkError) return `${call}: ${describeNoAnswer(error)}`;
  if (error instanceof ShapeError) return `${call}: ${MISSHAPES[error.reason](error)}`;
  if (error instanceof InputError) {
    return `${call} gönderilmedi; uymayan değerler: ${pathsOf(error)}`;
  }
  if (error instanceof AuthError) {
    return `${call}: pazaryeri oturumu kabul etmedi (durum ${error.status})`;
  }
  if (error instanceof PermissionError) return `${call}: bu servise izin verilmemiş (durum 403)`;
  if (error instanceof ApiError) {
    return `${call}: pazaryeri isteği ${error.status} durumuyla geri çevirdi`;
  }
  return call;
}

const REACHED: Readonly<Record<NetworkError["phase"], string>> = {
  none: "istek bu bilgisayardan çıkmadı",
  started: "istek yola çıkmıştı",
  headers: "yanıt başlamıştı",
  body: "yanıt alınmıştı",
};

function describeNoAnswer({ code, phase, cause }: NetworkError): string {
  if (code === "TIMEOUT") return `süresi içinde yanıt gelmedi (${REACHED[phase]})`;
  const why =
    cause instanceof Error && "code" in cause && typeof cause.code === "string"
      ? `: ${describeNetworkCode(cause.code).tr}`
      : "";
  return `yanıt gelmedi${why} (${REACHED[phase]})`;
}

const MISSHAPES: Readonly<Record<ShapeError["reason"], (error: ShapeError) => string>> = {
  "not-json": ({ status }) => `yanıt JSON değil (durum ${status})`,
  "too-large": ({ status }) => `yanıt okunamayacak kadar büyük (durum ${status})`,
  mismatch: (error) => `yanıt beklenen biçimde değil; uymayan alanlar: ${pathsOf(error)}`,
};

/** Fields named in a message. */
const MAX_PATHS = 3;

const pathsOf = ({ misfits }: ShapeError | InputError): string =>
  misfits
    .slice(0, MAX_PATHS)
    .map(({ path }) => path || "tümü")
    .join(", ");
