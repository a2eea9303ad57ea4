import { endpoints } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { createSampleProduct, readAnswer, openTestClient } from "../helpers/test-client.ts";

describe("createServer", () => {
  it("answers an unknown path with a refusal and counts it", async () => {
    const { sandbox, get } = await openTestClient();

    const answer = await get("/v1.1/nothing");

    expect(answer.httpStatus).toBe(404);
    expect(answer.headers.get("x-sandbox")).toBe("1");
    expect(answer.data).toEqual({
      status: false,
      message: "Path not found",
      message_tr: "Adres bulunamadı",
    });
    expect(sandbox.stats()).toMatchObject({ requests: 2, byEndpoint: { "token.create": 1 } });
  });

  it("serves only the token endpoint without a version", async () => {
    const { sandbox, get } = await openTestClient();

    const versioned = await fetch(`${sandbox.baseUrl}/v1.0/app/auth/access`, { method: "POST" });
    const bare = await get("/category/");

    expect([versioned.status, bare.httpStatus]).toEqual([404, 404]);
  });

  it("accepts a path with and without a final slash", async () => {
    const { get } = await openTestClient();

    const answers = [await get("/v1.0/category/"), await get("/v1.0/category")];

    expect(answers[0]?.httpStatus).toBe(200);
    expect(answers[1]?.data).toEqual(answers[0]?.data);
  });

  it("applies the default page size and its limits", async () => {
    const { get } = await openTestClient();

    const first = await get("/v1.1/category/");
    const second = await get("/v1.1/category/", { page: "2", limit: "20" });
    const tooLarge = await get("/v1.1/category/", { limit: "51" });

    const pages = [first, second].map(({ data }) => endpoints.category.list.data.parse(data));
    expect(pages[0]?.result).toHaveLength(20);
    expect(pages[1]?.total).toBe(pages[0]?.total);
    expect(pages[1]?.result[0]).not.toEqual(pages[0]?.result[0]);
    expect(tooLarge.httpStatus).toBe(400);
    expect(tooLarge.data).toMatchObject({ message: expect.stringContaining("limit:") });
  });

  it("names every wrong field in both languages", async () => {
    const { sandbox, post } = await openTestClient();
    const { title: _, ...rest } = createSampleProduct();

    const { httpStatus, data } = await post(`/v1.1/product/add/store/${sandbox.storeId}`, {
      ...rest,
      price: 12.5,
      stock_count: -1,
      has_discount: true,
    });

    expect(httpStatus).toBe(400);
    expect(data).toMatchObject({
      status: false,
      message: expect.stringMatching(/title: .*price: .*stock_count: /u),
      message_tr: expect.stringMatching(/^Geçersiz girdi: title: Geçersiz/u),
    });
    expect(sandbox.products()).toEqual([]);
  });

  it.each([
    ["{", "application/json", 400],
    ["[1]", "application/json", 400],
    ["x=1", "text/plain", 415],
    [`"${"x".repeat(1024 * 1024)}"`, "application/json", 413],
  ])("refuses the body %.10s of type %s with status %i", async (body, type, expected) => {
    const { sandbox, token } = await openTestClient();
    const url = `${sandbox.baseUrl}/v1.1/product/add/store/${sandbox.storeId}`;

    const response = await fetch(`${url}?access_token=${token}`, {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    const { httpStatus, headers, data } = await readAnswer(response);

    expect(httpStatus).toBe(expected);
    expect(headers.get("x-sandbox")).toBe("1");
    expect(data).toEqual({
      status: false,
      message: expect.any(String),
      message_tr: expect.any(String),
    });
  });

  it("answers an address that cannot be decoded with a refusal", async () => {
    const { get } = await openTestClient();

    const answer = await get("/v1.1/category/get-properties/%zz");

    expect(answer.httpStatus).toBe(400);
    expect(answer.headers.get("x-sandbox")).toBe("1");
    expect(answer.data).toMatchObject({ status: false, message_tr: "İstek okunamadı" });
  });
});
