// Takes the script's element out of the page if a build has put it there (transform/builddir/tag.go), and
// the link that may come before it (place.go).
// The page's scripts look at their neighbours, and frameworks that hydrate a whole document render it
// again if it holds one more element. The page's own element stays: a framework may have rendered it.

/** The element that runs now; none in workers, modules and shadow trees. */
export const element = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;

for (let ours = element, before; ours?.className === "fieldprof"; ours = before) {
  before = ours.previousSibling as typeof element;
  ours.remove();
}
