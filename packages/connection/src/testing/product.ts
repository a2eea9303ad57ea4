import { priceMinor, type ProductAdd, idSchemas } from "@catalog/contract";

/** A valid product. */
export const CUP: ProductAdd = {
  title: "Fincan",
  sub_title: "Porselen",
  brand_id: idSchemas.brand.parse("b-1"),
  brand_model: "Serbest",
  description: "Kahve fincanı",
  price: priceMinor.parse(12_990),
  product_code: "KOD-1",
  warranty_type: 1,
  warranty_period: 0,
  has_discount: false,
  category_id: idSchemas.category.parse("c-1"),
  shipping_template_id: idSchemas.shippingTemplate.parse("s-1"),
  stock_count: 5,
  images: ["https://ornek.example/1.jpg"],
};
