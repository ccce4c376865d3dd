export interface Product {
  id: number;
  name: string;
  price: number;
  stock: number;
}

const words = ['Oak', 'Pine', 'Chair', 'Table', 'Lamp', 'Shelf', 'Desk', 'Sofa', 'Rug', 'Vase', 'Clock', 'Mirror'];

export const products: Product[] = Array.from({ length: 3000 }, (_, id) => ({
  id,
  name: `${words[(id * 7) % 12]} ${words[(id * 5) % 12]} ${(id * 7919) % 3001}`,
  price: 5 + ((id * 131) % 997),
  stock: (id * 31) % 17,
}));
