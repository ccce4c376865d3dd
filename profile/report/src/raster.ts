// Boxes as pixels. Drawing a box with the canvas's pen takes longer than putting a whole
// picture, so the boxes of a layer become one line of pixels, as long as the canvas is
// wide, which is repeated for the height of the layer. However many boxes are visible, a
// picture takes the same time.

export class Raster {
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private lines = new Uint32Array();
  private first = 0;

  get width(): number {
    return this.image.width;
  }

  /** An empty picture, in pixels, with room for layers from the first to before the last. */
  clear(width: number, height: number, first: number, past: number, paper: number) {
    if (this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(paper);
    const count = Math.max(0, past - first) * width;
    if (this.lines.length < count) this.lines = new Uint32Array(count);
    this.lines.fill(paper, 0, count);
    this.first = first;
  }

  /** A box of a layer, from a pixel to before another. */
  box(layer: number, left: number, right: number, colour: number) {
    const line = (layer - this.first) * this.width;
    if (right - left < 16) for (let x = left; x < right; x++) this.lines[line + x] = colour; // a call of fill takes longer
    else this.lines.fill(colour, line + left, line + right);
  }

  /** Puts a layer into the picture, from a pixel down to before another, as far as they are in it. */
  place(layer: number, top: number, bottom: number) {
    const { width, height } = this.image;
    const line = this.lines.subarray((layer - this.first) * width, (layer - this.first + 1) * width);
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) this.pixels.set(line, y * width);
  }

  putInto(pen: CanvasRenderingContext2D) {
    pen.putImageData(this.image, 0, 0);
  }
}
