exports.sort = function sort(list) {
  for (let i = 1; i < list.length; i++) {
    for (let j = i; j > 0 && list[j - 1] > list[j]; j--) {
      [list[j - 1], list[j]] = [list[j], list[j - 1]];
    }
  }
  return list;
};
