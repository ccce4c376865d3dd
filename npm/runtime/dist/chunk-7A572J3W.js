import {
  largestTable
} from "./chunk-UHPIY24D.js";

// runtime/src/trace/disk.ts
function readFrom(files) {
  return async (url, signal) => {
    const path = url.startsWith("file:") ? new URL(url) : url;
    if (/^https?:/.test(url)) return null;
    let size;
    try {
      ({ size } = await files.stat(path));
    } catch {
      return null;
    }
    if (size > largestTable) throw new Error("it is too large");
    return files.readFile(path, { encoding: "utf8", signal });
  };
}

export {
  readFrom
};
