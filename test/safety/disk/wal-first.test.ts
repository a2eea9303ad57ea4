import { describe, expect, it } from "vitest";

import { readCalls } from "./wal-first.ts";

const WRITE = 'pwrite64(19</home/catalog.db-wal>, "7..."..., 4096, 32) = 4096';
const SYNC = "fdatasync(19</home/catalog.db-wal>) = 0";
const OTHER = "fdatasync(18</home/catalog.db>) = 0";
const POST = 'sendto(22<socket:[991]>, "POST /api/v1.0/product/add?access_token="..., 900) = 900';
const GET = 'sendto(22<socket:[991]>, "GET /api/v1.0/product/list?access_token="..., 900) = 900';

describe("the system calls of an import", () => {
  it.each([
    ["with each add after its sync", [WRITE, SYNC, GET, POST, WRITE, SYNC, POST], 0],
    ["with an add before the sync", [WRITE, POST, SYNC], 1],
    ["with a sync of another file", [WRITE, OTHER, POST], 1],
    ["with an add for which nothing was written", [WRITE, SYNC, POST, POST], 1],
    ["with a write after the sync", [WRITE, SYNC, WRITE, POST], 1],
  ])("%s reveal whether an add was sent early", (_, lines, early) => {
    const read = readCalls(lines);

    expect(read.early).toBe(early);
    expect(read.posts).toBe(lines.filter((line) => line === POST).length);
  });
});
