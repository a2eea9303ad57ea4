/** A body of the add call without a mistake, as it would come from outside. */
export const CUP: Readonly<Record<string, unknown>> = {
  title: "Fincan",
  sub_title: "Porselen",
  brand_id: "b-1",
  brand_model: "Serbest",
  description: "Kahve fincanı",
  price: 12_990,
  product_code: "0042",
  warranty_type: 1,
  warranty_period: 0,
  has_discount: false,
  category_id: "c-1",
  shipping_template_id: "s-1",
  stock_count: 0,
  images: ["https://ornek.example/1.jpg"],
};
