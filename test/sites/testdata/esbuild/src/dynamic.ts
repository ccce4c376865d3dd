export const factorial = (n: bigint): bigint => {
  let product = 1n;
  for (; n > 1n; n--) product *= n;
  return product;
};
