// Reads requests, a JSON object a line: {"text": base64}. Answers each with a JSON line: the facts of the page that
// oracle_test.go compares, as parse5 sees them, with offsets in bytes.
import { createInterface } from "node:readline";
import { parse } from "parse5";

const SVG = "http://www.w3.org/2000/svg";
const HTML = "http://www.w3.org/1999/xhtml";
const MATHML = "http://www.w3.org/1998/Math/MathML";

// Byte offsets of UTF-16 offsets, which are asked for in any order.
function bytesOf(text, bom) {
  const table = new Uint32Array(text.length + 1);
  let bytes = bom;
  for (let i = 0; i < text.length; i++) {
    table[i] = bytes;
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdfff) bytes += 2;
    else bytes += 3;
  }
  table[text.length] = bytes;
  return (offset) => table[offset];
}

function attributes(node, at) {
  const found = {};
  for (const { prefix, name, value } of node.attrs) {
    const key = prefix ? `${prefix}:${name}` : name;
    const place = node.sourceCodeLocation.attrs?.[key];
    found[key] = { value, start: place ? at(place.startOffset) : -1, end: place ? at(place.endOffset) : -1 };
  }
  return found;
}

// The result is described in oracle_test.go.
function describe(text, at) {
  const page = { scripts: [], links: [], policies: [], base: null, head: -1 };
  const visit = (node, inert) => {
    const place = node.sourceCodeLocation;
    if (place && node.tagName) note(node, place, inert);
    for (const child of node.childNodes ?? []) visit(child, inert);
    if (node.content) {
      const mode = node.attrs.find((a) => a.name === "shadowrootmode")?.value.toLowerCase();
      visit(node.content, inert || (mode !== "open" && mode !== "closed"));
    }
  };
  const note = (node, place, inert) => {
    const found = attributes(node, at);
    const html = node.namespaceURI === HTML;
    if (node.tagName === "script") {
      const startTag = place.startTag ?? place;
      const script = {
        start: at(startTag.startOffset),
        contentStart: at(startTag.endOffset),
        foreign: node.namespaceURI === SVG || node.namespaceURI === MATHML,
        inert: inert || node.namespaceURI === MATHML,
        attributes: found,
        content: null,
      };
      if (place.endTag) {
        script.contentEnd = at(place.endTag.startOffset);
        script.end = at(place.endTag.endOffset);
      }
      if (html) script.content = node.childNodes.map((child) => child.value).join("");
      page.scripts.push(script);
    } else if (html && node.tagName === "link" && found.rel) {
      page.links.push({ start: at(place.startOffset), end: at(place.endOffset), inert, attributes: found });
    } else if (html && node.tagName === "meta" && found.content && found["http-equiv"]?.value.toLowerCase() === "content-security-policy") {
      page.policies.push({ start: at(place.startOffset), end: at(place.endOffset), inert, attributes: found });
    } else if (html && node.tagName === "base" && found.href && !inert) {
      if (!page.base || page.base.start > found.href.start) page.base = found.href;
    } else if (html && node.tagName === "head" && place.startTag) {
      page.head = at(place.startTag.endOffset);
    }
  };
  visit(parse(text, { sourceCodeLocationInfo: true }), false);
  for (const list of [page.scripts, page.links, page.policies]) list.sort((a, b) => a.start - b.start);
  return page;
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const bytes = Buffer.from(JSON.parse(line).text, "base64");
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  // A page whose bytes are no UTF-8 is read byte by byte, which keeps the offsets.
  let text;
  let exact = true;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = bytes.toString("latin1");
    exact = false;
  }
  const answer = describe(text, exact ? bytesOf(text, bom) : (offset) => offset);
  if (!exact) answer.bytes = true;
  process.stdout.write(JSON.stringify(answer) + "\n");
}
