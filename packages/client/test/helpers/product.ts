import { priceMinor, type ProductAdd, type ProductUpdate, idSchemas } from "@catalog/contract";

/** A product that the contract accepts. */
export const CUP: ProductAdd = {
  title: "Cup",
  sub_title: "Blue",
  brand_id: idSchemas.brand.parse("b-1"),
  brand_model: "Plain",
  description: "A cup.",
  price: priceMinor.parse(1250),
  product_code: "CUP-1",
  warranty_type: 1,
  warranty_period: 0,
  has_discount: false,
  category_id: idSchemas.category.parse("c-1"),
  shipping_template_id: idSchemas.shippingTemplate.parse("t-1"),
  stock_count: 3,
  images: ["https://pictures.example/cup.jpg"],
};

export const CHEAPER_CUP: ProductUpdate = {
  product_id: idSchemas.product.parse("p-1"),
  price: priceMinor.parse(1000),
};

export const ADDED = { status: true, message: "ok", product_id: "p-1" };
