/** In how many ways queens stand on a board without threatening each other. */
export function solutions(size, row = 0, columns = 0, left = 0, right = 0) {
  if (row === size) {
    return 1;
  }
  let count = 0;
  for (let column = 0; column < size; column++) {
    const bit = 1 << column;
    const isFree = !(columns & bit) && !(left & (1 << (row + column))) && !(right & (1 << (row - column + size)));
    if (isFree) {
      count += solutions(size, row + 1, columns | bit, left | (1 << (row + column)), right | (1 << (row - column + size)));
    }
  }
  return count;
}
