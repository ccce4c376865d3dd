(function () {
  function greet(name) {
    var parts = ['Hello', name, 'from', 'obfuscated', 'code'];
    return parts.join(' ');
  }
  function sum(list) {
    var total = 0;
    for (var i = 0; i < list.length; i++) total += list[i];
    return total;
  }
  globalThis.obfuscated = [greet('reader'), sum([1, 2, 3, 4]), String(sum([])).length];
})();
