// A script that Vite copies as it is.
document.documentElement.dataset.early = [1, 2, 3]
  .map(function square(x) {
    var sum = 0;
    for (var i = 0; i < x; i++) sum += x;
    return sum;
  })
  .join(' ');
