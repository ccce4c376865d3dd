// Loaded whenever.
var answered = (function () {
  for (var i = 0, n = 0; i < 10; i++) n += i;
  return n;
})();
