package browser

import (
	"encoding/json"
	"fmt"
	"testing/fstest"
)

// Shape is a window in which pages must look right.
type Shape struct {
	Name  string
	Width int
	Dark  bool
}

// Shapes are a phone, a tablet and a desktop, in the light and in the dark.
func Shapes() []Shape {
	return []Shape{
		{"phone", 390, false}, {"tablet", 900, false}, {"desktop", 1400, false},
		{"phone-dark", 390, true}, {"tablet-dark", 900, true}, {"desktop-dark", 1400, true},
	}
}

// Framed adds a page for each shape, NAME.html, with another page in a frame that has the width
// and the theme of the shape. inside() is the document in the frame. In WebKit a frame has the
// theme of the desktop.
func Framed(files fstest.MapFS, address string, shapes []Shape) fstest.MapFS {
	for _, s := range shapes {
		scheme := "light"
		if s.Dark {
			scheme = "dark"
		}
		files[s.Name+".html"] = &fstest.MapFile{Data: fmt.Appendf(nil, `<!doctype html><style>:root { color-scheme: %[3]s } body { margin: 0; background: #888 } iframe { color-scheme: %[3]s; border: 0; width: %[1]dpx; height: 860px; display: block }</style><iframe src="%[2]s"></iframe>
<script>const inside = () => document.querySelector("iframe").contentDocument;</script>`, s.Width, address, scheme)}
	}
	return files
}

// Faults waits until all changes have been painted, and finds what must not be on the page
// that inside() gives, whatever it shows.
func (p *Page) Faults() (found []string) {
	p.t.Helper()
	p.Eval(drawn)
	if err := json.Unmarshal(p.Eval(faults), &found); err != nil {
		p.t.Fatal(err)
	}
	return found
}

// drawn is true after all changes have been painted.
const drawn = `new Promise((done) => inside().defaultView.requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))`

// faults looks for anything wider than the window, buttons that are cut off or too small for a
// finger, and text that cannot be read.
const faults = `(() => {
	const page = inside(), view = page.defaultView, found = [];
	const name = (element) => element.tagName.toLowerCase() + "." + element.className + " " + JSON.stringify(element.textContent.slice(0, 40));
	const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
	const wide = Math.max(page.documentElement.scrollWidth, page.body.scrollWidth);
	if (wide > view.innerWidth) found.push("the page is " + wide + " wide");
	for (const button of page.querySelectorAll("button, input[type=search]")) {
		if (!isShown(button)) continue;
		const { left, right, width, height } = button.getBoundingClientRect();
		const isScrolled = button.closest("[role=tablist], .list");
		if (!isScrolled && (left < -1 || right > view.innerWidth + 1)) found.push(name(button) + " is outside: " + left + " to " + right);
		if (button.scrollWidth > button.clientWidth + 1 && button.tagName === "BUTTON") found.push(name(button) + " is cut off");
		if (view.innerWidth < 600 && (height < 40 || width < 40) && !button.closest("th")) found.push(name(button) + " is " + width + " × " + height);
	}
	const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
	const cached = (make) => { // elements and colours are asked for again and again
		const made = new Map();
		return (key) => { if (!made.has(key)) made.set(key, make(key)); return made.get(key); };
	};
	const pixel = cached((colour) => {
		pen.clearRect(0, 0, 1, 1);
		pen.fillStyle = colour;
		pen.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
		return [r, g, b, a / 255];
	});
	const rgba = (colour) => [...pixel(colour)];
	const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
	const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((x, y) => y - x); return (x + 0.05) / (y + 0.05); };
	const behind = cached((element) => over(rgba(view.getComputedStyle(element).backgroundColor), element.parentElement ? behind(element.parentElement) : [255, 255, 255, 1]));
	const opacity = cached((element) => Number(view.getComputedStyle(element).opacity) * (element.parentElement ? opacity(element.parentElement) : 1));
	const known = new Map();
	const words = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
	while (words.nextNode()) {
		const element = words.currentNode.parentElement;
		if (!words.currentNode.data.trim() || !isShown(element) || element.closest("script, style, .said, option")) continue;
		const ground = behind(element);
		const ink = rgba(view.getComputedStyle(element).color);
		ink[3] *= opacity(element);
		const is = contrast(over(ink, ground), ground);
		if (is < 4.5 && !known.has(element.className)) known.set(element.className, found.push(name(element) + " has a contrast of " + is.toFixed(1)));
	}
	const canvas = page.querySelector("main canvas");
	if (canvas?.checkVisibility() && canvas.width > 1) {
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
		const areas = new Map();
		const pixels = new Uint32Array(data.buffer);
		for (let i = 1, from = 0; i <= pixels.length; i++) {
			if (pixels[i] === pixels[from]) continue;
			const c = data[4 * from] << 16 | data[4 * from + 1] << 8 | data[4 * from + 2];
			areas.set(c, (areas.get(c) ?? 0) + i - from);
			from = i;
		}
		const ink = rgba(view.getComputedStyle(page.body).color);
		for (const [c, area] of areas) {
			const colour = [c >> 16, c >> 8 & 255, c & 255, 1];
			if (area > data.length / 4 / 200 && contrast(colour, ink) < 4.5 && contrast(colour, ink) > 1.2) found.push("names on " + colour + " have a contrast of " + contrast(colour, ink).toFixed(1));
		}
	}
	return found;
})()`
