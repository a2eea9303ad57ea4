import { describe, expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRows, writeWorkbook } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook, findViolations } from "../../../helpers/web/look.ts";
import {
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const ROWS = 40;
const SLOW = [{ kind: "latency", endpoint: "product.add", ms: 400 }] as const;

describe.skipIf(!hasBrowser)("a queued run on the page", { timeout: 240_000 }, () => {
  it("is taken out of the queue, and else sent by a worker until its rest is given up", async () => {
    const store = await openTestStore({ faults: SLOW });
    const adds = (): number => store.sandbox.stats().adds;
    const { page } = await visitPage(store);
    await addAxe(page);
    await page.reload();
    const look = createLook(page);
    const heading = (name: string | RegExp): Promise<void> =>
      page.getByRole("heading", { name }).waitFor(PAGE_POLL);
    await uploadFile(page, await writeWorkbook(store.folder, "a.xlsx", goodRows(ROWS)));
    await goToRows(page);
    await goToPreview(page);
    const run = /\/r\/([^/]+)\//u.exec(page.url())?.[1] ?? "";
    await press(page, "Göndermeye geç");

    const follower = store.start("apply", run, "--queue", "--json");
    await heading("Sırada");
    await look.screen("queued");
    await page.getByRole("link", { name: "History" }).first().click();
    await page.locator(".history-table .badge").first().waitFor();
    await look.screen("history with a queued run");
    const badge = await page.locator(".history-table .badge").first().innerText();
    await page.getByRole("link", { name: "a.xlsx" }).click();
    await press(page, "Sıradan çıkar");
    await heading("Mağazaya gönder");
    const left = await follower.finished;
    expect([badge, left.code, adds()]).toEqual(["Sırada", 6, 0]);

    store.start("apply", run, "--queue", "--json");
    await heading("Sırada");
    const worker = store.start("worker", "--json");
    onTestFinished(() => void worker.child.kill("SIGKILL"));
    await page.getByText("Bu gönderimi arka planda çalışan bir worker yapıyor.").waitFor(PAGE_POLL);
    await expect.poll(adds, PAGE_POLL).toBeGreaterThan(0);
    const violations = await findViolations(page, "light");
    await press(page, "Duraklat");
    await heading(/^Duraklattınız: \d+ \/ 40 gönderildi$/u);
    const sent = adds();
    await look.dialog("the rest of a stopped run", ["Kalanından vazgeç…", "Give up the rest…"]);
    await look.screen("stopped run");
    await press(page, "Kalanından vazgeç…");
    await press(page, "Gönderimi burada bitir");
    await heading(`Gönderimin kalanından vazgeçildi: ${ROWS} satırdan ${sent} satır işlendi`);
    worker.child.kill("SIGTERM");
    await worker.finished;

    const { out } = await store.run("runs", run, "--json");
    const counts = { added: sent, cancelled: ROWS - sent, pending: 0, unknown: 0 };
    expect([...look.found, ...violations]).toEqual([]);
    expect(sent).toBeLessThan(ROWS);
    expect(adds()).toBe(sent);
    expect(JSON.parse(out)).toMatchObject({ state: "finished", counts });
    expect(JSON.parse(out)).not.toHaveProperty("queue");
  });
});
