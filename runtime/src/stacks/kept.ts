// Methods of collections as they were at load. Stacks are read at checks, in the middle of the
// page's work; and the page may have replaced any method, or, as tests do, count its calls.

const { defineProperties, getOwnPropertyDescriptors } = Object;

type Collection = new (...values: never[]) => object;

/** A class of the same objects, which have the methods themselves. */
function kept<C extends Collection>(Class: C): C {
  class Kept extends (Class as unknown as new () => object) {}
  defineProperties(Kept.prototype, getOwnPropertyDescriptors(Class.prototype as object));
  return Kept as unknown as C;
}

export const KeptArray = kept(Array);
export const KeptMap = kept(Map);
export const KeptSet = kept(Set);
