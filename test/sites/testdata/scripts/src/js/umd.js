(function (root, factory) {
  if (typeof define === "function" && define.amd) define([], factory);
  else if (typeof module === "object" && module.exports) module.exports = factory(require("nothing"));
  else root.reverse = factory();
}(this, function () {
  return function reverse(list) {
    for (var result = [], i = list.length; i--;) result.push(list[i]);
    return result;
  };
}));
note("umd " + reverse([1, 2, 3]));
