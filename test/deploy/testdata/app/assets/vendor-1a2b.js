// A classic script, as libraries are.
window.vendor = {
  sum: function (list) {
    var total = 0;
    for (var i = 0; i < list.length; i++) total += list[i];
    return total;
  },
};
