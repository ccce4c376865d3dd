// Collections with the methods that the realm had at load. Checks read stacks in the middle of the
// page's work, and the page may have replaced any method, or count its calls, as tests do.

const { defineProperties, getOwnPropertyDescriptors } = Object;

type Collection = new (...values: never[]) => object;

/** A subclass whose prototype has copies of the methods. */
function kept<C extends Collection>(Class: C): C {
  class Kept extends (Class as unknown as new () => object) {}
  defineProperties(Kept.prototype, getOwnPropertyDescriptors(Class.prototype as object));
  return Kept as unknown as C;
}

export const KeptArray = kept(Array);
export const KeptMap = kept(Map);
export const KeptSet = kept(Set);
