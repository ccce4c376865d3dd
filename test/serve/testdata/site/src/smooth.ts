export function smooth(heights: number[], times: number): number {
  for (let n = 0; n < times; n++) {
    for (let i = 1; i < heights.length - 1; i++) {
      heights[i] = (heights[i - 1] + heights[i] + heights[i + 1]) / 3;
    }
  }
  return heights.reduce((sum, height) => sum + height, 0);
}
