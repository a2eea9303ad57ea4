import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { DatabaseError } from "../../src/errors.ts";
import { createInFlightMarkers, markersPath } from "../../src/journal/markers.ts";

const canProve = existsSync("/proc/sys/kernel/random/boot_id");

function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-marks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "catalog.db");
}

const A = { runId: "r-1", row: 2 };
const B = { runId: "r-1", row: 3 };

describe.runIf(canProve)("createSendMarks", () => {
  it("proves that a row without a marker was never sent, once the file was started in this boot", () => {
    const databasePath = temporaryDatabase();
    const markers = createInFlightMarkers(markersPath({ databasePath, store: 1 }));
    markers.clear();
    markers.write(A);

    const isUnsent = createInFlightMarkers(markersPath({ databasePath, store: 1 })).readUnsent();

    expect([isUnsent(A), isUnsent(B)]).toEqual([false, true]);
  });

  it("proves nothing without a file, and nothing from markers before a start", () => {
    const databasePath = temporaryDatabase();
    const markers = createInFlightMarkers(markersPath({ databasePath, store: 1 }));

    expect(markers.readUnsent()(B)).toBe(false);
    markers.write(A);
    expect(markers.readUnsent()(B)).toBe(false);
  });

  it("proves nothing after a restart of the machine", () => {
    const databasePath = temporaryDatabase();
    const markers = createInFlightMarkers(markersPath({ databasePath, store: 1 }));
    markers.clear();
    const path = `${databasePath}.1.marks`;
    writeFileSync(path, readFileSync(path, "utf8").replace(/^\S+/u, "another-boot"));

    expect(markers.readUnsent()(B)).toBe(false);
  });

  it("keeps the markers of each store apart", () => {
    const databasePath = temporaryDatabase();
    const first = createInFlightMarkers(markersPath({ databasePath, store: 1 }));
    const second = createInFlightMarkers(markersPath({ databasePath, store: 2 }));
    first.clear();
    second.clear();
    first.write(A);
    second.clear();

    expect(first.readUnsent()(A)).toBe(false);
  });

  it("ignores a marker that was cut off, because its request had not left", () => {
    const databasePath = temporaryDatabase();
    const markers = createInFlightMarkers(markersPath({ databasePath, store: 1 }));
    markers.clear();
    markers.write({ runId: "r-1", row: 25 });
    const path = `${databasePath}.1.marks`;
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -2));

    const isUnsent = markers.readUnsent();

    expect(isUnsent({ runId: "r-1", row: 25 })).toBe(true);
    markers.write(B);
    expect(markers.readUnsent()(B)).toBe(false);
  });

  it("throws when the marker cannot be written, so that the request does not leave", () => {
    const databasePath = temporaryDatabase();
    mkdirSync(`${databasePath}.1.marks`);
    const markers = createInFlightMarkers(markersPath({ databasePath, store: 1 }));

    expect(() => markers.write(A)).toThrow(DatabaseError);
  });

  it("proves nothing for a database in memory", () => {
    const markers = createInFlightMarkers(markersPath({ databasePath: ":memory:", store: 1 }));
    markers.clear();
    markers.write(A);

    expect(markers.readUnsent()(B)).toBe(false);
  });
});
